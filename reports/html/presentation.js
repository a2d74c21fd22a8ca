/* Below report.js, in the same module: what is hidden while somebody walks, the presentation, and
   the sheet of keys and marks. */

const future = element("div", undefined, "future");
scroll.append(future);

/* Covers the ladder from the step after the current one. */
function coverFuture() {
  const next = steps[shownFrom(at + 1, 1)];
  future.hidden = at < 0 || !next;
  if (future.hidden) return;
  const top = next.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
  future.style.top = `${top}px`;
}

const isPresenting = () => document.body.classList.contains("presenting");

/* In a presentation the ladder scrolls, not the page, and only when it is full. */
function showInPresentation(step) {
  const room = ladder.getBoundingClientRect();
  ladder.scrollTop += step.getBoundingClientRect().bottom + 8 - room.bottom;
}

/* A presentation begins with the short version, unless the reader has chosen steps. */
let hasShortened = false;

function chooseSteps(isOn) {
  if (isOn) hasShortened = isWhole() && canShorten();
  if (!hasShortened) return;
  view.isShort = isOn;
  hasShortened = isOn;
  applyView();
}

function present(isOn) {
  document.body.classList.toggle("presenting", isOn);
  ladder.scrollTop = 0;
  project(isOn);
  chooseSteps(isOn);
  if (at < 0) walk(0, 1);
  else go(at, true);
}

const legend = find(".legend");
function toggleLegend() {
  if (legend.open) return legend.close();
  legend.showModal();
  legend.scrollTop = 0;  // the focus is on its button, at the end
}

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  if (press.target.matches(TYPED)) return;
  if (press.key === "?") toggleLegend();
  const isFree = order.length && !legend.open && !isPredicting();
  if (press.key === "q" && run.quiz && isFree) predict();
  if (press.key === "p" && isFree) present(!isPresenting());
});
find("[data-do=present]").addEventListener("click", () => present(true));
find("[data-do=legend]").addEventListener("click", toggleLegend);
window.addEventListener("resize", () => {
  if (isPresenting()) project(true);
  drawOverview();
  drawPlots();
  coverFuture();
  if (isPresenting() && at >= 0) showInPresentation(steps[at]);
});

if (order.length) {
  introduce();
  fitWidth();
  showPane(panes[0].dataset.pane);
  drawOverview();
  followAddress();
  if (run.quiz && location.hash === "#predict") predict();
}
document.body.dataset.player = "ready";
document.removeEventListener("keydown", keepKey);
for (const { target, key, ctrlKey, metaKey, altKey } of early)
  target.dispatchEvent(new KeyboardEvent("keydown",
    { key, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true }));
