// The filters of the index page. A click on an edge of the diagram shows the scenarios with that
// transition. The filter is kept in the address, so that it can be shared.

const form = document.querySelector(".filters");
const rows = [...document.querySelectorAll(".topic tbody tr")];
const words = (text) => (text ? text.split(",") : []);
let edge = "";

function offer(name, values) {
  for (const value of [...new Set(values)].sort()) {
    const option = document.createElement("option");
    option.value = option.textContent = value;
    form.elements[name].append(option);
  }
}

function fits(row) {
  const { text, outcome, topic, tag } = form.elements;
  const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const content = row.textContent.toLowerCase();
  return wanted.every((word) => content.includes(word)) &&
    (!outcome.value || words(row.dataset.outcome).includes(outcome.value)) &&
    (!topic.value || row.dataset.topic === topic.value) &&
    (!tag.value || words(row.dataset.tags).includes(tag.value)) &&
    (!edge || words(row.dataset.edges).includes(edge));
}

function filter() {
  let shown = 0;
  for (const row of rows) {
    row.hidden = !fits(row);
    shown += row.hidden ? 0 : 1;
  }
  for (const topic of document.querySelectorAll(".topic"))
    topic.hidden = !topic.querySelector("tbody tr:not([hidden])");
  for (const each of document.querySelectorAll(".edge"))
    each.classList.toggle("taken", each.dataset.edge === edge);
  form.querySelector(".where").textContent =
    `${shown} of ${rows.length}` + (edge ? `, with ${edge.replace(" ", " → ")}` : "");
}

function keepInAddress() {
  const kept = new URLSearchParams();
  for (const name of ["text", "outcome", "topic", "tag"])
    if (form.elements[name].value) kept.set(name, form.elements[name].value);
  if (edge) kept.set("edge", edge);
  history.replaceState(null, "", kept.size ? "#" + kept : location.pathname);
}

function readAddress() {
  const kept = new URLSearchParams(location.hash.slice(1));
  for (const name of ["text", "outcome", "topic", "tag"])
    form.elements[name].value = kept.get(name) || "";
  edge = kept.get("edge") || "";
}

function choose(wanted) {
  edge = wanted === edge ? "" : wanted;
  keepInAddress();
  filter();
}

document.querySelector(".states").setAttribute("role", "group");  // an image has no buttons
for (const each of document.querySelectorAll(".edge.seen")) {
  each.setAttribute("tabindex", "0");
  each.setAttribute("role", "button");
  each.addEventListener("click", () => choose(each.dataset.edge));
  each.addEventListener("keydown", (press) => {
    if (press.key === "Enter") choose(each.dataset.edge);
  });
}
offer("outcome", rows.flatMap((row) => words(row.dataset.outcome)));
offer("topic", rows.map((row) => row.dataset.topic));
offer("tag", rows.flatMap((row) => words(row.dataset.tags)));
form.addEventListener("input", () => { keepInAddress(); filter(); });
form.addEventListener("submit", (submission) => submission.preventDefault());
window.addEventListener("hashchange", () => { readAddress(); filter(); });
form.hidden = false;
readAddress();
filter();
