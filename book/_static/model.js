// A model's page: an address inside a fold opens it, the calculation prints unfolded, the citation can be copied.
(function () {
  "use strict";
  function place() {
    try { return decodeURIComponent(location.hash.slice(1)); } catch (error) { return ""; }  // a stray % names no place
  }

  function reveal() {
    var target = document.getElementById(place());
    for (var fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target && target.closest("details")) target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();

  var whole = document.querySelector("details.whole"), opened = false;
  window.addEventListener("beforeprint", function () { opened = !whole.open; whole.open = true; });
  window.addEventListener("afterprint", function () { if (opened) whole.open = false; });

  function copied(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    var field = document.createElement("textarea");  // pages opened from a disk have no clipboard of their own in some browsers
    field.value = text;
    document.body.appendChild(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    return Promise.resolve();
  }
  document.querySelectorAll("button.copy").forEach(function (button) {
    var name = button.textContent;
    button.hidden = false;
    button.addEventListener("click", function () {
      copied(document.getElementById(button.dataset.copies).textContent.trim()).then(function () {
        button.textContent = button.dataset.done;
        setTimeout(function () { button.textContent = name; }, 2000);
      });
    });
  });
})();
