var holder = document.getElementById("plotted");
if (!holder || typeof uPlot === "undefined") { return; }
function figures() { return JSON.parse(holder.textContent) || []; }
function placed(f) {
  return { f: f, place: document.querySelector("#plot-" + CSS.escape(f.id) + " .drawing"), view: null, hidden: {}, log: null, u: null };
}
var plots = figures().map(placed).filter(function (p) { return p.place; });

function draw(p) {
  var f = p.f, x = axes[f.x] || axes.elapsed, say = units[f.unit] || digits, h = heights(p);
  var focused = document.activeElement && p.place.contains(document.activeElement) ? document.activeElement.dataset.part : null;
  if (p.u) { p.u.destroy(); p.u = null; }
  p.place.textContent = "";
  p.full = span(p);
  p.say = function (v) { return absent(v) ? "–" : h.log && v > 0 && v < h.least ? say(0) : say(v); };
  p.sayX = x.say;

  var tools = make("div", "tools"), surface = make("div", "surface"), keys = make("ul", "series");
  p.reset = button("Reset zoom", function () { zoom(p, null); p.surface.focus(); });
  p.reset.hidden = !p.view;
  p.reset.dataset.part = "reset";
  tools.appendChild(p.reset);
  if (h.able) {
    var log = button("Log scale", function () { p.log = !h.log; draw(p); });
    log.setAttribute("aria-pressed", String(h.log));
    log.dataset.part = "log";
    tools.appendChild(log);
  }
  surface.tabIndex = 0;
  surface.dataset.part = "surface";
  surface.setAttribute("role", "slider");
  surface.setAttribute("aria-label", f.title + ": arrow keys read the values, plus and minus zoom, 0 shows everything");
  surface.addEventListener("keydown", function (e) { key(p, e); });
  p.surface = surface;
  [tools, surface, keys].forEach(function (e) { p.place.appendChild(e); });

  var at = make("li");
  at.appendChild(make("span", "", x.label));
  p.atText = at.appendChild(make("span", "at", ""));
  keys.appendChild(at);
  p.values = f.series.map(function (s, i) {
    var li = make("li"), b = button("", function () { p.hidden[i] = !p.hidden[i]; draw(p); });
    b.appendChild(swatch(s));
    b.appendChild(document.createTextNode(s.label));
    b.setAttribute("aria-pressed", String(!p.hidden[i]));
    b.title = p.hidden[i] ? "Show" : "Hide";
    b.dataset.part = "series" + i;
    li.appendChild(b);
    var value = li.appendChild(make("b", "", ""));
    keys.appendChild(li);
    return value;
  });

  var quiet = colour("--quiet"), grid = { stroke: colour("--line"), width: 1 };
  var data = table(f);
  if (h.log) { // zero has no place on the scale: it is drawn below everything else
    data = [data[0]].concat(data.slice(1).map(function (list) { return list.map(function (v) { return v === 0 ? h.least / 2 : v; }); }));
  }
  var few = data[0].length < 40;
  p.u = new uPlot({
    width: wide(p), height: f.tall || 240, tzDate: function (s) { return uPlot.tzDate(new Date(s * 1000), "UTC"); },
    scales: {
      x: { time: !!x.time, distr: x.log ? 3 : 1, log: 10, range: function () { return p.view || p.full; } },
      y: { distr: h.log ? 3 : 1, log: 10, range: range(p, h) }
    },
    cursor: {
      sync: f.group ? { key: f.group, setSeries: false, scales: ["x", null], filters: { pub: function (type) { return type === "mousemove" || type === "mouseleave"; } } } : undefined,
      points: { size: 7 }, drag: { x: true, y: false, setScale: false, dist: 4 },
      bind: { dblclick: function () { return function () { zoom(p, null); return null; }; } }
    },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    legend: { show: false },
    hooks: {
      drawClear: [stretches(p)], draw: [marks(p), limits(p), function (u) { surface.dataset.from = u.scales.x.min; surface.dataset.to = u.scales.x.max; }], setCursor: [function (u) { read(p, u.cursor.idx); }],
      setSelect: [function (u) {
        if (u.select.width < 4) { return; }
        zoom(p, [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }]
    },
    axes: [
      { stroke: quiet, grid: grid, ticks: grid, font: font, size: 32, space: x.time ? 90 : 64, incrs: x.incrs, splits: x.splits,
        filter: function (u, list) { return list; }, values: x.time ? undefined : function (u, all) { return all.map(function (v) { return absent(v) ? "" : x.say(v); }); } },
      { stroke: quiet, grid: grid, ticks: grid, font: font, size: 66, splits: h.log ? powers : undefined, incrs: p.f.unit === "count" ? whole : undefined,
        filter: function (u, list) { return list; }, values: function (u, all) { return all.map(function (v) { return absent(v) ? "" : f.unit === "ms" && v >= 1000 ? digits(v / 1000) + " s" : say(v); }); } }
    ],
    series: [{}].concat(f.series.map(function (s, i) {
      var ink = paint(s.colour);
      return {
        label: s.label, show: !p.hidden[i], stroke: ink, width: s.dash === "none" ? 0 : 1.7, dash: dashes[s.dash || ""] || undefined, fill: s.fill ? ink + "22" : undefined,
        paths: s.dash === "none" ? function () { return null; } : undefined, spanGaps: false,
        points: s.marker ? { show: symbols(s, ink) } : { show: few ? true : undefined, size: few ? 4.5 : undefined }
      };
    }))
  }, data, surface);
  read(p, null);
  if (focused) {
    var again = p.place.querySelector('[data-part="' + focused + '"]');
    if (again) { again.focus(); }
  }
}

// read fills the legend with the values at a point; null empties it.
function read(p, i) {
  if (!p.u && i !== null) { return; }
  var data = p.u ? p.u.data : null, there = !absent(i) && data && i < data[0].length;
  p.atText.textContent = there ? p.sayX(data[0][i]) : "";
  p.atText.parentNode.style.visibility = there ? "" : "hidden"; // its place stays
  p.values.forEach(function (e, n) { e.textContent = there && !p.hidden[n] ? p.say(p.f.series[n].dash === "none" ? data[n + 1][i] : near(data, n + 1, i)) : ""; });
  p.at = there ? i : null;
  var said = there ? p.sayX(data[0][i]) + ": " + p.f.series.map(function (s, n) { return p.hidden[n] ? "" : s.label + " " + p.values[n].textContent; }).filter(Boolean).join(", ") : "no point chosen";
  p.surface.setAttribute("aria-valuemin", "0");
  p.surface.setAttribute("aria-valuemax", String(data ? data[0].length - 1 : 0));
  p.surface.setAttribute("aria-valuenow", String(there ? i : 0));
  p.surface.setAttribute("aria-valuetext", said);
}

// near returns the value of a series at i, or the last one before i if the series continues after it.
function near(data, n, i) {
  if (data[n][i] !== undefined) { return data[n][i]; }
  for (var k = i; k >= 0; k--) {
    if (data[n][k] !== undefined) { return data[n].slice(i).some(function (v) { return v !== undefined; }) ? data[n][k] : undefined; }
  }
  return undefined;
}

// zoom shows a part of the x axis in all plots of the group; null shows everything.
function zoom(p, view) {
  plots.forEach(function (other) {
    if (other !== p && !(p.f.group && other.f.group === p.f.group)) { return; }
    var part = view ? [Math.max(view[0], other.full[0]), Math.min(view[1], other.full[1])] : null;
    if (part && !(part[1] > part[0])) { return; }
    if (part && part[0] === other.full[0] && part[1] === other.full[1]) { part = null; }
    other.view = part;
    other.reset.hidden = !part;
    var now = part || other.full;
    other.u.setScale("x", { min: now[0], max: now[1] });
  });
}

function key(p, e) {
  if (e.ctrlKey || e.metaKey || e.altKey) { return; }
  var xs = p.u.data[0], now = p.view || p.full, last = xs.length - 1, at = p.at;
  var log = (axes[p.f.x] || {}).log, step = Math.max(1, Math.round(xs.length / 10));
  if (at === null) { at = e.key === "ArrowLeft" || e.key === "End" ? last + 1 : -1; }
  var to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowUp: at + 1, ArrowDown: at - 1, PageUp: at + step, PageDown: at - step, Home: 0, End: last }[e.key];
  if (to !== undefined) {
    move(p, Math.min(last, Math.max(0, to)));
  } else if (e.key === "+" || e.key === "=" || e.key === "-") {
    var scale = log ? Math.log : function (v) { return v; }, back = log ? Math.exp : scale;
    var low = scale(now[0]), high = scale(now[1]), centre = p.at === null ? (low + high) / 2 : Math.min(high, Math.max(low, scale(xs[p.at])));
    var by = e.key === "-" ? 2 : 0.5;
    zoom(p, [back(centre - (centre - low) * by), back(centre + (high - centre) * by)]);
    if (p.at !== null) { move(p, p.at); }
  } else if (e.key === "0" || e.key === "Escape") {
    zoom(p, null);
  } else {
    return;
  }
  e.preventDefault();
}

// move puts the cursor on a point and brings it into view.
function move(p, i) {
  var x = p.u.data[0][i], now = p.view;
  if (now && (x < now[0] || x > now[1])) {
    var by = x < now[0] ? x - now[0] : x - now[1];
    zoom(p, [now[0] + by, now[1] + by]);
  }
  p.u.setCursor({ left: p.u.valToPos(x, "x"), top: p.u.over.clientHeight / 2 }, true, true);
  read(p, i);
}

function wide(p) { return Math.max(200, p.place.clientWidth); }
function all() { plots.forEach(draw); }
function fit() {
  plots.forEach(function (p) {
    if (p.u && wide(p) !== p.u.width) { p.u.setSize({ width: wide(p), height: p.f.tall || 240 }); }
  });
}
all();
["(prefers-color-scheme: dark)", "print"].forEach(function (query) { matchMedia(query).addEventListener("change", all); });
addEventListener("resize", fit);
if (window.ResizeObserver) {
  var watch = new ResizeObserver(fit);
  plots.forEach(function (p) { watch.observe(p.place); });
}
// A page announces new data: existing plots keep their zoom, new ones are added.
document.addEventListener("replotted", function () {
  figures().forEach(function (f) {
    var p = plots.find(function (p) { return p.f.id === f.id; }), fresh = placed(f);
    if (p) { p.f = f; } else if (fresh.place) { plots.push(p = fresh); }
    if (p) { draw(p); }
  });
});
