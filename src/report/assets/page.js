"use strict";
// Vega's modules, each run once, when another one asks for it.
const exportsOf = {};
function require(name) {
  if (!(name in exportsOf)) {
    const module = { exports: {} };
    exportsOf[name] = module.exports;
    modules[name](module.exports, module, require);
    exportsOf[name] = module.exports;
  }
  return exportsOf[name];
}
const { transforms } = require("vega-dataflow");
for (const name of ["vega-transforms", "vega-view-transforms", "vega-encode"]) Object.assign(transforms, require(name));

const hint = document.createElement("div");
hint.className = "hint";
hint.hidden = true;
document.body.append(hint);

function showHint(handler, event, item, value) {
  hint.hidden = !value;
  if (!value) return;
  hint.textContent = value;
  const right = document.documentElement.clientWidth - hint.offsetWidth - 8;
  hint.style.left = Math.max(0, Math.min(event.pageX + 12, right)) + "px";
  hint.style.top = event.pageY + 14 + "px";
}

for (const figure of document.querySelectorAll(".chart")) {
  const specification = JSON.parse(figure.querySelector("script").textContent);
  const place = document.createElement("div");
  figure.append(place);
  try {
    const view = new (require("vega-view").View)(require("vega-parser").parse(specification), {
      renderer: "svg",
      container: place,
      hover: true,
      tooltip: showHint,
    });
    // Twice: how high a legend is shows only when the chart has its width.
    const draw = async () => {
      await view.runAsync();
      await view.resize().runAsync();
    };
    draw();
    new ResizeObserver(draw).observe(figure);
  } catch (error) {
    place.textContent = "This chart could not be drawn: " + error;
  }
}
