
(function () {
  "use strict";
  document.querySelectorAll(".copy").forEach(function (button) {
    if (!navigator.clipboard && !document.execCommand) { return; }
    button.hidden = false;
    button.addEventListener("click", function () {
      var pre = button.parentNode.querySelector("pre");
      var said = function (word) {
        button.textContent = word;
        setTimeout(function () { button.textContent = "Copy"; }, 1500);
      };
      var select = function () {
        var range = document.createRange();
        range.selectNodeContents(pre);
        var chosen = getSelection();
        chosen.removeAllRanges();
        chosen.addRange(range);
        said(document.execCommand && document.execCommand("copy") ? "Copied" : "Selected");
      };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(pre.textContent).then(function () { said("Copied"); }, select);
      } else {
        select();
      }
    });
  });
  var search = document.getElementById("search");
  var verdict = document.getElementById("verdict");
  var level = document.getElementById("level");
  var matches = document.getElementById("matches");
  var rules = Array.prototype.map.call(document.querySelectorAll("tr.rule"), function (row) {
    return { row: row, text: row.textContent.toLowerCase() };
  });
  function filter() {
    var words = search.value.toLowerCase().split(/\s+/);
    var shown = 0;
    rules.forEach(function (rule) {
      var fits = (!verdict.value || rule.row.dataset.verdict === verdict.value) &&
        (!level.value || rule.row.dataset.level === level.value) &&
        words.every(function (word) { return rule.text.indexOf(word) >= 0; });
      rule.row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    document.querySelectorAll(".operation").forEach(function (section) {
      section.hidden = !section.querySelector("tr.rule:not([hidden])");
    });
    matches.textContent = shown + " of " + rules.length + " rules";
  }
  document.querySelector(".filter").hidden = false;
  [search, verdict, level].forEach(function (control) { control.addEventListener("input", filter); });
  filter();
})();
