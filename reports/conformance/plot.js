// Draws the exchanges over time, again for each filter or zoom. kind returns the class of an answer.
function drawing(rows, length, kind) {
  var lanes = byId("lanes"), flight = byId("flight"), deep = 48, pitch = 7, least = 0.003; // milliseconds that rounding may add to a row
  var from = 0, to = length, chosen = rows, lane, deepest = 0;
  function place() { // each row in the first lane that is free when it starts
    var until = [];
    lane = {};
    deepest = 0;
    chosen.forEach(function (r) {
      var i = 0;
      while (i < until.length && until[i] > r.at + least) { i++; }
      i = Math.min(i, deep - 1);
      until[i] = Math.max(until[i] || 0, r.at + r.took);
      lane[r.n] = i;
      deepest = Math.max(deepest, i);
    });
  }
  function at(time) { return (time - from) / (to - from) * 1000; }
  function path(name, d) {
    var node = document.createElementNS("http://www.w3.org/2000/svg", "path");
    node.setAttribute("class", name);
    node.setAttribute("d", d);
    return node;
  }
  function columns() { // the most in flight in each of 500 columns
    var changes = [], most = [], now = 0, next = 0;
    chosen.forEach(function (r) { changes.push([r.at, 1], [Math.max(r.at, r.at + r.took - least), -1]); });
    changes.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
    for (var c = 0; c < 500; c++) {
      var end = from + (c + 1) * (to - from) / 500, peak = now;
      for (; next < changes.length && changes[next][0] < end; next++) {
        now += changes[next][1];
        if (changes[next][0] >= from) { peak = Math.max(peak, now); } else { peak = now; }
      }
      most.push(peak);
    }
    return most;
  }
  function draw() {
    place();
    var parts = {}, tall = (Math.max(2, deepest) + 1) * pitch + 2;
    chosen.forEach(function (r) {
      var x = Math.max(-1, at(r.at)), end = Math.min(1001, at(r.at + r.took));
      if (x > 1000 || end < 0) { return; }
      var name = kind(r);
      (parts[name] = parts[name] || []).push("M" + x.toFixed(1) + " " + (lane[r.n] * pitch + 4) + "h" + Math.max(0.5, end - x - 0.2).toFixed(1));
    });
    lanes.textContent = "";
    lanes.setAttribute("height", tall);
    lanes.setAttribute("viewBox", "0 0 1000 " + tall);
    Object.keys(parts).forEach(function (name) { lanes.appendChild(path("bars " + name, parts[name].join(""))); });
    var most = columns(), peak = Math.max.apply(null, most), d = "M0 80";
    most.forEach(function (n, c) {
      if (c === 0 || n !== most[c - 1]) { d += "H" + c * 2 + "V" + (80 - n / Math.max(1, peak) * 76).toFixed(1); }
    });
    flight.textContent = "";
    flight.appendChild(path("area", d + "H1000V80Z"));
    byId("peak").textContent = peak;
  }
  function ticks() {
    all(".ticks span").forEach(function (node, i) { node.textContent = from === 0 && i === 0 ? "0" : ms(from + (to - from) * i / 4); });
  }
  function refresh() {
    draw();
    ticks();
  }
  [["2xx", "2xx"], ["3xx", "3xx"], ["4xx", "4xx"], ["throttled", "429"], ["5xx", "5xx"], ["none", "no answer"]].forEach(function (c) {
    var n = rows.filter(function (r) { return kind(r) === c[0]; }).length;
    if (!n) { return; }
    var entry = byId("classes").appendChild(make("span"));
    entry.appendChild(make("i", c[0]));
    entry.appendChild(document.createTextNode(c[1] + " "));
    entry.appendChild(make("b", "", n));
  });
  byId("drawn").hidden = false;
  refresh();
  return {
    show: function (list) { chosen = list; refresh(); },
    zoom: function (start, end) {
      var part = Math.min(length, 1);
      from = Math.max(0, Math.min(start, length - part));
      to = Math.min(length, Math.max(end, from + part));
      refresh();
    },
    window: function () { return [from, to]; },
    time: function (share) { return from + share * (to - from); },
    under: function (share, y) { // the exchange at a place of the lanes, which lie y pixels deep
      var now = from + share * (to - from), slack = (to - from) / 400, i = Math.floor(y / pitch), best = null;
      chosen.forEach(function (r) {
        if (lane[r.n] !== i || r.at > now + slack || r.at + r.took < now - slack) { return; }
        if (!best || Math.abs(r.at + r.took / 2 - now) < Math.abs(best[1] + best[2] / 2 - now)) { best = r; }
      });
      return best;
    }
  };
}
function ms(x) { return x < 1000 ? x.toFixed(1) + " ms" : (x / 1000).toFixed(2) + " s"; }
