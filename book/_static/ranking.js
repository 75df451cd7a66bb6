// The ranking: search, filters, sort, rows that open. The state stands in the address (ranking.html#q=…&sort=-released), which
// also works from a disk. Without this file the page is two plain tables.
(function (SIIQ) {
  "use strict";
  const form = document.getElementById("ranking-tools");
  if (!form) return;
  const {word, say, number, percent, span, plain, h, bdi, scaleOf, marks, load, readState, writeState} = SIIQ.page;
  const AREAS = ["knowledge", "math", "reasoning", "coding", "agents"], order = new Intl.Collator(SIIQ.lang, {numeric: true, sensitivity: "base"});
  const FIELDS = ["q", "developer", "access", "area", "standing"];
  const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const developers = row => row.dataset.developer.split(", ").filter(x => x);
  let sorting = "";  // "", "rank", "-released" …

  // --- the tables as they stand ----------------------------------------------------------------------------------------

  const tables = [...document.querySelectorAll("table.sortable")].map(function (element) {
    const bodies = [...element.tBodies], headers = [...element.querySelectorAll("th[data-sort]")];
    const rows = bodies.flatMap(body => [...body.querySelectorAll("tr[data-slug]")].map(row => ({row, body, band: body.querySelector(".band"),
      text: fold(row.querySelector("th").textContent), name: row.querySelector("th bdi").textContent, more: null})));
    const nothing = h("tbody", {hidden: ""}, h("tr", {}, h("td", {"class": "nothing", colspan: String(element.tHead.rows[0].cells.length)}, word("tools.nothing"))));
    const together = h("tbody", {hidden: ""});  // rows in another order than that of the page
    element.append(together, nothing);
    headers.forEach(header => sorter(header));
    rows.forEach(item => opener(item, element.tHead.rows[0].cells.length));
    element.classList.add("opens");
    return {element, rows, bodies, headers, nothing, together, caption: element.caption.textContent, ranked: element.id === "t-ranking"};
  });
  const all = tables.flatMap(t => t.rows);

  function sorter(header) {
    const below = header.querySelector(".below"), button = h("button", {type: "button", "class": "sorter"});
    button.append(...[...header.childNodes].filter(x => x !== below));
    if (header.dataset.sort === "width") button.append(h("span", {"class": "hidden"}, " (" + word("by_width") + ")"));
    header.prepend(button);
    button.addEventListener("click", function () {
      const key = header.dataset.sort, up = key, down = "-" + key, now = header.getAttribute("aria-sort");
      const next = now ? (now === "ascending" ? down : up) : (header.dataset.first === "1" ? up : down);
      sorting = next === (key === "rank" ? "rank" : null) ? "" : next;
      changed();
    });
  }

  // --- filters and order -----------------------------------------------------------------------------------------------

  function fits(item, ranked, wanted) {
    const data = item.row.dataset;
    return wanted.words.every(x => item.text.includes(x)) && (!wanted.developer || developers(item.row).includes(wanted.developer))
      && (!wanted.access || data.access === wanted.access) && (!wanted.area || data.areas.split(" ").includes(wanted.area))
      && (!wanted.standing || (wanted.standing === "ranked") === ranked);
  }

  function values(item, column, key) {
    if (key === "name") return [item.name];
    const numbers = (item.row.cells[column].dataset.v || "").split(" ").filter(x => x);
    if (key === "released") return numbers;
    return key === "width" ? [numbers[1] - numbers[0]] : numbers.map(Number);
  }

  function compare(x, y) {
    for (let k = 0; k < x.length; k++) {
      const way = typeof x[k] === "number" ? x[k] - y[k] : order.compare(x[k], y[k]);
      if (way) return way;
    }
    return 0;
  }

  function arrange(table) {
    const key = sorting.replace("-", "") || (table.ranked ? "rank" : "name"), way = sorting[0] === "-" ? -1 : 1;
    const header = table.headers.find(x => x.dataset.sort === key);
    const natural = !header || (table.ranked ? key === "rank" && way === 1 : !sorting);
    table.headers.forEach(x => x.removeAttribute("aria-sort"));
    const shown = header || table.headers.find(x => x.dataset.sort === (table.ranked ? "rank" : "name"));
    // Without ranks the page's own order is by name within each reason.
    shown.setAttribute("aria-sort", natural && table.bodies.length > 1 && !table.ranked ? "other" : header && way < 0 ? "descending" : "ascending");
    table.together.hidden = natural;
    const put = (item, body) => body.append(...(item.more ? [item.row, item.more] : [item.row]));
    if (natural) {
      table.rows.forEach(item => put(item, item.body));
      return;
    }
    const column = header.cellIndex, known = table.rows.map(item => [item, values(item, column, key)]);
    const [those, unknown] = [known.filter(x => x[1].length), known.filter(x => !x[1].length)];
    those.sort((x, y) => way * compare(x[1], y[1]));  // stable: what is equal stays as the page has it
    those.concat(unknown).forEach(x => put(x[0], table.together));
  }

  function apply() {
    const wanted = Object.fromEntries(FIELDS.map(name => [name, form.elements[name].value]));
    wanted.words = fold(wanted.q).split(/\s+/).filter(x => x);
    let shown = 0;
    for (const table of tables) {
      arrange(table);
      let own = 0;
      for (const item of table.rows) {
        const fit = fits(item, table.ranked, wanted);
        item.row.hidden = !fit;
        if (item.more) item.more.hidden = !fit || item.button.getAttribute("aria-expanded") !== "true";
        own += fit;
      }
      for (const body of table.bodies) body.hidden = !body.querySelector("tr[data-slug]:not([hidden])");
      table.nothing.hidden = own > 0;
      const altered = own < table.rows.length || !table.together.hidden;
      table.element.caption.replaceChildren(...altered ? say("tools.count", {n: number(own, 0), all: number(table.rows.length, 0)}) : [table.caption]);
      shown += own;
    }
    form.querySelector(".count").replaceChildren(...say("tools.count", {n: number(shown, 0), all: number(all.length, 0)}));
  }

  function changed() {
    writeState(Object.assign(Object.fromEntries(FIELDS.map(name => [name, form.elements[name].value])), {sort: sorting}));
    apply();
  }

  function fromAddress() {
    const state = readState(), sort = state.get("sort") || "";
    for (const name of FIELDS) {
      form.elements[name].value = state.get(name) || "";
      if (form.elements[name].selectedIndex === -1) form.elements[name].value = "";  // no such choice
    }
    sorting = tables.some(t => t.headers.some(x => x.dataset.sort === sort.replace("-", ""))) ? sort : "";
    apply();
    const named = all.find(item => "#" + item.row.id === location.hash);
    if (named) open(named, true);
  }

  // --- rows that open --------------------------------------------------------------------------------------------------

  function opener(item, columns) {
    const id = "more-" + item.row.dataset.slug, label = say("row.open", {name: item.name}).join("");
    item.columns = columns;
    item.button = h("button", {type: "button", "class": "opener", "aria-expanded": "false", "aria-controls": null, "aria-label": label});
    item.button.dataset.more = id;
    item.row.querySelector("th").prepend(item.button);
    item.button.addEventListener("click", () => open(item, item.button.getAttribute("aria-expanded") !== "true"));
  }

  function open(item, yes) {
    item.button.setAttribute("aria-expanded", String(yes));
    if (yes && !item.more) {
      const cell = h("td", {colspan: String(item.columns)}, h("p", {role: "status"}, word("reading")));
      item.more = h("tr", {"class": "more", id: item.button.dataset.more}, cell);
      item.row.after(item.more);
      item.button.setAttribute("aria-controls", item.more.id);
      load().then(index => cell.replaceChildren(inside(index, item.row.dataset.slug)), () => cell.replaceChildren(h("p", {}, word("failed"))));
    }
    if (item.more) item.more.hidden = !yes || item.row.hidden;
  }

  function inside(index, slug) {
    const m = index.models.find(x => x.slug === slug), own = AREAS.filter(area => m.areas[area]);
    const scale = scaleOf(index, [m].concat(own.map(area => m.areas[area])));
    const area = name => h("li", {}, h("span", {}, word("area." + name)), marks(scale, m.areas[name], "small", m),
      h("span", {"class": "n"}, h("strong", {}, m.areas[name].shown.siiq), " ", span(m.areas[name].shown.low, m.areas[name].shown.high)));
    const found = SIIQ.method.score(m.results, index);
    const heaviest = found.terms.slice().sort((x, y) => y.information - x.information).slice(0, 3).map(t => h("li", {},
      h("a", {href: "benchmarks/" + t.benchmark + ".html"}, bdi(t.bench.name)), " ", h("strong", {}, percent(t.result.score, 1)), " ",
      h("span", {"class": "quiet"}, say("row.share", {share: percent(t.information / found.d, 1)}))));
    const others = index.models.filter(x => x.ranked && x.slug !== slug).sort((x, y) => x.rank - y.rank);
    const next = others.find(x => m.ranked && x.rank > m.rank) || (m.ranked ? others[others.length - 1] : others[0]);
    const link = (href, text) => h("a", {href}, text);
    return h("div", {"class": "inside"},
      h("div", {}, h("p", {"class": "title"}, word("row.areas")), own.length ? h("ul", {"class": "areas"}, own.map(area)) : h("p", {}, word("row.no_areas"))),
      h("div", {}, h("p", {"class": "title"}, word("row.heaviest")), h("ol", {}, heaviest), h("p", {"class": "links"}, link("models/" + slug + ".html", word("row.page")),
        next ? [" · ", link("compare.html#" + new URLSearchParams({a: slug, b: next.slug}), say("row.compare", {name: bdi(next.name)}))] : null)));
  }

  // --- the form --------------------------------------------------------------------------------------------------------

  const names = [...new Set(all.flatMap(item => developers(item.row)))].sort(order.compare);
  form.elements.developer.append(...names.map(name => h("option", {value: name}, plain(name))));
  form.addEventListener("input", changed);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(function () {
    sorting = "";
    changed();
  }));
  window.addEventListener("hashchange", fromAddress);
  form.hidden = false;
  fromAddress();
})(window.SIIQ);
