// The words of the search, in the page's language. A page holds no script of its own (its policy forbids it), so they come
// as data; Documentation.addTranslations would compile a text, which the policy forbids too.
(() => {
  const words = JSON.parse(document.getElementById("search-words").textContent);
  Object.assign(Documentation.TRANSLATIONS, words.messages);
  Documentation.LOCALE = words.locale;
})();
