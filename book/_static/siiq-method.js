// The method, as far as scoring goes (rules T, S, A, K, I5), on the published index and its frozen parameters.
// Pure: values in, values out; it touches no page. The names are those of index.json, the rules those of the method.
(function (SIIQ) {
  "use strict";

  // Sums with a running correction: the order of results cannot matter in the digits that are published.
  function sum(values) {
    let total = 0, lost = 0;
    for (const x of values) {
      const next = total + x;
      lost += Math.abs(total) >= Math.abs(x) ? (total - next) + x : (x - next) + total;
      total = next;
    }
    return total + lost;
  }

  // C11: published numbers carry 12 significant digits.
  function digits12(x) { return Number(x.toExponential(11)); }

  // A decimal number given as text, times 10^shift, with so many places, halves to even.
  function halfEven(text, places, shift) {
    const parts = text.replace("-", "").split("."), after = parts[1] || "";
    const surplus = after.length - shift - places;
    let digits = BigInt(parts[0] + after);
    if (surplus > 0) {
      const unit = 10n ** BigInt(surplus), rest = digits % unit;
      digits = digits / unit;
      if (2n * rest > unit || (2n * rest === unit && digits % 2n === 1n)) digits += 1n;
    } else digits *= 10n ** BigInt(-surplus);
    const out = String(digits).padStart(places + 1, "0"), point = out.length - places;
    return (text[0] === "-" && digits ? "-" : "") + out.slice(0, point) + (places ? "." + out.slice(point) : "");
  }

  // S2: Python's round() of a number, from its exact value.
  function rounded(x, places) { return halfEven(x.toFixed(100), places || 0, 0); }

  // A fraction in per cent, from the digits it is written with.
  function percent(share, places) { return halfEven(/e/.test(String(share)) ? share.toFixed(20) : String(share), places, 2); }

  // T: a score on the common scale, with its variance.
  function transform(s, bench) {
    const g = bench.g, n = bench.n, width = bench.c - g;
    const p = Math.min(1, Math.max(0, (s - g) / width));
    const pStar = (p * n + 0.5) / (n + 1), rest = 1 - pStar, sStar = g + width * pStar;
    return {
      y: Math.log(pStar / rest),
      v: sStar * (1 - sStar) * n / ((n + 1) * (n + 1) * width * width * pStar * pStar * rest * rest),  // T1
    };
  }

  function indexSet(index) { return new Map(index.benchmarks.filter(b => b.in_index).map(b => [b.id, b])); }

  // S: one term for each result on the index set, in the order of benchmark ids.
  function terms(results, index) {
    const set = indexSet(index), on = results.filter(r => set.has(r.benchmark));
    on.sort((a, b) => a.benchmark < b.benchmark ? -1 : 1);
    const family = new Map();
    for (const r of on) family.set(set.get(r.benchmark).family, (family.get(set.get(r.benchmark).family) || 0) + 1);
    return on.map(function (r) {
      const bench = set.get(r.benchmark), t = transform(r.score, bench), noise = bench.sigma2 + t.v;
      const w = bench.omega / family.get(bench.family) / noise, a = bench.alpha;
      return {
        benchmark: r.benchmark, bench: bench, result: r, y: t.y, v: t.v, w: w,
        information: w * a * a, pull: w * a * (t.y - bench.beta), scatter: w * w * a * a * noise,
      };
    });
  }

  function onScale(theta0, rawSe, index) {
    const at = index.calibration, k = index.constants;
    const theta = (theta0 - at.shift) / at.scale, se = at.kappa * rawSe / at.scale;
    const points = x => k.mean + k.sd * x;
    return {theta: theta, se: se, siiq: points(theta), low: points(theta - k.z90 * se), high: points(theta + k.z90 * se)};
  }

  // S and A for the results of one model; null where none is on the index set.
  function score(results, index) {
    const k = index.constants, items = terms(results, index);
    if (!items.length) return null;
    const d = sum([k.lam].concat(items.map(t => t.information)));
    const theta0 = sum(items.map(t => t.pull)) / d;
    const overall = onScale(theta0, Math.sqrt(sum(items.map(t => t.scatter))) / d, index);
    const areas = {};
    for (const area of new Set(items.map(t => t.bench.area))) {
      const own = items.filter(t => t.bench.area === area);
      if (new Set(own.map(t => t.bench.family)).size < k.min_families_area) continue;  // A1
      const below = sum([1].concat(own.map(t => t.information)));
      areas[area] = onScale(sum([theta0].concat(own.map(t => t.pull))) / below, Math.sqrt(sum(own.map(t => t.scatter))) / below, index);
    }
    return Object.assign({d: d, theta0: theta0, areas: areas, terms: items}, overall);
  }

  function day(iso) { const p = iso.slice(0, 10).split("-"); return Date.UTC(+p[0], p[1] - 1, +p[2]) / 86400000; }

  // K1, I5: on what a score rests, and what a rank would want besides.
  function coverage(items, index) {
    const k = index.constants, have = {
      families: new Set(items.map(t => t.bench.family)).size,
      areas: new Set(items.map(t => t.bench.area)).size,
      evaluators: new Set(items.map(t => t.bench.evaluator)).size,
    };
    const need = {families: k.min_families_ranked, areas: k.min_areas_ranked, evaluators: k.min_evaluators_ranked};
    const reasons = Object.keys(have).filter(x => have[x] < need[x]).map(x => ({what: x, have: have[x], need: need[x]}));
    const days = items.filter(t => t.result.version_released).map(t => day(t.result.version_released));
    const span = days.length ? Math.max.apply(null, days) - Math.min.apply(null, days) : 0;
    if (span > k.max_version_span_days) reasons.push({what: "version_span_days", have: span, need: k.max_version_span_days});
    return {have: have, reasons: reasons};
  }

  // K2, K3: where a score stands among others. Every one has slug, theta, low and high.
  function place(own, others) {
    own = {slug: own.slug, theta: digits12(own.theta), low: digits12(own.low), high: digits12(own.high)};
    const ahead = others.filter(o => o.theta > own.theta || (o.theta === own.theta && o.slug < own.slug));
    return {
      rank: 1 + ahead.length,
      best_rank: 1 + others.filter(o => o.low > own.high).length,
      worst_rank: 1 + others.filter(o => o.high >= own.low).length,
    };
  }

  SIIQ.method = {sum, digits12, rounded, percent, transform, indexSet, terms, score, coverage, place};
})(window.SIIQ = window.SIIQ || {});
