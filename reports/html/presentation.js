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

/* In a presentation the ladder scrolls, not the page. */
function showInPresentation(step) {
  const room = ladder.getBoundingClientRect();
  ladder.scrollTop += step.getBoundingClientRect().top + 46 - room.top - room.height * 0.86;
}

function present(isOn) {
  document.body.classList.toggle("presenting", isOn);
  if (isOn && at < 0) go(0);
  coverFuture();
  if (isOn) showInPresentation(steps[at]);
  else ladder.scrollTop = 0;
  if (!isOn && at >= 0) bringIntoSight(steps[at]);
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
