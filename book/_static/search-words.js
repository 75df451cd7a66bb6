// What Sphinx's search needs of us, between searchtools.js and the index.
(() => {
  // Its words, in the page's language. A page holds no script of its own (its policy forbids it), so they come
  // as data; Documentation.addTranslations would compile a text, which the policy forbids too.
  const words = JSON.parse(document.getElementById("search-words").textContent);
  Object.assign(Documentation.TRANSLATIONS, words.messages);
  Documentation.LOCALE = words.locale;

  // It writes what it finds as HTML: titles of pages come to it escaped, those of headings, names among them, do not.
  const take = Search.setIndex, marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;"};
  const escaped = text => text.replace(/[&<>]/g, mark => marks[mark]);
  Search.setIndex = index => take({...index, alltitles: Object.fromEntries(Object.entries(index.alltitles).map(([title, places]) => [escaped(title), places]))});
})();
