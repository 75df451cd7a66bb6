// Two models side by side, as chosen in the address: compare.html#a=slug&b=slug. The same page as siiq_core/publish/compare.py
// makes for the first two models, from the published numbers alone.
(function (SIIQ) {
  "use strict";
  const form = document.getElementById("compare-tools");
  if (!form) return;
  const {word, say, number, signed, percent, span, plain, h, svg, bdi, num, table, th, rowhead, scaleOf, marks, axis, load, readState, writeState} = SIIQ.page;
  const AREAS = ["knowledge", "math", "reasoning", "coding", "agents"], KEY = "compare.";
  const link = m => h("a", {href: "models/" + m.slug + ".html"}, bdi(m.name));
  const interval = shown => span(shown.low, shown.high);
  const group = (label, columns) => h("tr", {"class": "group"}, h("th", {scope: "rowgroup", colspan: String(columns)}, label));
  const dash = () => h("td", {"class": "n"}, "–");
  const text = key => word(KEY + key);
  const cell = v => v ? num([h("strong", {}, v.shown.siiq), " ", h("span", {"class": "interval"}, interval(v.shown))], v.siiq) : dash();
  let index = null;

  // --- sums (siiq_core/publish/compare.py: Pair) -----------------------------------------------------------------------

  function linesOf(m) {
    const set = SIIQ.method.indexSet(index), own = new Map();
    for (const r of m.results) {
      const bench = set.get(r.benchmark);
      if (bench) own.set(bench.id, {bench: bench, score: r.score, information: r.w * bench.alpha * bench.alpha, pull: r.w * bench.alpha * (r.y - bench.beta)});
    }
    return own;
  }

  function pair(a, b) {
    const k = index.constants, middle = (a.theta0 + b.theta0) / 2, points = k.sd / index.calibration.scale;
    const spread = Math.sqrt(a.se * a.se + b.se * b.se), own = [linesOf(a), linesOf(b)], models = [a, b], parts = [];
    for (const id of new Set([...own[0].keys(), ...own[1].keys()])) {
      const found = own.map(x => x.get(id)), carried = found.map((x, i) => x ? (x.pull - x.information * middle) / models[i].d : 0);
      parts.push({bench: (found[0] || found[1]).bench, scores: found.map(x => x ? x.score : null),
                  shares: found.map((x, i) => x ? x.information / models[i].d : null), points: points * (carried[0] - carried[1])});
    }
    parts.sort((x, y) => Math.abs(y.points) - Math.abs(x.points) || (x.bench.id < y.bench.id ? -1 : 1));
    const start = {bench: null, scores: [null, null], shares: models.map(m => k.lam / m.d), points: points * (k.lam * middle / b.d - k.lam * middle / a.d)};
    const difference = a.siiq - b.siiq, z = (a.theta - b.theta) / spread, high = difference >= 0 ? a : b, low = difference >= 0 ? b : a;
    return {a, b, difference, z, high, low, half: k.sd * k.z90 * spread, measured: parts, start,
            verdict: high.low > low.high ? "apart" : Math.abs(z) > k.z90 ? "lean" : "open"};
  }

  // --- what stands on the page -----------------------------------------------------------------------------------------

  function head(two) {
    const away = Math.abs(two.difference);
    const notes = [two.a, two.b].filter(m => !m.ranked).map(m => h("p", {}, say(KEY + "provisional", {name: bdi(m.name), why: m.not_ranked_because.map(
      x => say("unranked." + x.what, {have: number(x.have, 0), need: number(x.need, 0)}).join("")).join(" · ")})));
    const sure = say(KEY + "numbers", {points: number(away, 1), low: number(away - two.half, 1), high: number(away + two.half, 1), z: number(Math.abs(two.z), 2)});
    return [h("p", {"class": "lead", role: "status"}, say(KEY + two.verdict, {high: bdi(two.high.name), low: bdi(two.low.name)})), h("p", {}, sure), notes, drawn(two)];
  }

  function drawn(two) {
    const scale = scaleOf(index, [two.a, two.b]), paired = (label, drawing) => h("div", {"class": "pair"}, h("span", {}, label), drawing);
    const columns = [th(paired(word("column.model"), axis(scale))), th(word("column.siiq"), "n", word("column.interval")), th(word("column.rank_range"), "n")];
    const range = m => !m.ranked ? "–" : m.best_rank === m.worst_rank ? number(m.best_rank, 0) : span(number(m.best_rank, 0), number(m.worst_rank, 0));
    const rows = [[two.a, two.b], [two.b, two.a]].map(([m, other]) => h("tr", {}, rowhead(paired(link(m), marks(scale, m, "", other))), cell(m), num(range(m))));
    return h("figure", {"class": "scale-figure"}, table("pair", text("scale"), columns, [rows], "scale-table"));
  }

  function areas(two) {
    const columns = [th(word("column.area")), th(bdi(two.a.name), "n", word("column.siiq")), th(bdi(two.b.name), "n", word("column.siiq")), th(text("difference"), "n", text("points"))];
    const rows = AREAS.map(function (area) {
      const x = two.a.areas[area], y = two.b.areas[area];
      return h("tr", {}, rowhead(word("area." + area)), cell(x), cell(y), x && y ? num(signed(x.siiq - y.siiq, 1)) : dash());
    });
    return table("areas", text("areas"), columns, [rows]);
  }

  function benchmarks(two) {
    const names = [two.a.name, two.b.name], longest = Math.max(...two.measured.concat(two.start).map(x => Math.abs(x.points))) || 1;
    const columns = [th(word("column.benchmark"), "", word("column.evaluator")), names.map(x => th(bdi(x), "n", text("score"))), th(text("difference"), "n", text("percentage_points")),
                     names.map(x => th(bdi(x), "n", text("weight"))), th(text("part"), "n", text("points"))];
    const share = v => v === null ? dash() : num(percent(v, 1));
    const row = x => h("tr", {}, x.bench ? rowhead(h("a", {href: "benchmarks/" + x.bench.id + ".html"}, bdi(x.bench.name)), bdi(x.bench.evaluator))
      : rowhead([h("i", {}, "λ"), " ", text("start_name")]), x.scores.map(share), x.scores.includes(null) ? dash() : num(signed(100 * (x.scores[0] - x.scores[1]), 1)),
      x.shares.map(share), num([signed(x.points, 2), bar(x.points / longest)]));
    const kinds = [[text("both"), x => !x.scores.includes(null)], [say(KEY + "only", {name: bdi(names[0])}), x => x.scores[1] === null], [say(KEY + "only", {name: bdi(names[1])}), x => x.scores[0] === null]];
    const bodies = kinds.map(([label, fits]) => [label, two.measured.filter(fits)]).filter(x => x[1].length).map(([label, own]) => [group(label, 7), own.map(row)]);
    bodies.push([group(text("start"), 7), row(two.start)]);
    return table("parts", text("parts"), columns, bodies, "", h("tr", {}, rowhead(text("sum")), h("td", {colspan: "5"}), num(signed(two.difference, 2))));
  }

  function bar(part) {
    const half = 50 * Math.abs(part), fixed = x => SIIQ.method.rounded(x, 1) + "%";
    return svg("svg", {"class": "pull", "aria-hidden": "true", focusable: "false"},
      svg("rect", {"class": part >= 0 ? "first" : "second", x: fixed(part >= 0 ? 50 : 50 - half), width: fixed(half), height: "100%"}), svg("line", {x1: "50%", x2: "50%", y1: "0", y2: "100%"}));
  }

  // --- choosing --------------------------------------------------------------------------------------------------------

  const [first, second] = ["a", "b"].map(name => form.elements[name]);
  const status = () => document.querySelector("#compare-head [role=status]");

  function show() {
    const [a, b] = [first, second].map(s => index.models.find(m => m.slug === s.value));
    if (a === b) {
      status().textContent = text("same");
      return;
    }
    const two = pair(a, b);
    const said = head(two), live = status();  // the live region stays and only its words change, so that they are read out
    live.replaceChildren(...said[0].childNodes);
    document.getElementById("compare-head").replaceChildren(live, ...said.slice(1).flat());
    document.getElementById("compare-areas").replaceChildren(areas(two));
    document.getElementById("compare-benchmarks").replaceChildren(benchmarks(two));
  }

  function choose(select, slug) {
    if (index.models.some(m => m.slug === slug)) select.value = slug;
  }

  function fromAddress() {
    const state = readState();
    const [a, b] = index.models.filter(m => m.ranked).sort((x, y) => x.rank - y.rank);
    first.value = a.slug;
    second.value = b.slug;
    choose(first, state.get("a"));
    choose(second, state.get("b"));
    if (first.value === second.value && !(state.get("a") && state.get("b"))) second.value = first.value === b.slug ? a.slug : b.slug;
    show();
  }

  function chosen() {
    writeState({a: first.value, b: second.value});
    show();
  }

  function options() {
    const option = m => h("option", {value: m.slug}, plain(m.name)), order = new Intl.Collator(SIIQ.lang, {numeric: true});
    const ranked = index.models.filter(m => m.ranked).sort((x, y) => x.rank - y.rank);
    const others = index.models.filter(m => !m.ranked).sort((x, y) => order.compare(x.name, y.name));
    return [h("optgroup", {label: text("ranked")}, ranked.map(option)), h("optgroup", {label: text("unranked")}, others.map(option))];
  }

  load().then(function (found) {
    index = found;
    [first, second].forEach(s => s.append(...options()));
    form.hidden = false;
    form.addEventListener("change", chosen);
    form.addEventListener("submit", event => event.preventDefault());
    form.querySelector("button").addEventListener("click", function () {
      [first.value, second.value] = [second.value, first.value];
      chosen();
    });
    window.addEventListener("hashchange", fromAddress);
    fromAddress();
  }, function () { status().after(h("p", {}, word("failed"))); });
})(window.SIIQ);
