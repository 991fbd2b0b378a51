// The exchanges: rows are made only when the list is shown.
var source = byId("data");
if (source) { log = exchanges(JSON.parse(source.textContent)); }
follow();

function exchanges(data) {
  var rows = data.rows, body = document.querySelector(".log tbody"), find = byId("find"), more = byId("more");
  var operation = byId("operation"), sort = byId("answer");
  var page = 100, listed = rows, shown = 0, length = 1;
  rows.forEach(function (r) { length = Math.max(length, r.at + r.took); });
  var known = {};
  rows.forEach(function (r) { known[r.n] = true; });
  byId("log").hidden = false;
  function name(r) { return r.label + (r.attempt > 1 ? " (attempt " + r.attempt + ")" : ""); }
  function answer(r) { return r.status ? String(r.status) : "no answer"; }
  function kind(r) { return r.status === 429 ? "throttled" : r.status >= 100 && r.status < 600 ? String(r.status).charAt(0) + "xx" : "none"; }
  var plot = drawing(rows, length, kind);

  // The filter of the exchanges.
  var slow = rows.slice().sort(function (a, b) { return b.took - a.took; })[Math.min(rows.length, 20) - 1];
  var sorts = [["2xx", "2xx"], ["3xx", "3xx"], ["4xx", "4xx"], ["throttled", "429"], ["5xx", "5xx"], ["none", "no answer"]].map(function (c) {
    return [c[0], c[1], function (r) { return kind(r) === c[0]; }];
  }).concat([
    ["again", "sent again", function (r) { return r.attempt > 1; }],
    ["slow", "the slowest", function (r) { return slow && r.took >= slow.took; }]
  ]);
  function option(to, value, text) { to.appendChild(make("option", "", text)).value = value; }
  sorts.forEach(function (s) {
    var n = rows.filter(s[2]).length;
    if (n) { option(sort, s[0], s[1] + " (" + n + ")"); }
  });
  rows.map(function (r) { return r.operation; }).filter(function (o, i, list) { return list.indexOf(o) === i; }).forEach(function (o) { option(operation, o, o); });
  function choose() {
    var words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    var fits = (sorts.filter(function (s) { return s[0] === sort.value; })[0] || [0, 0, function () { return true; }])[2];
    listed = !words.length && !operation.value && !sort.value ? rows : rows.filter(function (r) {
      var text = ("#" + r.n + " " + answer(r) + " " + r.operation + " " + name(r)).toLowerCase();
      return (!operation.value || r.operation === operation.value) && fits(r) &&
        words.every(function (word) { return /^#\d+$/.test(word) ? word === "#" + r.n : text.indexOf(word) >= 0; });
    });
    plot.show(listed);
    if (sort.value === "slow") { listed = listed.slice().sort(function (a, b) { return b.took - a.took; }); }
    body.textContent = "";
    shown = 0;
    grow(page);
  }
  [find, operation, sort].forEach(function (control) { control.addEventListener("input", choose); });
  function everything() { find.value = operation.value = sort.value = ""; choose(); }
  byId("everything").addEventListener("click", everything);

  // The list.
  function side(title, head, text) {
    var box = make("div");
    box.appendChild(make("h4", "", title));
    var part = box.appendChild(make("div", "part"));
    head.split("\n").forEach(function (line) {
      if (!line) { return; }
      var field = part.appendChild(make("div", "field")), cut = line.indexOf(": ");
      if (cut > 0) { field.appendChild(make("b", "", line.slice(0, cut + 1))); line = line.slice(cut + 1); }
      field.appendChild(document.createTextNode(line));
    });
    if (text) {
      var pre = part.appendChild(make("pre", "", text));
      pre.tabIndex = 0;
    }
    return box;
  }
  function detail(r) {
    var parts = r.parts, row = make("tr", "detail"), cell = row.appendChild(make("td"));
    cell.colSpan = 6;
    if (!parts) {
      cell.textContent = "This page has no room for its content: exchanges.har holds it.";
      return row;
    }
    cell.appendChild(make("p", "", "")).appendChild(make("code", "", parts[0]));
    var two = cell.appendChild(make("div", "two"));
    two.appendChild(side("Request", parts[1], parts[2]));
    two.appendChild(side("Answer", parts[3], parts[4]));
    return row;
  }
  function line(r) {
    var row = make("tr", "x"), button = make("button", "open", "#" + r.n);
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", function () {
      var open = button.getAttribute("aria-expanded") === "true";
      if (open) { row.nextSibling.remove(); } else { row.after(detail(r)); }
      button.setAttribute("aria-expanded", String(!open));
    });
    row.appendChild(make("td")).appendChild(button);
    row.appendChild(make("td", "", ms(r.at)));
    row.appendChild(make("td", "", ms(r.took)));
    row.appendChild(make("td")).appendChild(make("span", "status " + kind(r), answer(r)));
    row.appendChild(make("td", "", r.operation));
    row.appendChild(make("td", "", name(r)));
    return row;
  }
  function grow(to) {
    var part = document.createDocumentFragment();
    for (; shown < listed.length && shown < to; shown++) { part.appendChild(line(listed[shown])); }
    body.appendChild(part);
    more.hidden = shown >= listed.length;
    byId("found").textContent = shown + " of " + listed.length + " shown" + (data.left ? "; " + data.left + " further exchanges are in exchanges.har" : "");
  }
  more.addEventListener("click", function () { grow(shown + page); });
  grow(page);
  function go(seq) {
    sort.value = operation.value = "";
    find.value = "#" + seq;
    choose();
    plot.show(rows); // one bar alone would say nothing
    var button = body.querySelector("button");
    if (button) { button.click(); button.focus(); byId("exchanges").scrollIntoView(); }
  }

  // Numbers of exchanges link to the list.
  function linked(node, pattern) {
    var parts = node.textContent.split(pattern);
    if (parts.length < 2) { return; }
    node.textContent = "";
    parts.forEach(function (part, i) {
      var number = (/\d+$/.exec(part) || [])[0];
      if (i % 2 && known[number]) {
        node.appendChild(make("a", "", part)).href = "#x-" + number;
      } else {
        node.appendChild(document.createTextNode(part));
      }
    });
  }
  all(".xs, dd, .list td, .quiet").forEach(function (node) { if (!node.firstElementChild) { linked(node, /(#\d+)/); } });

  // The time under the pointer or the slider, and the visible part of the time.
  var slider = byId("moment"), output = byId("at");
  document.querySelector(".moment").hidden = false;
  function announce(share) {
    var now = plot.time(share), running = [];
    rows.forEach(function (r) { if (r.at <= now && r.at + r.took >= now) { running.push(r); } });
    output.textContent = ms(now) + ": " + running.length + " in flight" + (running.length ? ": " : "") +
      running.slice(0, 3).map(function (r) { return "#" + r.n + " " + name(r) + " (" + answer(r) + ")"; }).join(", ") +
      (running.length > 3 ? " and " + (running.length - 3) + " more" : "");
    all(".cursor").forEach(function (mark) { mark.hidden = false; mark.style.left = share * 100 + "%"; });
  }
  slider.addEventListener("input", function () { announce(slider.value / 1000); });
  function scale(by) {
    var w = plot.window(), now = plot.time(slider.value / 1000), half = (w[1] - w[0]) * by / 2;
    plot.zoom(now - half, now + half);
    w = plot.window();
    slider.value = Math.round((now - w[0]) / (w[1] - w[0]) * 1000);
    announce(slider.value / 1000);
  }
  byId("closer").addEventListener("click", function () { scale(0.5); });
  byId("wider").addEventListener("click", function () { scale(2); });
  byId("whole").addEventListener("click", function () { plot.zoom(0, length); announce(slider.value / 1000); });
  all(".canvas").forEach(function (canvas) {
    var from = null, lanes = canvas.querySelector("#lanes");
    function share(event) {
      var box = canvas.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    }
    function below(event) { return lanes && plot.under(share(event), event.clientY - canvas.getBoundingClientRect().top); }
    function marked(a, b) {
      all(".span").forEach(function (mark) { mark.hidden = a === b; mark.style.left = Math.min(a, b) * 100 + "%"; mark.style.width = Math.abs(a - b) * 100 + "%"; });
    }
    canvas.addEventListener("pointermove", function (event) {
      var s = share(event), r = below(event);
      slider.value = Math.round(s * 1000);
      announce(s);
      hint(r ? "#" + r.n + " " + r.operation + ": " + name(r) + ", " + answer(r) + ", " + ms(r.took) : "", event.clientX, event.clientY);
      canvas.classList.toggle("hit", Boolean(r));
      if (from !== null) { marked(from, s); }
    });
    canvas.addEventListener("pointerleave", function () { hint(""); from = null; marked(0, 0); });
    canvas.addEventListener("pointerdown", function (event) { if (event.pointerType !== "touch") { from = share(event); event.preventDefault(); } });
    canvas.addEventListener("pointerup", function (event) {
      var s = share(event), start = from, r = below(event);
      from = null;
      marked(0, 0);
      if (start !== null && Math.abs(s - start) > 0.01) {
        plot.zoom(plot.time(Math.min(start, s)), plot.time(Math.max(start, s)));
      } else if (r) {
        hint("");
        go(r.n);
      }
    });
  });
  return { go: go };
}
