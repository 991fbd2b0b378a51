var byId = function (id) { return document.getElementById(id); };
var all = function (selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); };
function make(tag, name, text) {
  var node = document.createElement(tag);
  if (name) { node.className = name; }
  if (text !== undefined) { node.textContent = text; }
  return node;
}

// An opened exchange scrolls to its marked field.
all("details.exchange").forEach(function (details) {
  details.addEventListener("toggle", function () {
    all("pre", details).forEach(function (pre) {
      var mark = pre.querySelector("mark");
      if (mark) { pre.scrollTop += mark.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 3; }
    });
  });
});

// The matrix.
var search = byId("search"), verdict = byId("verdict"), level = byId("level"), topic = byId("topic");
var controls = [search, verdict, level, topic];
var rules = all("tr.rule").map(function (row) { return { row: row, text: row.textContent.toLowerCase() }; });
function filter() {
  var words = search.value.toLowerCase().split(/\s+/);
  var group = topic.value, whole = group.slice(-1) === ".";
  var shown = 0;
  rules.forEach(function (rule) {
    var own = rule.row.dataset;
    var fits = (!verdict.value || own.verdict === verdict.value) && (!level.value || own.level.split(" ").indexOf(level.value) >= 0) &&
      (!group || own.topic === group || whole && own.topic.indexOf(group) === 0) &&
      words.every(function (word) { return rule.text.indexOf(word) >= 0; });
    rule.row.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  all(".operation").forEach(function (section) { section.hidden = !section.querySelector("tr.rule:not([hidden])"); });
  byId("matches").textContent = shown + " of " + rules.length + " rules";
}
function reset() {
  controls.forEach(function (control) { control.value = ""; });
  filter();
}
all(".filter").forEach(function (bar) { bar.hidden = false; });
controls.forEach(function (control) { control.addEventListener("input", filter); });
byId("reset").addEventListener("click", reset);
filter();

// Tiles and topics filter the rules.
all("[data-verdict].tile, .topic").forEach(function (link) {
  link.addEventListener("click", function (event) {
    event.preventDefault();
    reset();
    verdict.value = link.dataset.verdict || "";
    topic.value = link.dataset.topic || "";
    filter();
    unfold(byId("filter"));
    byId("filter").scrollIntoView();
    (link.dataset.verdict ? verdict : topic).focus({ preventScroll: true });
  });
});

// A tooltip of one line at the pointer or the focus.
var tip = document.body.appendChild(make("div", "tip"));
tip.hidden = true;
function hint(text, x, y) {
  tip.textContent = text;
  tip.hidden = !text;
  if (!text) { return; }
  var wide = document.documentElement.clientWidth, box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x - box.width / 2, wide - box.width - 4)) + scrollX + "px";
  tip.style.top = (y - box.height - 10 < 0 ? y + 18 : y - box.height - 10) + scrollY + "px";
}

// The dots: one stop for the Tab key, arrow keys from dot to dot.
var dots = all(".map .dots a");
function about(dot) {
  var statement = rules[dots.indexOf(dot)].row.lastElementChild.firstChild.textContent; // the table has the same order
  var box = dot.getBoundingClientRect();
  hint(dot.getAttribute("aria-label") + (statement ? ". " + statement.trim() : ""), box.left + box.width / 2, box.top);
}
if (dots.length) { dots[0].tabIndex = 0; }
dots.forEach(function (dot, i) {
  dot.addEventListener("pointerenter", function () { about(dot); });
  dot.addEventListener("pointerleave", function () { hint(""); });
  dot.addEventListener("focus", function () { about(dot); });
  dot.addEventListener("blur", function () { hint(""); });
  dot.addEventListener("keydown", function (event) {
    var by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    var next = event.key === "Home" ? dots[0] : event.key === "End" ? dots[dots.length - 1] : by && dots[i + by];
    if (!next) { return; }
    event.preventDefault();
    dot.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
});

// Keys.
var cards = all(".card[id]");
var keys = byId("keys"), help = byId("help");
function explain() {
  keys.hidden = !keys.hidden;
  help.setAttribute("aria-expanded", String(!keys.hidden));
}
help.hidden = false;
help.addEventListener("click", explain);
function step(by) {
  var at = cards.indexOf(document.activeElement && document.activeElement.closest(".card"));
  var next = cards[Math.max(0, Math.min(cards.length - 1, at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by))];
  if (next) { reveal(next); }
}
document.addEventListener("keydown", function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey) { return; }
  if (event.key === "Escape" && !tip.hidden) { hint(""); }
  var writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && event.target === search) { reset(); search.blur(); return; }
  if (writing) { return; }
  if (event.key === "/") { event.preventDefault(); unfold(search); search.focus(); search.select(); }
  if (event.key === "?") { explain(); }
  if (event.key === "j") { step(1); }
  if (event.key === "k") { step(-1); }
  if (event.key === "Escape") { reset(); }
});

// On a phone only the section of the violations is open at first.
var folds = all(".fold");
if (matchMedia("(max-width: 40rem)").matches) {
  folds.forEach(function (fold) { fold.open = Boolean(fold.querySelector("#violations")); });
}

// The target of a link is opened, shown and focused, even if it was hidden.
function unfold(node) {
  for (var up = node; up; up = up.parentElement) { if (up.tagName === "DETAILS") { up.open = true; } }
}
function reveal(node) {
  if (node.hidden) { reset(); }
  unfold(node);
  node.scrollIntoView({ block: node.tagName === "TR" ? "center" : "start" });
  if (node.tabIndex === -1) { node.focus({ preventScroll: true }); }
}
all(".exchange.decisive > summary").forEach(function (s) { // open by itself: on paper only where the reader wanted it
  s.addEventListener("click", function () { s.parentNode.classList.add("asked"); });
});
var opened = [];
addEventListener("beforeprint", function () { // paper has the sections, and of what is folded in them what the reader opened
  opened = folds.filter(function (d) { return !d.open; });
  opened.forEach(function (d) { d.open = true; });
});
addEventListener("afterprint", function () { opened.forEach(function (d) { d.open = false; }); });
var log = null;
function follow() {
  var name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch (e) { /* as it is */ }
  var number = /^x-(\d+)$/.exec(name);
  if (number && log) { unfold(byId("log")); log.go(Number(number[1])); return; }
  var node = name && byId(name);
  if (node && /^rule-/.test(name)) { reveal(node); } else if (node) { unfold(node); node.scrollIntoView(); }
}
addEventListener("hashchange", follow);
document.addEventListener("click", function (event) { // a second click on the same link leaves the address as it is
  var link = event.target.closest && event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) { event.preventDefault(); follow(); }
});
