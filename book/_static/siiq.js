// Light, dark, or as the system has it. The choice is kept in this browser; without a script the system decides.
(function () {
  "use strict";
  var root = document.documentElement, modes = ["auto", "light", "dark"], mode = "auto";
  try { mode = localStorage.getItem("siiq-theme") || "auto"; } catch (e) { /* storage may be forbidden */ }
  if (modes.indexOf(mode) < 0) mode = "auto";
  function apply() { if (mode === "auto") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", mode); }
  apply();
  document.addEventListener("DOMContentLoaded", function () {
    var button = document.querySelector("button.theme"), menu = document.querySelector("details.menu");
    if (!button) return;  // the page above the languages has none
    function name() { button.lastElementChild.textContent = button.title = button.getAttribute("data-" + mode); }
    button.hidden = false;
    name();
    button.addEventListener("click", function () {
      mode = modes[(modes.indexOf(mode) + 1) % modes.length];
      try { localStorage.setItem("siiq-theme", mode); } catch (e) { /* kept for this page only */ }
      apply();
      name();
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && menu.open) { menu.open = false; menu.firstElementChild.focus(); }
    });
  });
})();
