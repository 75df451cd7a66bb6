// What the scripts of the book share: words and numbers as the language writes them, elements, the scale, the address.
// Whatever comes from the data becomes text or an attribute, never markup.
(function (SIIQ) {
  "use strict";
  const up = document.currentScript.dataset.up, SVG = "http://www.w3.org/2000/svg", method = SIIQ.method, format = SIIQ.numbers;

  // --- words and numbers ---------------------------------------------------------------------------------------------

  function word(key) {
    if (!(key in SIIQ.words)) throw new Error("no words for " + key);
    return SIIQ.words[key];
  }

  // A text whose {slots} are filled with texts or elements: an array to append.
  function say(key, values) {
    return word(key).split(/(\{\w+\})/).filter(x => x).map(x => /^\{\w+\}$/.test(x) ? values[x.slice(1, -1)] : x);
  }

  // "x_one" or "x_many"
  function count(key, n, values) { return say(key + (n === 1 ? "_one" : "_many"), Object.assign({n: number(n, 0)}, values)); }

  // Digits with a point → as the language writes them.
  function written(text) {
    const parts = text.replace("-", "").split(".");
    const whole = Number(parts[0]) >= format.groupFrom ? parts[0].replace(/\B(?=(\d{3})+$)/g, format.group) : parts[0];
    return (text[0] === "-" ? "−" : "") + whole + (parts[1] ? format.decimal + parts[1] : "");
  }

  function number(value, places) { return written(method.rounded(value, places)); }
  function signed(value, places) { return (Number(method.rounded(value, places)) > 0 ? "+" : "") + number(value, places); }
  function percent(share, places) { return format.percent.replace("{n}", written(method.percent(share, places))); }

  // A very small number, such as 4.9·10⁻¹⁰.
  function tiny(value) {
    if (value === 0 || value >= 0.001) return number(value, value === 0 ? 0 : 4);
    const parts = value.toExponential(1).split("e"), raised = parts[1].replace("-", "⁻").replace(/\d/g, d => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
    return parts[0].replace(".", format.decimal) + "·10" + raised;
  }

  function span(low, high) {
    low = low.replace("-", "−");
    high = high.replace("-", "−");
    return low + ((low + high).includes("−") ? " … " : "–") + high;
  }

  // Foreign text on one line, without characters that are not seen.
  function plain(text) { return String(text).replace(/[\p{C}\p{Z}]+/gu, " ").trim(); }

  // --- elements ------------------------------------------------------------------------------------------------------

  function fill(node, attributes, children) {
    for (const name in attributes) if (attributes[name] !== null) node.setAttribute(name, attributes[name]);
    node.append.apply(node, children.flat(2).filter(x => x !== null));
    return node;
  }

  function h(tag, attributes) { return fill(document.createElement(tag), attributes, [].slice.call(arguments, 2)); }
  function svg(tag, attributes) { return fill(document.createElementNS(SVG, tag), attributes, [].slice.call(arguments, 2)); }
  function bdi(text) { return h("bdi", {}, plain(text)); }
  function num(shown, value) { return h("td", {"class": "n", "data-v": value === undefined ? null : String(value)}, shown); }

  function table(id, caption, head, bodies, kind, foot) {
    return h("div", {"class": "box", role: "region", "aria-labelledby": id + "-caption", tabindex: "0"},
      h("table", {"class": ("data " + (kind || "")).trim(), id: "t-" + id}, h("caption", {id: id + "-caption"}, caption),
        h("thead", {}, h("tr", {}, head)), bodies.map(rows => h("tbody", {}, rows)), foot ? h("tfoot", {}, foot) : null));
  }

  function th(label, kind, below) {
    return h("th", {scope: "col", "class": kind || null}, label, below ? h("span", {"class": "below"}, below) : null);
  }

  function rowhead(label, below) { return h("th", {scope: "row"}, label, below ? h("span", {"class": "below"}, below) : null); }

  // --- the scale (the same marks as siiq_core/publish/figures.py) ----------------------------------------------------

  // The axis of all pages, longer where `more` scores need it.
  function scaleOf(index, more) {
    const members = new Set(index.reference_group.members), mean = index.constants.mean;
    const reference = index.models.filter(m => members.has(m.slug)).map(m => m.siiq).sort((a, b) => a - b);
    const ranked = index.models.filter(m => m.ranked), points = [mean].concat(reference, ranked.map(m => m.low), ranked.map(m => m.high));
    const least = Math.min.apply(null, points), most = Math.max.apply(null, points);
    let low = Math.floor(least / 10) * 10, high = Math.ceil(most / 10) * 10;
    if (low === least) low -= 10;
    if (high === most) high += 10;
    for (const x of more || []) {
      low = Math.min(low, 10 * Math.floor(x.low / 10));
      high = Math.max(high, 10 * Math.ceil(x.high / 10));
    }
    return {low: low, high: high, mean: mean, reference: reference, x: p => Math.min(100, Math.max(0, 100 * (p - low) / (high - low))).toFixed(2) + "%"};
  }

  const QUIET = {"aria-hidden": "true", focusable: "false"};
  function across(kind, from, to) { return svg("line", {"class": kind, x1: from, x2: to, y1: "50%", y2: "50%"}); }

  // Bar and dot of a score; a ghost is another interval behind it.
  function marks(scale, score, kind, ghost) {
    const centre = scale.x(scale.mean);
    return svg("svg", Object.assign({"class": "scale" + (kind ? " " + kind : "")}, QUIET),
      svg("line", {"class": "centre", x1: centre, x2: centre, y1: "0", y2: "100%"}),
      ghost ? across("ghost-bar", scale.x(ghost.low), scale.x(ghost.high)) : null,
      score ? [across("bar", scale.x(score.low), scale.x(score.high)), svg("circle", {"class": "dot", cx: scale.x(score.siiq), cy: "50%", r: "4"})] : null);
  }

  function axis(scale) {
    const out = scale.reference.map(r => svg("line", {"class": "ref", x1: scale.x(r), x2: scale.x(r), y1: "1", y2: "11"}));
    for (let value = Math.ceil(scale.low / 20) * 20; value <= scale.high; value += 20) {
      const x = scale.x(value), at = parseFloat(x), mark = value === scale.mean ? " mean" : "";
      out.push(svg("line", {"class": "grid" + mark, x1: x, x2: x, y1: "13", y2: "18"}),
        svg("text", {"class": "label" + mark, x: x, y: "31", "text-anchor": at < 4 ? "start" : at > 96 ? "end" : "middle"}, String(value)));
    }
    return svg("svg", Object.assign({"class": "scale axis"}, QUIET), out);
  }

  // --- data and address ----------------------------------------------------------------------------------------------

  let loading = null;
  // The published index, from the script file beside index.json: files opened from a disk may not fetch.
  function load() {
    loading = loading || new Promise(function (done, failed) {
      const script = h("script", {src: up + "data/index.js"});
      script.onload = () => window.SIIQ_INDEX ? done(window.SIIQ_INDEX) : failed(new Error("no index"));
      script.onerror = () => failed(new Error("no index"));
      document.head.append(script);
    });
    loading.catch(() => { loading = null; });
    return loading;
  }

  // The state of a page stands behind the "#" of its address, as name=value; a plain name there is a place on the page.
  function readState() { return new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : ""); }

  function writeState(values) {
    const kept = new URLSearchParams(Object.entries(values).filter(pair => pair[1]));
    history.replaceState(null, "", location.href.split("#")[0] + (kept.toString() ? "#" + kept : ""));
  }

  SIIQ.page = {up, word, say, count, number, signed, percent, tiny, span, plain, h, svg, bdi, num, table, th, rowhead, scaleOf, marks, axis, load, readState, writeState};
})(window.SIIQ);
