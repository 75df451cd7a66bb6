// The switches of the value page. The state stands in the address (value.html#sources=deepswe,weirdml&min=1&open=1), which also
// works from a disk: each set of sources is a small script file that is loaded when it is first asked for.
(function (SIIQ) {
  "use strict";
  const form = document.getElementById("value-tools");
  if (!form) return;
  const {up, h, readState, writeState} = SIIQ.page, show = SIIQ.valuePage, fields = form.elements, folder = up + "assets/value/";
  const switches = [...form.querySelectorAll("[name=source]")], standard = switches.filter(x => x.defaultChecked).map(x => x.value);
  const complaint = h("p", {"class": "note", role: "status"});
  let turn = 0;

  function script(name) {
    return new Promise(function (done, failed) {
      const one = h("script", {src: folder + name});
      one.onload = done;
      one.onerror = () => failed(new Error("no " + name));
      document.head.append(one);
    });
  }

  const once = new Map();
  function load(name) {
    if (!once.has(name)) once.set(name, script(name).catch(error => { once.delete(name); throw error; }));
    return once.get(name);
  }

  function chosen() {
    const cost = fields.cost.value.trim() === "" ? null : Number(fields.cost.value);
    return {mask: switches.reduce((sum, x, i) => sum + (x.checked ? 1 << i : 0), 0), minimum: fields.min.checked ? 1 : 2,
            filters: {open: fields.open.checked, developer: fields.developer.value, context: Number(fields.context.value) || 0, cost: cost !== null && cost >= 0 ? cost : null}};
  }

  function put(id, content) { document.getElementById(id).replaceChildren(...[content].flat(Infinity)); }

  async function draw() {
    const mine = ++turn, want = chosen(), f = want.filters;
    complaint.remove();
    if (!want.mask) return complain("no_source");
    try {
      await Promise.all([load("all.js"), load(want.mask + ".js")]);
    } catch (error) {
      return mine === turn ? complain("failed") : undefined;
    }
    if (mine !== turn) return;  // the reader was quicker
    const all = window.SIIQ_VALUE, state = window.SIIQ_VALUE_STATES[want.mask];
    const of = {all, state, minimum: want.minimum, filtered: f.open || f.developer !== "" || f.context > 0 || f.cost !== null, look: SIIQ.value.look(all, state, want.minimum, f)};
    put("value-answers", show.cards(of));
    put("value-plot", show.drawn(of));
    document.querySelector("#figure-value .finding").replaceChildren(...show.title(of));
    put("value-table", show.answering(of));
    put("value-waiting", show.waiting(of));
    put("value-rests", show.rests(of));
    form.dataset.shown = want.mask + " " + want.minimum;
  }

  function complain(key) {
    complaint.replaceChildren(show.text(key));
    form.after(complaint);
  }

  function changed() {
    const on = switches.filter(x => x.checked).map(x => x.value), same = on.length === standard.length && on.every(x => standard.includes(x));
    writeState({sources: same ? "" : on.join(",") || "none", min: fields.min.checked ? "1" : "", open: fields.open.checked ? "1" : "", developer: fields.developer.value,
                context: fields.context.value, cost: fields.cost.value});
    draw();
  }

  function fromAddress() {
    const state = readState(), sources = state.get("sources"), on = sources === null ? standard : sources.split(",");
    for (const x of switches) x.checked = on.includes(x.value);
    fields.min.checked = state.get("min") === "1";
    fields.open.checked = state.get("open") === "1";
    for (const name of ["developer", "context"]) {
      fields[name].value = state.get(name) || "";
      if (fields[name].selectedIndex === -1) fields[name].value = "";  // no such choice
    }
    fields.cost.value = state.get("cost") || "";
  }

  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("change", changed);
  form.addEventListener("reset", () => setTimeout(changed, 0));  // after the fields are as the page has them
  document.getElementById("value-waiting").addEventListener("click", function (event) {
    if (!event.target.closest("#value-lower")) return;
    event.preventDefault();  // the rest of the state stays
    fields.min.checked = true;
    changed();
  });
  window.addEventListener("hashchange", function () {
    if (location.hash && !location.hash.includes("=")) return;  // a place on the page
    fromAddress();
    draw();
  });
  fromAddress();
  form.hidden = false;
  if ([...readState().keys()].length) draw();
})(window.SIIQ);
