
(function () {
  "use strict";
  var holder = document.getElementById("figures");
  if (!holder || typeof uPlot === "undefined") { return; }
  var d = JSON.parse(holder.textContent);
  ["times", "classes", "quantiles"].forEach(function (key) { d[key] = d[key] || {}; });
  var dark = matchMedia("(prefers-color-scheme: dark)");
  var plots = [];

  function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
  function digits(v) { return v >= 1000 ? v.toFixed(0) : String(Number(v.toPrecision(3))); }
  function milliseconds(v) {
    if (v === null || v === undefined) { return "–"; }
    if (v >= 10000) { return (v / 1000).toFixed(1) + " s"; }
    return v < 1 && v > 0 ? (v * 1000).toFixed(0) + " µs" : digits(v) + " ms";
  }
  function number(v) { return v === null || v === undefined ? "–" : v === 0 ? "0" : digits(v); }
  function clock(s) {
    s = Math.round(s * 10) / 10;
    if (s < 120) { return s + " s"; }
    var h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60, r = Math.floor(s % 60);
    var two = function (n) { return n < 10 ? "0" + n : String(n); };
    return (h ? h + ":" + two(m) : String(m)) + ":" + two(r);
  }

  // stages marks where each stage begins.
  function stages(u) {
    if (d.stages === null || d.stages.length < 2) { return; }
    var c = u.ctx;
    c.save();
    c.strokeStyle = colour("--quiet");
    c.fillStyle = colour("--quiet");
    c.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
    c.textBaseline = "top";
    c.textAlign = "left";
    c.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    var edge = -Infinity;
    d.stages.forEach(function (s) {
      var x = u.valToPos(s.at, "x", true);
      if (x < u.bbox.left - 1 || x > u.bbox.left + u.bbox.width) { return; }
      c.beginPath();
      c.moveTo(x, u.bbox.top);
      c.lineTo(x, u.bbox.top + u.bbox.height);
      c.stroke();
      if (x > edge) {
        c.fillText(s.name, x + 4 * devicePixelRatio, u.bbox.top + 2 * devicePixelRatio);
        edge = x + c.measureText(s.name).width + 8 * devicePixelRatio;
      }
    });
    c.restore();
  }

  function draw(id, series, o) {
    var place = document.getElementById(id);
    series = series.filter(function (s) { return s.values && s.values.length; });
    if (!place || !series.length) {
      if (place) { place.parentNode.hidden = true; }
      return;
    }
    var quiet = colour("--quiet"), grid = { stroke: colour("--line"), width: 1 }, say = o.say || number;
    var smallest = Infinity, largest = 0;
    series.forEach(function (s) {
      s.values.forEach(function (v) {
        if (v > 0) { smallest = Math.min(smallest, v); largest = Math.max(largest, v); }
      });
    });
    var wide = o.log && largest / smallest > 30;
    var y = wide ? { distr: 3, log: 10 } : { range: function (u, low, high) { return [0, (high || 1) * 1.08]; } };
    var x = o.x || { values: d.seconds, say: clock, scale: { time: false, range: function (u, low, high) { return [0, Math.max(high, 1)]; } } };
    var options = {
      width: Math.max(280, place.clientWidth), height: 250, scales: { x: x.scale, y: y },
      cursor: { sync: o.x ? undefined : { key: "time" }, points: { size: 7 } },
      legend: { live: true },
      hooks: { draw: o.x ? [] : [stages] },
      axes: [
        { stroke: quiet, grid: grid, ticks: grid, font: "12px system-ui, sans-serif", values: function (u, all) { return all.map(function (v) { return v === null ? "" : x.say(v); }); }, splits: x.splits, space: 70 },
        { stroke: quiet, grid: grid, ticks: grid, font: "12px system-ui, sans-serif", size: 66, values: function (u, all) {
          return all.map(function (v) { return v === null || wide && Math.abs(Math.log10(v) % 1) > 1e-9 ? "" : say(v); });
        } }
      ],
      series: [{ label: x.label || "at", value: function (u, v) { return v === null ? "–" : x.say(v); } }].concat(series.map(function (s) {
        return { label: s.label, stroke: colour(s.colour), width: s.width || 1.6, dash: s.dash, fill: s.fill ? colour(s.colour) + "22" : undefined,
          value: function (u, v) { return say(wide && v !== null && v < smallest ? 0 : v); }, points: { show: s.values.length < 40, size: 4 }, spanGaps: true };
      }))
    };
    var zero = wide ? function (v) { return v === 0 ? smallest / 2 : v; } : function (v) { return v; };
    var data = [x.values].concat(series.map(function (s) { return s.values.map(function (v) { return v === null ? null : zero(v); }); }));
    plots.push({ u: new uPlot(options, data, place), place: place });
  }

  function all() {
    plots.forEach(function (p) { p.u.destroy(); });
    plots = [];
    var t = d.times;
    draw("plot-rate", [
      { label: "meant", values: d.target, colour: "--c9", dash: [6, 4] },
      { label: "achieved", values: d.achieved, colour: "--c1", fill: true }
    ], { say: function (v) { return v === null || v === undefined ? "–" : number(v) + "/s"; } });
    draw("plot-latency", [
      { label: "response p99", values: t.response_p99_ms, colour: "--c2" },
      { label: "response p50", values: t.response_p50_ms, colour: "--c1" },
      { label: "service p99", values: t.service_p99_ms, colour: "--c2", dash: [4, 4], width: 1.2 },
      { label: "service p50", values: t.service_p50_ms, colour: "--c1", dash: [4, 4], width: 1.2 }
    ], { say: milliseconds, log: true });
    var colours = { accepted: "--c3", blocked: "--c1", false_block: "--c5", missed_block: "--c8", throttled: "--c7", client_error: "--c6", server_error: "--c2", transport_error: "--c4", timeout: "--c9", malformed: "--c10" };
    draw("plot-classes", Object.keys(colours).map(function (name) {
      return { label: name.replace("_", " "), values: d.classes[name], colour: colours[name] };
    }), { say: function (v) { return v === null || v === undefined ? "–" : number(v) + "/s"; }, log: true });
    draw("plot-lag", [
      { label: "lag max", values: t.lag_max_ms, colour: "--c9", width: 1.2 },
      { label: "lag p99", values: t.lag_p99_ms, colour: "--c2" },
      { label: "lag p50", values: t.lag_p50_ms, colour: "--c1" }
    ], { say: milliseconds, log: true });
    draw("plot-flight", [{ label: "in flight", values: d.in_flight, colour: "--c4", fill: true }], {});
    draw("plot-files", [
      { label: "max", values: t.file_max_ms, colour: "--c9", width: 1.2 },
      { label: "p95", values: t.file_p95_ms, colour: "--c2" },
      { label: "p50", values: t.file_p50_ms, colour: "--c1" }
    ], { say: milliseconds, log: true });
    distribution();
  }

  // distribution draws times over 1/(1-p), so that each further nine takes the same width.
  function distribution() {
    var names = ["response", "service"].filter(function (n) { return d.quantiles[n]; });
    if (!names.length) { return draw("plot-distribution", [], {}); }
    var at = {}, factors = [];
    names.forEach(function (n) { d.quantiles[n].forEach(function (q) { at[q[0]] = true; }); });
    factors = Object.keys(at).map(Number).sort(function (a, b) { return a - b; });
    var nines = [1, 2, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
    var percent = function (f) {
      var p = 100 * (1 - 1 / f);
      return f >= 1e9 ? "max" : "p" + Number(p.toFixed(Math.max(0, Math.ceil(Math.log10(f)) - 1)));
    };
    draw("plot-distribution", names.map(function (n) {
      var value = {};
      d.quantiles[n].forEach(function (q) { value[q[0]] = q[1]; });
      return { label: n, values: factors.map(function (f) { return f in value ? value[f] : null; }), colour: n === "response" ? "--c2" : "--c1" };
    }), { say: milliseconds, log: true, x: {
      values: factors, label: "percentile", say: percent, scale: { time: false, distr: 3, log: 10, range: function () { return [1, Math.max(10, factors[factors.length - 1])]; } },
      splits: function (u) { return nines.filter(function (f) { return f >= u.scales.x.min && f <= u.scales.x.max; }); }
    } });
  }

  all();
  dark.addEventListener("change", all);
  function fit() {
    plots.forEach(function (p) {
      var width = Math.max(280, p.place.clientWidth);
      if (width !== p.u.width) { p.u.setSize({ width: width, height: 250 }); }
    });
  }
  addEventListener("resize", fit);
  if (window.ResizeObserver) { new ResizeObserver(fit).observe(document.querySelector(".plots")); }
})();
