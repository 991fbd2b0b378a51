// marks draws stages and other stretches below the lines.
function marks(p) {
  return function (u) {
    var c = u.ctx, r = devicePixelRatio, edge = -Infinity, top = u.bbox.top, right = u.bbox.left + u.bbox.width;
    c.save();
    c.font = 11 * r + "px system-ui, sans-serif";
    c.textBaseline = "top";
    c.textAlign = "left";
    c.beginPath();
    c.rect(u.bbox.left, top, u.bbox.width, u.bbox.height);
    c.clip();
    (p.f.marks || []).forEach(function (m, i) {
      var from = u.valToPos(m.from, "x", true), to = u.valToPos(Math.max(m.to, m.from), "x", true);
      if (to < u.bbox.left || from > right) { return; }
      if (to > from && (m.kind === "region" || i % 2 === 1)) {
        c.fillStyle = m.kind === "region" ? paint("amber") : colour("--quiet");
        c.globalAlpha = m.kind === "region" ? 0.18 : 0.07;
        c.fillRect(from, top, to - from, u.bbox.height);
        c.globalAlpha = 1;
      }
      c.strokeStyle = m.kind === "stage" ? colour("--quiet") : colour("--text");
      c.fillStyle = m.kind === "stage" ? colour("--quiet") : colour("--text");
      c.lineWidth = m.kind === "point" ? 1.5 * r : r;
      c.setLineDash(m.kind === "point" ? [] : [3 * r, 3 * r]);
      (to > from ? [from, to] : [from]).forEach(function (x) {
        if (m.kind === "stage" && (x <= u.bbox.left + 1 || x >= right - 1)) { return; }
        c.beginPath(); c.moveTo(x, top); c.lineTo(x, top + u.bbox.height); c.stroke();
      });
      if (!m.label) { return; }
      var start = Math.max(from, u.bbox.left) + 4 * r, room = (m.kind === "stage" ? Math.min(to > from ? to : right, right) : right) - start - 4 * r;
      var label = fitted(c, m.label, m.kind === "stage" ? room : Infinity), wide = c.measureText(label).width;
      if (m.kind !== "stage" && wide > room) { start = from - wide - 4 * r; }
      if (!label || start < edge && m.kind === "stage") { return; }
      var line = m.kind === "stage" ? 0 : (p.f.marks.slice(0, i).filter(function (o) { return o.kind !== "stage"; }).length) * 14 * r;
      c.fillText(label, start, top + 3 * r + line);
      edge = start + wide + 4 * r;
    });
    c.restore();
  };
}

function fitted(c, text, room) {
  if (c.measureText(text).width <= room) { return text; }
  for (var n = text.length - 1; n > 0; n--) {
    var cut = text.slice(0, n) + "…";
    if (c.measureText(cut).width <= room) { return n > 1 ? cut : ""; }
  }
  return "";
}

// limits draws values that must not be crossed above the lines.
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
      c.textAlign = "right";
      c.textBaseline = "bottom";
      c.fillText(fitted(c, l.label, to - from), to - 4 * r, y - 2 * r);
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
  if (kind === "square") { c.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7); }
  else if (kind === "diamond") { c.moveTo(x, y - size * 1.2); c.lineTo(x + size * 1.2, y); c.lineTo(x, y + size * 1.2); c.lineTo(x - size * 1.2, y); c.closePath(); }
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

// swatch shows line, dash and marker of a series as they are drawn.
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
  else if (s.marker === "square") { put("rect", { x: 9, y: 2, width: 8, height: 8, fill: ink }); }
  else if (s.marker === "diamond") { put("path", { d: "M13 1l5 5-5 5-5-5z", fill: ink }); }
  else if (s.marker === "dot") { put("circle", { cx: 13, cy: 6, r: 4, fill: ink }); }
  return svg;
}
