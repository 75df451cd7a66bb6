// R1–R7 of the value method in the browser: which of the variants that may answer are the cheap, the everyday and the best
// answer, once a reader's filters are known. The same as siiq_core/siblings/value/answers.py and state.py (Filters); a test
// holds both to the same answers in every state of the switches. Scores and costs come from the build and are never computed here.
(function (SIIQ) {
  "use strict";
  const TINY = 1e-9;  // points above the line that are none
  const byCost = (a, b) => a.cost - b.cost || b.quality - a.quality || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const byQuality = (a, b) => b.quality - a.quality || a.cost - b.cost || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

  // R7
  function admits(filters, variant) {
    return (!filters.open || variant.open_weights) && (!filters.developer || variant.developer.split(", ").includes(filters.developer))
      && (variant.context || 0) >= (filters.context || 0) && (filters.cost === null || filters.cost === undefined || variant.cost <= filters.cost);
  }

  // R1
  function frontier(entrants) {
    const kept = [];
    for (const e of [...entrants].sort(byCost)) {
      const last = kept[kept.length - 1];
      if (!last || e.quality > last.quality || (e.cost === last.cost && e.quality === last.quality)) kept.push(e);
    }
    return kept;
  }

  // ⌈share · N⌉ in whole numbers
  function cheapest(number, share) { return Math.floor((Math.round(share * 1e6) * number + 999999) / 1e6); }

  function height(e, first, last) {
    const share = (Math.log(e.cost) - Math.log(first.cost)) / (Math.log(last.cost) - Math.log(first.cost));
    return e.quality - (first.quality + share * (last.quality - first.quality));
  }

  const none = (reason, numbers) => Object.assign({variant: null, reason: reason, repeats: null}, numbers);
  const below = (floor, quality) => none("below_floor", {floor: floor, quality: quality, short: floor - quality});
  const given = (e, repeats) => ({variant: e.id, reason: null, repeats: repeats});

  // entrants: {id, quality, low, high, cost}; low and high are the quality itself where there is no interval
  function answers(entrants, p, nobody) {
    if (!entrants.length) return {leader: null, frontier: [], cheap: none(nobody), everyday: none(nobody), best: none(nobody)};
    const leader = [...entrants].sort(byQuality)[0], front = frontier(entrants);
    const best = front.filter(e => e.high >= leader.low).sort(byCost)[0];  // R2
    const pick = front.slice(0, cheapest(front.length, p.cheap_share)).sort(byQuality)[0], floor = p.floors.cheap * leader.quality;  // R3
    let cheap = null, told = null;
    if (pick.quality < floor) told = below(floor, pick.quality);
    else {
      cheap = pick.cost > best.cost || pick.id === best.id ? best : pick;
      told = given(cheap, cheap === best ? "best" : null);
    }
    return {leader: leader.id, frontier: front.map(e => e.id), cheap: told, everyday: everyday(front, leader, cheap, best, p), best: given(best, null)};
  }

  // R4
  function everyday(front, leader, cheap, best, p) {
    const points = front.filter((e, i) => !i || e.cost !== front[i - 1].cost || e.quality !== front[i - 1].quality).length;
    if (points < p.min_trade_offs) return none("few_trade_offs", {points: points, needed: p.min_trade_offs});
    const floor = p.floors.everyday * leader.quality, first = front[0], last = front[front.length - 1];
    const middle = front.filter(e => (!cheap || e.cost >= cheap.cost) && e.cost <= best.cost).map(e => ({e: e, height: height(e, first, last)}));
    const top = own => { const most = Math.max(...own.map(x => x.height)); return own.find(x => x.height >= most - TINY); };
    const knee = top(middle), fit = middle.filter(x => x.e.quality >= floor && x.height > TINY);
    if (knee.height <= TINY) return none("no_knee");
    if (!fit.length) return below(floor, knee.e.quality);
    const chosen = top(fit);
    return Object.assign(given(chosen.e, cheap && chosen.e.id === cheap.id ? "cheap" : chosen.e.id === best.id ? "best" : null), {height: chosen.height});
  }

  // A state as the build wrote it → variants with scores and costs, by place in the list of all.
  function opened(all, state) {
    const kinds = {m: "measured", e: "estimated", n: "none"};
    return new Map(state.variants.map(function (row) {
      const [place, k, families, quality, low, high, cost, kind] = row;
      return [place, Object.assign({}, all.variants[place], {place, k, families, quality, low, high, cost, kind: kinds[kind], cost_low: row.length > 8 ? row[8] : cost,
                                                              cost_high: row.length > 8 ? row[9] : cost})];
    }));
  }

  // Everything a page shows of a state under a minimum and filters.
  function look(all, state, minimum, filters) {
    const variants = opened(all, state), competing = state.competing[minimum].map(place => variants.get(place));
    const admitted = competing.filter(v => admits(filters, v));
    const entrants = admitted.map(v => Object.assign({}, v, {low: v.low === null ? v.quality : v.low, high: v.high === null ? v.quality : v.high}));
    return {variants, competing, admitted, found: answers(entrants, all.parameters, state.nobody[minimum])};
  }

  SIIQ.value = {admits, frontier, cheapest, height, answers, opened, look, byQuality};
})(window.SIIQ);
