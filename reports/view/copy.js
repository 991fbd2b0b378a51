(function () {
"use strict";
// Copy buttons.
function select(pre) {
  var range = document.createRange();
  range.selectNodeContents(pre);
  var chosen = getSelection();
  chosen.removeAllRanges();
  chosen.addRange(range);
  return document.execCommand && document.execCommand("copy") ? "Copied" : "Selected";
}
Array.prototype.forEach.call(document.querySelectorAll(".copy"), function (button) {
  button.hidden = false;
  button.addEventListener("click", function () {
    var pre = button.closest(".copyable").querySelector("pre");
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
})();
