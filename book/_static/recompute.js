// Recomputing published numbers in the reader's browser, from the index and its frozen parameters (siiq-method.js): one model
// on its page, with results that can be switched off, or all of them on the data page. Nothing is fetched before it is asked for.
(function (SIIQ) {
  "use strict";
  const {word, say, number, signed, percent, tiny, span, h, bdi, num, table, th, rowhead, scaleOf, marks, axis, load} = SIIQ.page;
  const AREAS = ["knowledge", "math", "reasoning", "coding", "agents"], SCALE = ["theta", "se", "siiq", "low", "high"], SHOWN = ["siiq", "low", "high"];
  const method = SIIQ.method;

  // --- comparing -------------------------------------------------------------------------------------------------------

  // Published against recomputed, by kind of number: how many, the largest difference and where it is.
  function ledger() {
    const kinds = new Map();
    function at(kind) {
      if (!kinds.has(kind)) kinds.set(kind, {n: 0, largest: 0, differ: 0, where: null});
      return kinds.get(kind);
    }
    return {
      kinds,
      close(kind, where, published, mine) {
        const own = at(kind), away = Number.isFinite(mine) ? Math.abs(published - mine) : Infinity;
        own.n += 1;
        if (away > own.largest) Object.assign(own, {largest: away, where});
      },
      same(kind, where, published, mine) {
        const own = at(kind);
        own.n += 1;
        if (published !== mine) Object.assign(own, {differ: own.differ + 1, where});
      },
      total(name) { return [...kinds.values()].reduce((n, x) => n + x[name], 0); },
      largest() { return [...kinds.values()].reduce((most, x) => Math.max(most, x.largest), 0); },
    };
  }

  // Everything that is published of a model but its rank.
  function compareModel(index, m, kept) {
    const mine = method.score(m.results, index);
    if (!mine) {
      kept.same("sums", m, true, false);
      return null;
    }
    const terms = new Map(mine.terms.map(t => [t.benchmark, t])), benches = new Map(index.benchmarks.map(b => [b.id, b]));
    for (const r of m.results) {
      const t = terms.get(r.benchmark) || method.transform(r.score, benches.get(r.benchmark));
      kept.close("logits", m, r.y, t.y);
      kept.close("logits", m, r.v, t.v);
      if (t.w !== undefined) kept.close("weights", m, r.w, t.w);
    }
    ["d", "theta0"].forEach(x => kept.close("sums", m, m[x], mine[x]));
    SCALE.forEach(x => kept.close(x === "theta" || x === "se" ? "ability" : "scores", m, m[x], mine[x]));
    SHOWN.forEach(x => kept.same("shown", m, m.shown[x], method.rounded(method.digits12(mine[x]))));
    for (const area of new Set(Object.keys(m.areas).concat(Object.keys(mine.areas)))) {
      const published = m.areas[area], found = mine.areas[area];
      if (!published || !found) kept.same("areas", m, true, false);
      else {
        SCALE.forEach(x => kept.close("areas", m, published[x], found[x]));
        SHOWN.forEach(x => kept.same("shown", m, published.shown[x], method.rounded(method.digits12(found[x]))));
      }
    }
    const covered = method.coverage(mine.terms, index);
    [["families", "families"], ["areas_covered", "areas"], ["evaluators", "evaluators"]].forEach(x => kept.same("coverage", m, m[x[0]], covered.have[x[1]]));
    kept.same("coverage", m, m.ranked, !covered.reasons.length);
    return {slug: m.slug, theta: method.digits12(mine.theta), low: method.digits12(mine.low), high: method.digits12(mine.high), ranked: !covered.reasons.length, mine};
  }

  function compareRank(m, own, others, kept) {
    const found = own.ranked ? method.place(own, others.filter(x => x.slug !== m.slug)) : {rank: null, best_rank: null, worst_rank: null};
    Object.keys(found).forEach(x => kept.same("ranks", m, m[x], found[x]));
  }

  // --- one model -------------------------------------------------------------------------------------------------------

  function standing(own, terms, index, slug) {
    const {reasons} = method.coverage(terms, index);
    if (reasons.length) {
      const why = reasons.map(x => say("unranked." + x.what, {have: number(x.have, 0), need: number(x.need, 0)}).join("")).join(" · ");
      return say("recompute.no_rank", {why});
    }
    const found = method.place(Object.assign({slug}, own), index.models.filter(x => x.ranked && x.slug !== slug));
    const [best, worst] = [found.best_rank, found.worst_rank].map(x => number(x, 0));
    return say("recompute.rank", {rank: number(found.rank, 0), range: best === worst ? best : span(best, worst)});
  }

  function workbench(place, index, slug) {
    const m = index.models.find(x => x.slug === slug), kept = ledger(), own = compareModel(index, m, kept);
    compareRank(m, own, index.models.filter(x => x.ranked), kept);
    const terms = own.mine.terms.slice().sort((x, y) => y.information - x.information), off = new Set();
    const scale = scaleOf(index, [m].concat(Object.values(m.areas)));
    const status = h("p", {"class": "lead", role: "status"}), figure = h("figure", {"class": "scale-figure"}), again = h("button", {type: "button"}, word("recompute.again"));
    const lines = terms.map(function (t) {
      const box = h("input", {type: "checkbox"}), share = h("span", {"class": "quiet"});
      box.checked = true;
      box.addEventListener("change", function () {
        off[box.checked ? "delete" : "add"](t.benchmark);
        show();
      });
      return {t, box, share, line: h("li", {}, h("label", {}, box, " ", bdi(t.bench.name), " ", h("strong", {}, percent(t.result.score, 1)), " ", share))};
    });
    again.addEventListener("click", function () {
      off.clear();
      lines.forEach(x => { x.box.checked = true; });
      show();
      lines[0].box.focus();
    });

    // Untouched, the published strings are shown; anything else is rounded as they were.
    const strings = x => Object.fromEntries(SHOWN.map(name => [name, method.rounded(method.digits12(x[name]))]));
    const interval = shown => span(shown.low, shown.high);

    function show() {
      const now = off.size ? method.score(m.results.filter(r => !off.has(r.benchmark)), index) : own.mine, n = terms.length - off.size;
      const used = new Map((now ? now.terms : []).map(t => [t.benchmark, t.information / now.d]));
      for (const x of lines) x.share.replaceChildren(...used.has(x.t.benchmark) ? say("recompute.share", {share: percent(used.get(x.t.benchmark), 1)}) : [word("recompute.switched_off")]);
      again.disabled = !off.size;
      if (!now) status.replaceChildren(word("recompute.empty"));
      else {
        const shown = off.size ? strings(now) : m.shown, values = {n: number(n, 0), all: number(terms.length, 0), siiq: shown.siiq, interval: interval(shown), published: m.shown.siiq};
        status.replaceChildren(...say(off.size ? "recompute.altered" : "recompute.untouched", values), " ", ...standing(now, now.terms, index, slug));
      }
      figure.replaceChildren(drawing(now));
    }

    function drawing(now) {
      const pair = (label, marked) => h("div", {"class": "pair"}, h("span", {}, label), marked);
      const head = [th(pair(word("column.scale"), axis(scale))), th(word("recompute.published"), "n was"), th(word("recompute.now"), "n"), th(word("recompute.change"), "n")];
      const row = function (label, published, value) {
        const shown = value && (off.size ? strings(value) : published.shown);
        return h("tr", {}, rowhead(pair(label, marks(scale, value, "", published))), h("td", {"class": "n was"}, h("strong", {}, published.shown.siiq), " ", h("span", {"class": "interval"}, interval(published.shown))),
          num(value ? [h("strong", {}, shown.siiq), " ", h("span", {"class": "interval"}, interval(shown))] : "–", value ? value.siiq : undefined),
          num(value ? signed(off.size ? value.siiq - published.siiq : 0, 1) : "–"));
      };
      const areas = AREAS.filter(x => m.areas[x]).map(x => row(word("area." + x), m.areas[x], now && now.areas[x]));
      return table("recompute", word("recompute.caption"), head, [[row(word("recompute.row"), m, now)].concat(areas)], "scale-table");
    }

    show();
    const agrees = say("recompute.agrees", {n: number(kept.total("n"), 0), difference: tiny(kept.largest())});
    place.replaceChildren(h("p", {"class": "agrees", tabindex: "-1", "data-v": String(kept.largest()), "data-differ": String(kept.total("differ"))}, agrees), status, figure,
      h("fieldset", {"class": "switches"}, h("legend", {}, word("recompute.legend")), h("p", {}, word("recompute.lead")), h("ul", {}, lines.map(x => x.line)), again));
    place.querySelector(".agrees").focus();
  }

  // --- all models ------------------------------------------------------------------------------------------------------

  function audit(place, index) {
    const kept = ledger(), begun = performance.now();
    const found = index.models.map(m => compareModel(index, m, kept)), others = found.filter(x => x && x.ranked);
    index.models.forEach((m, i) => { if (found[i]) compareRank(m, found[i], others, kept); });
    const time = performance.now() - begun, text = key => word("all." + key);
    const head = [th(text("kind")), th(text("numbers"), "n"), th(text("largest"), "n"), th(text("differ"), "n"), th(text("where"))];
    const rows = [...kept.kinds].map(([kind, x]) => h("tr", {}, rowhead(text(kind)), num(number(x.n, 0), x.n), num(x.largest || !["shown", "coverage", "ranks"].includes(kind) ? tiny(x.largest) : "–", x.largest),
      num(number(x.differ, 0), x.differ), h("td", {"class": "keep"}, x.where ? h("a", {href: "models/" + x.where.slug + ".html"}, bdi(x.where.name)) : "–")));
    const said = say("all.done", {models: number(index.models.length, 0), n: number(kept.total("n"), 0), time: number(Math.max(1, time), 0), difference: tiny(kept.largest()), other: number(kept.total("differ"), 0)});
    place.querySelector("[role=status]").replaceChildren(...said);
    place.querySelector(".audit").replaceChildren(table("recomputed", text("caption"), head, [rows]));
  }

  // --- buttons ---------------------------------------------------------------------------------------------------------

  function begin(place, label, work) {
    const button = h("button", {type: "button", "class": "action"}, word(label)), status = h("p", {role: "status"});
    place.classList.add("recompute");
    place.replaceChildren(button, status, h("div", {"class": "audit"}));
    button.addEventListener("click", function () {
      status.textContent = word("reading");
      load().then(work).catch(function (error) {
        status.textContent = word("failed");
        throw error;
      });
    });
  }

  const one = document.getElementById("recompute"), every = document.getElementById("recompute-all");
  if (one) begin(one, "recompute.button", index => workbench(one, index, one.dataset.slug));
  if (every) begin(every, "all.button", index => audit(every, index));
})(window.SIIQ);
