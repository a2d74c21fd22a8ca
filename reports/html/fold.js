/* Shows some of the steps, and closes the gaps. Everything in the picture has a height on one axis;
   a fold maps the heights of the whole picture to those of what is left. */

const scroll = find(".scroll");
const ownTop = (step) => {
  const own = /translate\(0 ([-\d.]+)\)/.exec(step.getAttribute("transform") || "");
  return own ? Number(own[1]) : Number(step.querySelector("use").getAttribute("y"));
};
const places = steps.map((step) => {
  const height = drawing(step).querySelector(".hit")?.getAttribute("height");
  return { step, top: ownTop(step), height: Number(height) || 23,
    isShared: !step.hasAttribute("transform") };
});
const isShown = (index) => !steps[index]?.classList.contains("left-out");

/* Returns the map for the steps that `wanted` accepts, by index. */
function foldOf(wanted) {
  let top = places.length ? places[0].top : 0;
  for (const [index, place] of places.entries()) {
    place.to = top;
    place.shown = wanted(index);
    if (place.shown) top += place.height;
  }
  return (y) => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle].top <= y) low = middle + 1;
      else high = middle;
    }
    const place = places[low - 1];
    if (!place) return y;
    return place.to + (place.shown ? Math.min(y - place.top, place.height) : 0) +
      Math.max(0, low === places.length ? y - place.top - place.height : 0);
  };
}

/* Remembers an attribute as it is in the whole picture. */
const whole = new WeakMap();
function original(element, name) {
  if (!whole.has(element)) whole.set(element, {});
  const kept = whole.get(element);
  if (!(name in kept)) kept[name] = element.getAttribute(name);
  return kept[name];
}

function foldBox(rect, fold) {
  const y = Number(original(rect, "y"));
  const height = Number(original(rect, "height"));
  rect.setAttribute("y", fold(y));
  rect.setAttribute("height", Math.max(0.5, fold(y + height) - fold(y)));
}

/* "M310 10V440M620 10V440" */
function foldPath(path, fold) {
  path.setAttribute("d", original(path, "d").replace(/M([-\d.]+) ([-\d.]+)V([-\d.]+)/g,
    (all, x, from, to) => `M${x} ${fold(Number(from))}V${fold(Number(to))}`));
}

/* The name of a state is along its band, and disappears if the band becomes too short. */
function foldName(name, fold) {
  const end = -Number(original(name, "x"));
  const begin = end - name.textContent.length * 6.4;
  name.setAttribute("x", -fold(end));
  name.classList.toggle("left-out", fold(end) - fold(begin) < end - begin - 1);
}

/* A frame that was delayed leaves above its own row: other rows lie between its two ends. */
function foldArrow(place, frame, fold) {
  const [x, y, degrees] = original(frame, "transform").match(/-?[\d.]+/g).map(Number);
  const path = frame.querySelector("path");
  const [from, to] = original(path, "d").match(/-?[\d.]+/g).filter((n, i) => i !== 1).map(Number);
  const lean = degrees * Math.PI / 180;
  const ends = [from, to].map((along) => [x + along * Math.cos(lean), y + along * Math.sin(lean)]);
  if (Math.min(ends[0][1], ends[1][1]) >= 0) return;
  const [a, b] = ends.map(([endX, endY]) => [endX, fold(place.top + endY) - place.to]);
  const sign = from < to ? 1 : -1;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const turned = Math.atan2(sign * (b[1] - a[1]), sign * (b[0] - a[0])) * 180 / Math.PI;
  frame.setAttribute("transform",
    `translate(${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}) rotate(${turned})`);
  path.setAttribute("d", `M${-sign * length / 2} 0H${sign * length / 2}`);
}

function foldStep(place, fold) {
  place.step.classList.toggle("left-out", !place.shown);
  place.step.setAttribute("transform",
    `translate(0 ${place.isShared ? place.to - place.top : place.to})`);
  if (place.shown && !place.isShared)
    place.step.querySelectorAll(".frame").forEach((frame) => foldArrow(place, frame, fold));
}

function foldSheet(sheet, fold) {
  const [, y, , height] = original(sheet, "viewBox").split(" ").map(Number);
  const [x, , width] = sheet.getAttribute("viewBox").split(" ");
  const from = fold(y);
  const left = fold(y + height) - from;
  sheet.classList.toggle("left-out", left < 1);
  sheet.setAttribute("viewBox", `${x} ${from} ${width} ${Math.max(1, left)}`);
  sheet.style.setProperty("--h", Math.max(1, left));
}

/* Shows the steps that `wanted` accepts, by index. */
function showSteps(wanted) {
  const fold = foldOf(wanted);
  places.forEach((place) => foldStep(place, fold));
  scroll.querySelectorAll(".sheet").forEach((sheet) => foldSheet(sheet, fold));
  scroll.querySelectorAll(".band rect, .dark rect").forEach((rect) => foldBox(rect, fold));
  scroll.querySelectorAll(".life, .hangs").forEach((path) => foldPath(path, fold));
  scroll.querySelectorAll(".sheet > .along tspan").forEach((name) => foldName(name, fold));
  scroll.querySelectorAll(".dark .along").forEach((text) =>
    text.classList.toggle("left-out", !places.every((place) => place.shown)));
}
