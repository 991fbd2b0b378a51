(function () {
  "use strict";
  var byId = function (id) { return document.getElementById(id); };
  var each = function (list, act) { Array.prototype.forEach.call(list, act); };
  function make(tag, name, text) {
    var node = document.createElement(tag);
    if (name) { node.className = name; }
    if (text !== undefined) { node.textContent = text; }
    return node;
  }

  // Copy buttons.
  function select(pre) {
    var range = document.createRange();
    range.selectNodeContents(pre);
    var chosen = getSelection();
    chosen.removeAllRanges();
    chosen.addRange(range);
    return document.execCommand && document.execCommand("copy") ? "Copied" : "Selected";
  }
  each(document.querySelectorAll(".copy"), function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var pre = button.parentNode.querySelector("pre");
      var said = function (word) {
        button.textContent = word;
        setTimeout(function () { button.textContent = "Copy"; }, 1500);
      };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(pre.textContent).then(function () { said("Copied"); }, function () { said(select(pre)); });
      } else {
        said(select(pre));
      }
    });
  });

  // The matrix.
  var search = byId("search"), verdict = byId("verdict"), level = byId("level"), topic = byId("topic");
  var rules = Array.prototype.map.call(document.querySelectorAll("tr.rule"), function (row) {
    return { row: row, text: row.textContent.toLowerCase() };
  });
  function filter() {
    var words = search.value.toLowerCase().split(/\s+/);
    var group = topic.value, all = group.slice(-1) === ".";
    var shown = 0;
    rules.forEach(function (rule) {
      var own = rule.row.dataset;
      var fits = (!verdict.value || own.verdict === verdict.value) && (!level.value || own.level === level.value) &&
        (!group || own.topic === group || all && own.topic.indexOf(group) === 0) &&
        words.every(function (word) { return rule.text.indexOf(word) >= 0; });
      rule.row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    each(document.querySelectorAll(".operation"), function (section) {
      section.hidden = !section.querySelector("tr.rule:not([hidden])");
    });
    byId("matches").textContent = shown + " of " + rules.length + " rules";
  }
  function reset() {
    [search, verdict, level, topic].forEach(function (control) { control.value = ""; });
    filter();
  }
  each(document.querySelectorAll(".filter"), function (bar) { bar.hidden = false; });
  [search, verdict, level, topic].forEach(function (control) { control.addEventListener("input", filter); });
  byId("reset").addEventListener("click", reset);
  filter();

  // Keys.
  var cards = document.querySelectorAll(".card");
  function step(by) {
    var at = Array.prototype.indexOf.call(cards, document.activeElement && document.activeElement.closest(".card"));
    var next = cards[Math.max(0, Math.min(cards.length - 1, at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by))];
    if (next) { reveal(next); next.focus(); }
  }
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    var writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && event.target === search) { reset(); search.blur(); return; }
    if (writing) { return; }
    if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    if (event.key === "j") { step(1); }
    if (event.key === "k") { step(-1); }
    if (event.key === "Escape") { reset(); }
  });

  // What a link leads to is opened, and everything is for paper.
  function reveal(node) {
    for (var up = node; up; up = up.parentElement) { if (up.tagName === "DETAILS") { up.open = true; } }
    node.scrollIntoView();
  }
  var opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.prototype.filter.call(document.querySelectorAll("details:not(.checks)"), function (d) { return !d.open; });
    opened.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () { opened.forEach(function (d) { d.open = false; }); });

  function follow() {
    var name = location.hash.slice(1);
    var number = /^x-(\d+)$/.exec(name);
    if (number && log) { log.go(Number(number[1])); return; }
    var node = name && byId(name);
    if (node && node.closest("details")) { reveal(node); }
  }

  // The exchanges: rows are made only when they are shown.
  var source = byId("data"), log = null;
  if (source) { log = exchanges(JSON.parse(source.textContent)); }
  addEventListener("hashchange", follow);
  follow();

  function exchanges(data) {
    var rows = data.rows, body = document.querySelector(".log tbody"), find = byId("find"), more = byId("more");
    var page = 100, chosen = rows, shown = 0, length = 1;
    rows.forEach(function (r) { length = Math.max(length, r[1] + r[2]); });
    var at = {};
    rows.forEach(function (r, i) { at[r[0]] = i; });
    byId("log").hidden = false;
    function name(r) { return data.texts[r[5]] + (r[6] > 1 ? " (attempt " + r[6] + ")" : ""); }
    function answer(r) { return r[3] ? String(r[3]) : "no answer"; }
    function kind(r) { return r[3] >= 100 && r[3] < 600 ? String(r[3]).charAt(0) + "xx" : "none"; }
    function ms(x) { return x < 1000 ? x.toFixed(1) + " ms" : (x / 1000).toFixed(2) + " s"; }
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
      var parts = data.parts[r[0]], row = make("tr", "detail"), cell = row.appendChild(make("td"));
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
      var row = make("tr", "x"), button = make("button", "open", "#" + r[0]);
      button.type = "button";
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", function () {
        var open = button.getAttribute("aria-expanded") === "true";
        if (open) { row.nextSibling.remove(); } else { row.after(detail(r)); }
        button.setAttribute("aria-expanded", String(!open));
      });
      row.appendChild(make("td")).appendChild(button);
      row.appendChild(make("td", "", ms(r[1])));
      row.appendChild(make("td", "", ms(r[2])));
      row.appendChild(make("td")).appendChild(make("span", "status " + kind(r), answer(r)));
      row.appendChild(make("td", "", data.texts[r[4]]));
      row.appendChild(make("td", "", name(r)));
      return row;
    }
    function grow(to) {
      var part = document.createDocumentFragment();
      for (to = Math.min(to, chosen.length); shown < to; shown++) { part.appendChild(line(chosen[shown])); }
      body.appendChild(part);
      more.hidden = shown >= chosen.length;
      byId("found").textContent = shown + " of " + chosen.length + " shown" + (data.left ? "; " + data.left + " further exchanges are in exchanges.har" : "");
    }
    function choose() {
      var words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      chosen = !words.length ? rows : rows.filter(function (r) {
        var text = ("#" + r[0] + " " + answer(r) + " " + data.texts[r[4]] + " " + name(r)).toLowerCase();
        return words.every(function (word) { return /^#\d+$/.test(word) ? word === "#" + r[0] : text.indexOf(word) >= 0; });
      });
      body.textContent = "";
      shown = 0;
      grow(page);
    }
    find.addEventListener("input", choose);
    more.addEventListener("click", function () { grow(shown + page); });
    choose();

    // Numbers of exchanges lead to the list.
    each(document.querySelectorAll(".xs"), function (node) {
      var parts = node.textContent.split(/(#\d+)/);
      node.textContent = "";
      parts.forEach(function (part) {
        if (part.charAt(0) === "#" && at[part.slice(1)] !== undefined) {
          node.appendChild(make("a", "", part)).href = "#x-" + part.slice(1);
        } else {
          node.appendChild(document.createTextNode(part));
        }
      });
    });

    // The moment under the pointer or the slider.
    var slider = byId("moment"), output = byId("at");
    document.querySelector(".moment").hidden = false;
    function tell(share) {
      var now = share * length, running = [];
      rows.forEach(function (r) { if (r[1] <= now && r[1] + r[2] >= now) { running.push(r); } });
      output.textContent = ms(now) + ": " + running.length + " in flight" + (running.length ? ": " : "") +
        running.slice(0, 3).map(function (r) { return "#" + r[0] + " " + name(r) + " (" + answer(r) + ")"; }).join(", ") +
        (running.length > 3 ? " and " + (running.length - 3) + " more" : "");
      each(document.querySelectorAll(".cursor"), function (mark) { mark.hidden = false; mark.style.left = share * 100 + "%"; });
    }
    slider.addEventListener("input", function () { tell(slider.value / 1000); });
    each(document.querySelectorAll(".canvas"), function (canvas) {
      canvas.addEventListener("pointermove", function (event) {
        var box = canvas.getBoundingClientRect();
        var share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
        slider.value = Math.round(share * 1000);
        tell(share);
      });
    });
    return {
      go: function (seq) {
        find.value = "#" + seq;
        choose();
        var button = body.querySelector("button");
        if (button) { button.click(); button.focus(); byId("exchanges").scrollIntoView(); }
      }
    };
  }
})();
