// stretches shades stages and other stretches, below the grid and the lines.
function stretches(p) {
  return function (u) {
    var c = u.ctx;
    (p.f.marks || []).forEach(function (m, i) {
      var from = Math.max(u.valToPos(m.from, "x", true), u.bbox.left), to = Math.min(u.valToPos(m.to, "x", true), u.bbox.left + u.bbox.width);
      if (m.to <= m.from || to <= from || m.kind === "stage" && i % 2 === 0) { return; }
      c.save();
      c.fillStyle = m.kind === "region" ? paint("amber") : colour("--quiet");
      c.globalAlpha = m.kind === "region" ? 0.18 : 0.07;
      c.fillRect(from, u.bbox.top, to - from, u.bbox.height);
      c.restore();
    });
  };
}

// marks draws the edges of stretches, marked points, and their names: stages at the top, points below them, other
// stretches at the bottom.
function marks(p) {
  return function (u) {
    var c = u.ctx, r = devicePixelRatio, left = u.bbox.left, right = left + u.bbox.width, top = u.bbox.top, bottom = top + u.bbox.height, edge = -Infinity, line = 0;
    c.save();
    c.font = 11 * r + "px system-ui, sans-serif";
    c.textBaseline = "top";
    c.textAlign = "left";
    (p.f.marks || []).forEach(function (m) {
      var from = u.valToPos(m.from, "x", true), to = m.to > m.from ? u.valToPos(m.to, "x", true) : from;
      if (to < left - 1 || from > right + 1) { return; }
      c.strokeStyle = m.kind === "stage" ? colour("--quiet") : colour("--text");
      c.lineWidth = m.kind === "point" ? 1.5 * r : r;
      c.setLineDash(m.kind === "point" ? [] : [3 * r, 3 * r]);
      (to > from ? [from, to] : [from]).forEach(function (x) {
        if (x < left || x > right || m.kind === "stage" && (x <= left + 1 || x >= right - 1)) { return; }
        c.beginPath(); c.moveTo(x, top); c.lineTo(x, bottom); c.stroke();
      });
      if (!m.label) { return; }
      from = Math.max(from, left) + 4 * r;
      if (m.kind === "stage") {
        var name = from < edge ? "" : fitted(c, m.label, Math.min(to > from ? to : right, right) - from - 4 * r);
        if (name) { say(c, name, from, top + 3 * r, colour("--quiet")); edge = from + c.measureText(name).width + 4 * r; }
      } else if (m.kind === "region") {
        var long = c.measureText(m.label).width;
        say(c, m.label, from + long > right ? from - long - 8 * r : from, bottom - 15 * r, colour("--quiet"));
      } else {
        var wide = c.measureText(m.label).width;
        say(c, m.label, from + wide > right ? from - wide - 8 * r : from, top + (3 + 14 * line++) * r, colour("--text"));
      }
    });
    c.restore();
  };
}

// say writes a word with a background, so that lines below do not cross it.
function say(c, text, x, y, ink) {
  var r = devicePixelRatio;
  c.save();
  c.globalAlpha = 0.75;
  c.fillStyle = colour("--surface");
  c.fillRect(x - r, y - r, c.measureText(text).width + 2 * r, 13 * r);
  c.globalAlpha = 1;
  c.fillStyle = ink;
  c.fillText(text, x, y);
  c.restore();
}

function fitted(c, text, room) {
  if (c.measureText(text).width <= room) { return text; }
  for (var n = text.length - 1; n > 0; n--) {
    var cut = text.slice(0, n) + "…";
    if (c.measureText(cut).width <= room) { return n > 1 ? cut : ""; }
  }
  return "";
}

// limits draws the limits above the lines.
function limits(p) {
  return function (u) {
    var c = u.ctx, r = devicePixelRatio;
    (p.f.limits || []).forEach(function (l) {
      if (l.value < u.scales.y.min || l.value > u.scales.y.max) { return; }
      var y = Math.round(u.valToPos(l.value, "y", true)), all = l.to <= l.from;
      var from = all ? u.bbox.left : Math.max(u.bbox.left, u.valToPos(l.from, "x", true));
      var to = all ? u.bbox.left + u.bbox.width : Math.min(u.bbox.left + u.bbox.width, u.valToPos(l.to, "x", true));
      if (to <= from) { return; }
      c.save();
      c.strokeStyle = c.fillStyle = paint(l.colour || "red");
      c.lineWidth = 1.5 * r;
      c.setLineDash([10 * r, 3 * r]);
      c.beginPath(); c.moveTo(from, y); c.lineTo(to, y); c.stroke();
      c.font = 11 * r + "px system-ui, sans-serif";
      c.textBaseline = "top";
      c.textAlign = "left";
      var end = u.bbox.left + u.bbox.width, name = fitted(c, l.label, end - from - 8 * r), wide = c.measureText(name).width;
      say(c, name, wide > to - from - 8 * r ? from + 4 * r : to - wide - 4 * r, y - 15 * r, c.strokeStyle);
      c.restore();
    });
  };
}

// symbols draws the markers of a series.
function symbols(s, ink) {
  return function (u, i) {
    var c = u.ctx, r = devicePixelRatio, size = 4.5 * r;
    c.save();
    c.strokeStyle = c.fillStyle = ink;
    c.lineWidth = 2 * r;
    u.data[i].forEach(function (v, n) {
      var x = u.data[0][n];
      if (absent(v) || x < u.scales.x.min || x > u.scales.x.max) { return; }
      shape(c, s.marker, u.valToPos(x, "x", true), u.valToPos(v, "y", true), size);
    });
    c.restore();
    return false;
  };
}

function shape(c, kind, x, y, size) {
  c.beginPath();
  if (kind === "cross") {
    c.moveTo(x - size, y - size); c.lineTo(x + size, y + size); c.moveTo(x + size, y - size); c.lineTo(x - size, y + size);
    c.stroke();
    return;
  }
  if (kind === "diamond") { c.moveTo(x, y - size * 1.2); c.lineTo(x + size * 1.2, y); c.lineTo(x, y + size * 1.2); c.lineTo(x - size * 1.2, y); c.closePath(); }
  else { c.arc(x, y, size, 0, 2 * Math.PI); }
  c.fill();
}

function make(tag, name, text) {
  var e = document.createElement(tag);
  if (name) { e.className = name; }
  if (text) { e.textContent = text; }
  return e;
}

function button(text, act) {
  var b = make("button", "", text);
  b.type = "button";
  b.addEventListener("click", act);
  return b;
}

// swatch shows the line, dash and marker of a series.
function swatch(s) {
  var space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg"), ink = paint(s.colour);
  svg.setAttribute("width", "26"); svg.setAttribute("height", "12"); svg.setAttribute("aria-hidden", "true");
  function put(tag, attributes) {
    var e = document.createElementNS(space, tag);
    Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
    svg.appendChild(e);
  }
  if (s.fill) { put("rect", { x: 0, y: 6, width: 26, height: 6, fill: ink, opacity: 0.2 }); }
  if (s.dash !== "none") { put("line", { x1: 0, x2: 26, y1: 6, y2: 6, stroke: ink, "stroke-width": 2, "stroke-dasharray": (dashes[s.dash || ""] || []).join(" ") || "none" }); }
  if (s.marker === "cross") { put("path", { d: "M9 2l8 8M17 2l-8 8", stroke: ink, "stroke-width": 2 }); }
  else if (s.marker === "diamond") { put("path", { d: "M13 1l5 5-5 5-5-5z", fill: ink }); }
  else if (s.marker === "dot") { put("circle", { cx: 13, cy: 6, r: 4, fill: ink }); }
  return svg;
}
