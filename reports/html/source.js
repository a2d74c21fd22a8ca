/* The script beside the ladder: the line that the run is carrying out. And which pane is shown. */

const sourceLines = [...document.querySelectorAll(".source li")];
const nowLine = find(".line");

function showLine(moment) {
  sourceLines.forEach((line) => line.classList.remove("at"));
  const line = sourceLines[moment?.l - 1];
  nowLine.hidden = !line;
  if (!line) return;
  line.classList.add("at");
  nowLine.classList.toggle("action", firstEvent(moment)?.kind === "action");
  nowLine.textContent = `${moment.l}  ${line.textContent.trim()}`;
  const list = line.parentElement;
  const place = line.offsetTop - list.offsetTop;
  if (place < list.scrollTop + 20 || place > list.scrollTop + list.clientHeight - 40)
    list.scrollTop = place - list.clientHeight / 2;
}

const panes = [...document.querySelectorAll("[data-pane]")];
const tabs = element("div", undefined, "tabs");
tabs.setAttribute("role", "tablist");
tabs.setAttribute("aria-label", "Beside the ladder");

function showPane(name) {
  for (const pane of panes) pane.hidden = pane.dataset.pane !== name;
  for (const tab of tabs.children) {
    const isChosen = tab.textContent === name;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  showLine(run.moments[order[at]]);
  drawPlots();
}

for (const pane of panes) {
  const tab = element("button", pane.dataset.pane);
  tab.type = "button";
  tab.setAttribute("role", "tab");
  pane.setAttribute("role", "tabpanel");
  pane.id = "pane-" + pane.dataset.pane;
  tab.setAttribute("aria-controls", pane.id);
  tab.addEventListener("click", () => showPane(tab.textContent));
  tabs.append(tab);
}
tabs.addEventListener("keydown", (press) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[press.key];
  if (!by) return;
  press.stopPropagation();
  const all = [...tabs.children];
  const next = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
  next.focus();
  showPane(next.textContent);
});
if (panes.length > 1) panes[0].before(tabs);
