// follow replaces the contents of the page with the new ones and keeps the plots, so that zoom and hidden lines stay.
function follow(text) {
  var next = new DOMParser().parseFromString(text, "text/html");
  next.querySelectorAll(".plot").forEach(function (plot) {
    var drawn = document.querySelector("#" + CSS.escape(plot.id) + " .drawing"), place = plot.querySelector(".drawing");
    if (drawn && place) { place.replaceWith(drawn); }
  });
  document.title = next.title;
  ["header", "main"].forEach(function (part) {
    var is = document.querySelector(part), becomes = next.querySelector(part);
    if (is && becomes) { is.replaceWith(becomes); }
  });
  var figures = document.getElementById("plotted"), fresh = next.getElementById("plotted");
  if (!figures && fresh) { location.reload(); return; } // nothing was drawn so far
  if (fresh) { figures.textContent = fresh.textContent; }
  document.dispatchEvent(new Event("replotted"));
}

// askAgain asks for the page after a pause in seconds; the answer says how long the next one is.
function askAgain(pause) {
  setTimeout(function () {
    if (document.hidden) { askAgain(1); return; }
    fetch("/").then(function (answer) {
      var pause = answer.headers.get("Retry-After");
      if (pause) { askAgain(Number(pause)); } // else the run has ended, and the page shows its verdict
      return answer.ok ? answer.text().then(follow) : null;
    }, function () { document.querySelector("h1").textContent = "ENDED"; });
  }, 1000 * pause);
}
askAgain(1);
