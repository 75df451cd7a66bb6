// What the value page shows of a state: the same marks as siiq_core/publish/value/ makes for the default one (a test compares).
(function (SIIQ) {
  "use strict";
  const page = SIIQ.page;
  if (!document.getElementById("value-tools")) return;
  Object.assign(SIIQ.words, JSON.parse(document.getElementById("value-words").textContent));
  const {number, percent, span, h, svg, bdi, num, table, th, rowhead} = page, NAMES = ["cheap", "everyday", "best"], ROOM = 1.25, GRID = 20, TIES = 3;
  const tell = (key, values) => page.say("value." + key, values || {}).flat(Infinity), text = key => page.word("value." + key);
  const some = (key, n, values) => tell(key + (n === 1 ? "_one" : "_many"), Object.assign({n: number(n, 0)}, values));
  const points = value => number(value, 1), amount = value => number(value, Math.max(0, 2 - Math.floor(Math.log10(value))));
  const dollars = value => tell("dollars", {n: amount(value)}), times = value => number(value, value >= 1.95 ? 1 : 2);
  const interval = v => v.low === null ? "–" : span(points(v.low), points(v.high));
  const setting = v => ["default", "unknown"].includes(v.setting) ? text("setting." + v.setting) : bdi(v.setting);
  const model = v => v.page ? h("a", {href: "models/" + encodeURIComponent(v.model) + ".html"}, bdi(v.name)) : bdi(v.name);
  const name = v => tell("name", {model: bdi(v.name), setting: setting(v)});
  const ranged = v => v.cost_low !== null && v.cost_low !== v.cost_high;
  const joined = (parts, mark) => parts.flatMap((x, i) => i ? [mark, x] : [x]).flat(Infinity);

  // --- cards ---------------------------------------------------------------------------------------------------------

  // of: {all, state, minimum, filtered, look}
  function cards(of) {
    const found = of.look.found, own = new Map(of.look.admitted.map(v => [v.id, v]));
    const picks = NAMES.map(x => found[x].variant).filter(x => x).map(id => own.get(id).model);
    const different = picks.length === 3 ? tell("different." + new Set(picks).size) : tell("different.missing", {n: number(3 - picks.length, 0)});
    const sources = of.all.benchmarks.filter((b, i) => of.state.mask >> i & 1).length;
    const counts = tell("counts", {sources: some("sources_count", sources), variants: some("variants_count", of.look.variants.size)});
    return [h("p", {"class": "lead", role: "status"}, different, " ", h("span", {"class": "quiet"}, counts)),
            h("div", {"class": "answers"}, NAMES.map(x => card(of, x, found[x], own))), h("p", {"class": "warning"}, tell("warning"))];
  }

  function card(of, which, answer, own) {
    const head = [h("p", {"class": "which"}, tell("answer." + which)), h("p", {"class": "what"}, tell("means." + which))];
    if (answer.variant === null)
      return h("section", {"class": "answer missing", "data-answer": which, "data-reason": answer.reason}, head, h("p", {"class": "pick"}, tell("none")), h("p", {}, missing(which, answer)));
    const v = own.get(answer.variant), notes = [answer.repeats ? tell("repeats", {other: text("answer." + answer.repeats)}) : null,
      v.families < 2 ? tell("low_confidence") : null, v.kind === "estimated" ? tell("estimated_note") : null].filter(x => x);
    const lines = [steps(of, v, 1), steps(of, v, -1), tied(of, v), sure(of, which, v)];
    return h("section", {"class": "answer", "data-answer": which, "data-variant": v.id}, head,
      h("p", {"class": "pick"}, model(v), " ", h("span", {"class": "setting"}, setting(v))),
      h("p", {"class": "numbers"}, tell("quality_line", {points: points(v.quality), interval: interval(v)}), h("br", {}), costLine(v)),
      notes.map(x => h("p", {"class": "note"}, x)), h("ul", {}, lines.map(x => h("li", {}, x))));
  }

  function missing(which, a) {
    if (a.reason === "few_trade_offs") return tell("reason.few_trade_offs", {n: number(a.points, 0), needed: number(a.needed, 0)});
    if (a.reason === "below_floor") return tell("reason.below_floor_" + which, {short: points(a.short), floor: points(a.floor), quality: points(a.quality)});
    return tell("reason." + a.reason);
  }

  function costLine(v) {
    if (ranged(v)) return tell("cost_range_line", {cost: dollars(v.cost), low: amount(v.cost_low), high: amount(v.cost_high)});
    return tell(v.kind === "measured" ? "cost_line" : "cost_estimated_line", {cost: dollars(v.cost)});
  }

  function steps(of, v, way) {
    const front = new Set(of.look.found.frontier);
    const other = of.look.admitted.filter(w => front.has(w.id) && (w.cost - v.cost) * way > 0)
      .sort((a, b) => Math.abs(a.cost - v.cost) - Math.abs(b.cost - v.cost) || (a.id < b.id ? -1 : 1))[0];
    const up = way > 0;
    if (!other) return tell(up ? "no_step_up" : "no_step_down");
    return tell(up ? "step_up" : "step_down", {name: name(other), points: points((other.quality - v.quality) * way), times: times(up ? other.cost / v.cost : v.cost / other.cost)});
  }

  function tied(of, v) {
    if (v.low === null) return tell("no_interval");
    const others = of.look.admitted.filter(w => w.id !== v.id && w.low !== null && w.low <= v.high && w.high >= v.low)
      .sort((a, b) => Math.abs(a.quality - v.quality) - Math.abs(b.quality - v.quality) || (a.id < b.id ? -1 : 1));
    if (!others.length) return tell("no_ties");
    const names = joined(others.slice(0, TIES).map(name), "; ");
    return others.length > TIES ? tell("ties_more", {n: number(others.length, 0), names: names}) : some("ties", others.length, {names: names});
  }

  function sure(of, which, v) {
    if (of.filtered) return tell("sure_filtered");
    const shares = of.state.sure[of.minimum][which], mine = shares.find(x => x[0] === v.place);
    const others = shares.filter(x => x[0] !== v.place).slice(0, 2)
      .map(x => tell("sure_other", {name: x[0] === null ? tell("none") : name(of.look.variants.get(x[0])), share: percent(x[1], 0)}));
    const first = tell("sure", {share: percent(mine ? mine[1] : 0, 0), n: number(of.all.parameters.draws, 0)});
    return others.length ? [first, " ", tell("sure_else", {names: joined(others, "; ")})] : first;
  }

  // --- plot (siiq_core/publish/value/plot.py, plots.py) --------------------------------------------------------------

  function drawn(of) {
    const own = [...of.look.admitted].sort(SIIQ.value.byQuality), front = new Set(of.look.found.frontier);
    if (!own.length) return h("p", {}, tell("plot.nothing"));
    const costs = own.map(v => v.cost), least = Math.min(...costs) / ROOM, most = Math.max(...costs) * ROOM, quality = own.map(v => v.quality);
    const bottom = GRID * Math.floor(Math.min(...quality) / GRID), top = Math.max(GRID * Math.ceil(Math.max(...quality) / GRID), bottom + GRID);
    const x = c => (Math.log10(c) - Math.log10(least)) / (Math.log10(most) - Math.log10(least)), y = q => 1 - (q - bottom) / (top - bottom);
    const pc = share => (100 * Math.min(1, Math.max(0, share))).toFixed(2) + "%", marks = [];
    for (let q = bottom; q <= top; q += GRID)
      marks.push(svg("line", {"class": "grid", x1: "0", x2: "100%", y1: pc(y(q)), y2: pc(y(q))}), svg("text", {"class": "label", x: "0", dx: "-7", y: pc(y(q)), dy: "4", "text-anchor": "end"}, number(q, 0)));
    for (let e = Math.floor(Math.log10(least)); e <= Math.ceil(Math.log10(most)); e++)
      for (const m of most / least < 300 ? [1, 2, 5] : [1]) {
        const t = Number(m + "e" + e);
        if (t >= least && t <= most)
          marks.push(svg("line", {"class": "grid", x1: pc(x(t)), x2: pc(x(t)), y1: "100%", y2: "0"}), svg("text", {"class": "label", x: pc(x(t)), y: "100%", dy: "18", "text-anchor": "middle"}, number(t, Math.max(0, -e))));
      }
    const line = own.filter(v => front.has(v.id)).sort((a, b) => a.cost - b.cost || a.quality - b.quality);
    marks.push(svg("svg", {viewBox: "0 0 1000 1000", preserveAspectRatio: "none", width: "100%", height: "100%"}, svg("path", {"class": "curve", "vector-effect": "non-scaling-stroke",
      d: "M" + line.map(v => (1000 * x(v.cost)).toFixed(1) + " " + (1000 * y(v.quality)).toFixed(1)).join("L")})));
    const dot = (v, kind, r) => svg("circle", {"class": kind, cx: pc(x(v.cost)), cy: pc(y(v.quality)), r: r});
    marks.push(own.filter(v => !front.has(v.id)).map(v => dot(v, "dot faint", "3.5")), line.map(v => dot(v, "dot", "3.5")));
    for (const id of new Set(NAMES.map(n => of.look.found[n].variant).filter(n => n))) {
      const v = own.find(w => w.id === id), left = x(v.cost) > 0.5, names = NAMES.filter(n => of.look.found[n].variant === id).map(n => text("answer." + n)).join(", ");
      marks.push(dot(v, "ring", "5.5"), svg("text", {"class": "tag strong", x: pc(x(v.cost)), y: pc(y(v.quality)), dx: left ? "-9" : "9", dy: "-8", "text-anchor": left ? "end" : "start"}, names));
    }
    marks.push(svg("text", {"class": "label title", x: "0", y: "0", dx: "-44", dy: "-12"}, text("plot.quality")),
      svg("text", {"class": "label title", x: "100%", y: "100%", dy: "38", "text-anchor": "end"}, text("plot.cost")));
    return h("div", {"class": "plot"}, svg("svg", {role: "img", "aria-label": text("plot.alternative"), focusable: "false"}, marks));
  }

  const title = of => some("plot.title", of.look.found.frontier.length, {all: number(of.look.admitted.length, 0)});

  // --- tables --------------------------------------------------------------------------------------------------------

  const head = () => [th(tell("column.variant"), "", tell("column.effort")), th(tell("column.quality"), "n", tell("column.points")), th(tell("column.interval"), "n"),
                      th(tell("column.k"), "n"), th(tell("column.cost"), "n", tell("column.index"))];
  const score = v => [num(points(v.quality), v.quality), num(interval(v)), num(number(v.k, 0), v.k)];
  const money = v => v.cost === null ? num("–") : num([amount(v.cost), ranged(v) ? h("span", {"class": "below"}, span(amount(v.cost_low), amount(v.cost_high))) : null], v.cost);
  const warning = () => h("p", {"class": "warning"}, tell("warning"));

  function answering(of) {
    const front = new Set(of.look.found.frontier), own = [...of.look.admitted].sort(SIIQ.value.byQuality);
    const rows = own.map(v => h("tr", {id: "v-" + v.id.split(/\s+/).join("-")}, rowhead(model(v), setting(v)), score(v), money(v),
      h("td", {}, text("kind." + v.kind), v.kind === "estimated" && v.cache_price_missing ? [" ", h("span", {"class": "below"}, text("cache_missing"))] : null), h("td", {}, front.has(v.id) ? text("frontier") : "–")));
    return [table("value", tell("table", {n: number(rows.length, 0)}), [head(), th(tell("column.kind")), th(tell("column.frontier"))], [rows]), warning()];
  }

  function whyNot(of, v) {
    if (of.all.parameters.no_answer.includes(v.setting)) return "setting";
    return v.cost === null ? "cost" : v.families < of.minimum ? "families" : "measured_sibling";
  }

  function waiting(of) {
    const may = new Set(of.look.competing.map(v => v.id));
    const own = [...of.look.variants.values()].filter(v => !may.has(v.id)).sort((a, b) => b.quality - a.quality || (a.id < b.id ? -1 : 1));
    const models = new Map(own.map(v => [v.model, v.open_weights])), open = [...models.values()].filter(x => x).length;
    const lead = tell("waiting.lead", {variants: some("variants_count", own.length), models: some("models_count", models.size), open: number(open, 0), closed: number(models.size - open, 0)});
    const lower = own.some(v => whyNot(of, v) === "families") ? h("a", {id: "value-lower", href: "#min=1"}, tell("waiting.lower")) : null;
    const rows = own.map(v => h("tr", {}, rowhead(model(v), setting(v)), score(v), money(v), h("td", {"class": "wide"}, text("why." + whyNot(of, v)))));
    const folded = document.querySelector("#value-waiting details").open ? "" : null;
    return [h("p", {}, lead, " ", lower), h("details", {"class": "fold list", open: folded}, h("summary", {}, tell("waiting.show")), table("value-waiting", tell("waiting.table", {n: number(rows.length, 0)}), [head(), th(tell("column.why"))], [rows], "quiet")), warning()];
  }

  function rests(of) {
    const s = of.state.shrink, pair = of.state.worst_pair, band = of.state.widest_band, price = of.state.price_factor, byId = new Map([...of.look.variants.values()].map(v => [v.id, v]));
    const bench = id => bdi(of.all.benchmarks.find(b => b.id === id).name), out = Object.entries(of.state.left_out);
    const items = [[tell("rests.anchor"), of.state.anchor ? bench(of.state.anchor) : "–"], [tell("rests.r"), s.r === null ? "–" : number(s.r, 3)], [tell("rests.centre"), s.centre === null ? "–" : points(s.centre)],
      [tell("rests.pair"), pair === null ? "–" : tell("rests.pair_is", {a: bench(pair.a), b: bench(pair.b), n: some("shared", pair.shared), difference: number(Math.abs(pair.difference), 1)})],
      [tell("rests.band"), band === null ? "–" : tell("rests.band_is", {name: name(byId.get(band.variant)), low: points(band.low), high: points(band.high)})],
      [tell("rests.by_k"), Object.keys(s.mean_quality_by_k).length ? joined(Object.entries(s.mean_quality_by_k).map(([k, x]) => some("rests.by_k_is", Number(k), {points: points(x)})), "; ") : "–"],
      [tell("rests.factor"), price.factor === null ? "–" : tell("rests.factor_is", {factor: number(price.factor, 2), n: some("pairs", price.pairs)})],
      ...out.map(([id, reason]) => [bench(id), tell("left_out." + reason)])];
    return h("dl", {"class": "rules"}, items.map(([label, what]) => [h("dt", {}, label), h("dd", {}, what)]));
  }

  SIIQ.valuePage = {cards, drawn, title, answering, waiting, rests, text};
})(window.SIIQ);
