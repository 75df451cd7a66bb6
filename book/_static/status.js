// The status page as of the last run: pages are made when something is published, data/status.js every hour. Without either
// file the page stays as it was made. Whatever comes from the data becomes text.
(function (SIIQ) {
  "use strict";
  const line = document.getElementById("status-live");
  if (!line) return;
  const {up, say, number, h} = SIIQ.page, dates = SIIQ.dates;

  // 2026-09-01T06:00:00Z → as the language writes it
  function moment(at) {
    const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d):\d\dZ$/.exec(at || "");
    if (!found) return "–";
    const parts = {"{d}": String(Number(found[3])), "{m}": dates.months[Number(found[2]) - 1], "{y}": found[1]};
    return h("time", {datetime: at}, dates.day.replace(/\{[dmy]\}/g, x => parts[x]) + ", " + found[4] + " UTC");
  }

  function source(x) {
    const row = document.getElementById("s-" + x.id), cell = name => row && row.querySelector('[data-live="' + name + '"]');
    if (!cell("state")) return;
    for (const name of ["last_check", "last_success"]) cell(name).replaceChildren(moment(x[name]));
    const now = x.failure ? x.failure.since : "", state = cell("state");
    if (now === state.dataset.failed) return;  // the page says it already, and at more length
    state.dataset.failed = now;
    state.replaceChildren(...(x.failure ? say("live.failed", {since: moment(now), rule: x.failure.rule}) : say("live.read", {})));
  }

  function show(status) {
    if (!status.gate.runs || status.generated_at <= line.dataset.at) return;
    status.sources.forEach(source);
    const counts = {at: moment(status.generated_at), held: number(status.held.length, 0), frozen: number(status.frozen.length, 0), refused: number(status.refused.length, 0)};
    const stopped = status.publication.state === "stopped" ? say("live.stopped", {since: moment(status.publication.since)}) : say("live.published", {at: moment(status.published_at)});
    line.replaceChildren(...say("live.now", counts), " ", ...stopped);
    line.hidden = false;
  }

  const script = h("script", {src: up + "data/status.js"});
  script.onload = () => { if (window.SIIQ_STATUS) show(window.SIIQ_STATUS); };
  document.head.append(script);
})(window.SIIQ);
