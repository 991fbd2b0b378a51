(function () {
  "use strict";
  var field = document.getElementById("find");
  var rows = document.querySelectorAll("tbody tr");
  function show() {
    var words = field.value.toLowerCase().split(/\s+/), shown = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
      shown += row.hidden ? 0 : 1;
    });
    document.getElementById("found").textContent = shown + " of " + rows.length + " shown";
  }
  field.parentElement.hidden = false;
  field.addEventListener("input", show);
  if (field.value) { show(); }
})();
