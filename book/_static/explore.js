// The chart of the page explore: draws what the build wrote (siiq_core/publish/explore.py) and passes the form's choices on.
// Everything foreign in it is data of the chart. Without this file the page is a sentence and a table.
(function () {
  "use strict";
  const box = document.getElementById("explore-chart"), form = document.getElementById("explore-tools");
  if (!box || !window.vegaEmbed) return;
  const spec = JSON.parse(document.getElementById("explore-spec").textContent), place = document.createElement("div");
  place.className = "chart";
  box.replaceChildren(place);
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", box.dataset.label);
  let view = null, tapped = "", pressed = null;

  function choices() {
    return {developer: form.elements.developer.value, since: form.elements.since.value, unranked: form.elements.unranked.checked};
  }

  // A tap shows the numbers, a second one on the same dot opens the page; a click opens it at once.
  function open(event, item) {
    const slug = item && item.datum && item.datum.slug;
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4) return;  // the chart was dragged
    if (!slug || item.mark.marktype !== "symbol") { tapped = ""; return; }
    if (event.pointerType === "touch" && tapped !== slug) { tapped = slug; return; }
    location.assign("models/" + encodeURIComponent(slug) + ".html");
  }

  async function draw() {
    if (view) view.finalize();
    // ast: expressions are interpreted, not compiled, which the page's policy forbids. logLevel 1, errors: a choice that leaves no model to draw is none.
    const made = await window.vegaEmbed(place, spec, {mode: "vega-lite", ast: true, logLevel: 1, actions: false, renderer: "svg", defaultStyle: false, tooltip: {disableDefaultStyle: true, theme: "book"}});
    view = made.view;
    // The table is what is read aloud; the drawing is one picture.
    place.removeAttribute("role");
    place.removeAttribute("aria-roledescription");
    place.setAttribute("aria-hidden", "true");
    view.addEventListener("click", open);
    await choose();
  }

  function choose() {
    const chosen = choices();
    for (const name in chosen) view.signal(name, chosen[name]);
    return view.runAsync();
  }

  place.addEventListener("pointerdown", event => { pressed = {x: event.clientX, y: event.clientY}; }, true);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("change", () => { if (view) choose(); });
  form.addEventListener("reset", () => setTimeout(draw, 0));  // after the fields are empty: axes and legend begin again, too
  draw().then(function () {
    form.hidden = false;
    document.querySelector(".explore .hint").hidden = false;
  });
})();
