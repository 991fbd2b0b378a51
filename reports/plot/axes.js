var dashes = { "": null, dashed: [7, 4], dotted: [2, 3], dotdash: [8, 3, 2, 3], none: null };
var font = "12px system-ui, sans-serif";

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function paint(name) { return colour("--plot-" + (name || "grey")); }
function absent(v) { return v === null || v === undefined; }
function digits(v) { return Math.abs(v) >= 1000 ? String(Math.round(v)) : String(Number(v.toPrecision(4))); }
function two(n) { return n < 10 ? "0" + n : String(n); }

var units = {
  ms: function (v) {
    if (v >= 10000) { return digits(v / 1000) + " s"; }
    return v < 1 && v > 0 ? digits(v * 1000) + " µs" : digits(v) + " ms";
  },
  rate: function (v) { return (v >= 1000 ? Math.round(v).toLocaleString("en-US") : digits(v)) + "/s"; },
  percent: function (v) { return digits(v) + "%"; },
  count: digits
};
function clock(s) {
  if (Math.abs(s) < 120) { return Math.round(s * 100) / 100 + " s"; }
  s = Math.round(s);
  var h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60, r = s % 60;
  return (h ? h + ":" + two(m) : String(m)) + ":" + two(r);
}
function percentile(f) {
  if (f <= 1) { return "p0"; }
  var places = Math.max(0, Math.ceil(Math.log10(f) - 1e-9) - 1), scale = Math.pow(10, places);
  return "p" + Number((Math.floor(100 * (1 - 1 / f) * scale + 1e-6) / scale).toFixed(places));
}
var nines = [1, 2, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
var axes = {
  elapsed: { label: "at", say: clock, incrs: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800] },
  rates: { label: "rate", say: units.rate },
  nines: { label: "percentile", say: percentile, log: true, splits: function (u) {
    return nines.filter(function (f) { return f >= u.scales.x.min * 0.999 && f <= u.scales.x.max * 1.001 && (f !== 2 || u.bbox.width > 330 * devicePixelRatio); });
  } },
  moments: { label: "at", time: true, say: function (s) { return new Date(s * 1000).toISOString().replace("T", " ").slice(0, 19) + " UTC"; } }
};

// table returns the data for uPlot: one x, and the values of each series. If a series has its own x, undefined marks
// positions that it lacks, and null values that were not measured.
function table(f) {
  if (!f.series.some(function (s) { return s.at; })) {
    return [f.at].concat(f.series.map(function (s) { return s.values; }));
  }
  return uPlot.join(f.series.map(function (s) { return [s.at || f.at, s.values]; }), f.series.map(function () { return [2]; }));
}

function span(p) {
  var lows = [], highs = [];
  p.f.series.forEach(function (s) { var at = s.at || p.f.at; lows.push(at[0]); highs.push(at[at.length - 1]); });
  var low = Math.min.apply(null, lows), high = Math.max.apply(null, highs);
  if (p.f.x === "elapsed") { low = Math.min(0, low); }
  if (p.f.x === "nines") { low = 1; high = Math.max(10, high); }
  if (p.f.x === "rates") { var room = high - low > high * 0.01 ? (high - low) * 0.04 : high / 2; low = Math.max(0, low - room); high += room; }
  high = Math.max(high, low + (p.f.least_range || 0));
  if (high <= low) { low -= 1; high += 1; }
  return [low, high];
}

// heights chooses a linear or a logarithmic scale by the visible values.
function heights(p) {
  var least = Infinity, most = 0, below = false;
  p.f.series.forEach(function (s, i) {
    if (p.hidden[i]) { return; }
    s.values.forEach(function (v) {
      if (v > 0) { least = Math.min(least, v); most = Math.max(most, v); }
      below = below || v < 0;
    });
  });
  (p.f.limits || []).forEach(function (l) { if (l.value > 0 && most > 0 && p.f.scale !== "linear") { least = Math.min(least, l.value); most = Math.max(most, l.value); } });
  var able = !below && most > 0;
  var log = p.log === null ? p.f.scale === "log" || p.f.scale === "" && most / least > 30 : p.log;
  return { log: able && log, able: able, least: able ? least : 1, most: most };
}

function range(p, h) {
  var limits = (p.f.limits || []).map(function (l) { return l.value; });
  if (!h.log) {
    return function (u, low, high) {
      if (absent(high)) { low = 0; high = 1; }
      limits.forEach(function (v) { if (v > high && v <= 4 * high) { high = v; } });
      return [Math.min(0, low) * 1.08, (high > 0 ? high : 1) * 1.15];
    };
  }
  return function (u, low, high) {
    if (absent(high) || high <= 0) { low = h.least; high = h.most; }
    limits.forEach(function (v) { if (v > 0) { low = Math.min(low, v); high = Math.max(high, v); } });
    low = Math.max(low, h.least / 2);
    return high / low < 4 ? [low / 2, high * 2] : [low / 1.3, high * Math.pow(high / low, limits.length && (p.f.marks || []).length ? 0.22 : 0.13)];
  };
}

// whole holds the steps between labels of counts, which are whole numbers.
var whole = [];
[0, 1, 2, 3, 4, 5, 6, 7, 8].forEach(function (e) { [1, 2, 5].forEach(function (s) { whole.push(s * Math.pow(10, e)); }); });

// powers returns the labels of a logarithmic axis: powers of ten, with 2 and 5 between them if there is room.
function powers(u) {
  var low = u.scales.y.min, high = u.scales.y.max, steps = Math.log10(high / low) < 2.2 ? [1, 2, 5] : [1], list = [];
  for (var e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    steps.forEach(function (s) { var v = s * Math.pow(10, e); if (v >= low && v <= high) { list.push(Number(v.toPrecision(1))); } });
  }
  return list;
}
