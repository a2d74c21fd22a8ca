/* Which steps are shown: the short version, a filter, a span of time. */

const SHORT = 12;    // steps of the short version
const PRINTED = 60;  // steps of a long run on paper
const LONG = 150;
const choices = find(".choices");
const view = { isShort: false, span: null };
const firstEvent = (moment) => moment.e.map((number) => events.get(number)).find(Boolean);
const times = order.map((key) => run.moments[key].t);

const KINDS = { packet: "frames", flood: "frames", state: "frames", kernel: "frames",
  call: "calls", probe: "calls", program: "calls", action: "script", note: run.of === "connection" ? "frames" : "script", verdict: "checks" };

const pairOf = (event) => {
  const [one, other] = [event.source || event.local, event.destination || event.remote];
  if (!one || !other || (event.kind === "packet" && event.protocol !== "TCP")) return "";
  return [one, other].sort().join(" – ");
};
const hostsOf = (event) => [event.host, event.from, event.to].filter(Boolean);
const pairs = [...new Set(run.events.filter((event) => event.kind === "packet").map(pairOf))]
  .filter(Boolean);

function fits(index) {
  const moment = run.moments[order[index]];
  if (view.isShort && !(moment.k < SHORT)) return false;
  const t = times[index];
  if (view.span && (t === undefined || t < view.span[0] || t > view.span[1])) return false;
  const event = firstEvent(moment);
  const { host, connection } = choices.elements;
  if (!event) return !host.value && !connection.value && !view.isShort;
  const kind = KINDS[event.kind];
  if (kind && !choices.elements[kind].checked) return false;
  if (host.value && hostsOf(event).length && !hostsOf(event).includes(host.value)) return false;
  return !connection.value || kind !== "frames" || pairOf(event) === connection.value;
}

/* Returns the nearest shown step in a direction; `index` itself if it is shown. -1 if none. */
function shownFrom(index, by) {
  while (steps[index] && !isShown(index)) index += by;
  return steps[index] ? index : -1;
}

const isWhole = () => !view.isShort && !view.span && !choices.elements.host.value &&
  !choices.elements.connection.value &&
  [...choices.querySelectorAll("[type=checkbox]")].every((box) => box.checked);

function applyView() {
  showSteps(fits);
  const count = steps.filter((step, index) => isShown(index)).length;
  choices.querySelector(".shown").textContent =
    isWhole() ? "" : `${count} of ${steps.length} steps`;
  find("[data-do=short]").setAttribute("aria-pressed", String(view.isShort));
  find("[data-do=short]").textContent = view.isShort ? "Full version" : "Short version";
  find("[data-do=whole]").hidden = isWhole();
  document.body.classList.toggle("folded", !isWhole());
  if (at >= 0) {
    const after = shownFrom(at, 1);
    const nearest = after >= 0 ? after : shownFrom(at, -1);
    if (nearest >= 0) go(nearest);
  }
  coverFuture();
  drawOverview();
  drawPlots();
}

function showWhole() {
  view.isShort = false;
  view.span = null;
  choices.reset();
  applyView();
}

const canShorten = () =>
  steps.length > SHORT && order.some((key) => run.moments[key].k < SHORT);

function toggleShort() {
  view.isShort = !view.isShort;
  applyView();
}

/* Shows the whole run if the step is left out. */
function reveal(index) {
  if (steps[index] && !isShown(index)) showWhole();
}

function offer(name, values) {
  const select = choices.elements[name];
  select.append(...values.map((value) => new Option(value, value)));
  select.hidden = values.length < 2;
}

ladder.before(element("p", "", "folded-note"));
/* Hides filters without effect: of kinds that the run does not have, or of its only kind. */
function offerKinds() {
  const boxes = [...choices.querySelectorAll("[type=checkbox]")];
  const kinds = new Set(run.events.map((event) => KINDS[event.kind]));
  const used = boxes.filter((box) => kinds.has(box.name));
  for (const box of boxes) box.parentElement.hidden = used.length < 2 || !used.includes(box);
}

offerKinds();
find("[data-do=whole]").textContent = `Whole ${run.of}`;
find("[data-do=whole]").title = `The whole ${run.of} (0)`;
offer("host", run.hosts);
offer("connection", pairs);
choices.addEventListener("input", applyView);
choices.addEventListener("submit", (submission) => submission.preventDefault());
find("[data-do=short]").hidden = !canShorten();

/* A long run is folded on paper. */
let isPrinting = false;
window.addEventListener("beforeprint", () => {
  if (steps.length <= LONG || !isWhole()) return;
  isPrinting = true;
  showSteps((index) => run.moments[order[index]].k < PRINTED);
  find(".folded-note").textContent = `A long ${run.of}: the ${steps.filter((step, index) =>
    isShown(index)).length} steps that matter most, of ${steps.length}.`;
});
window.addEventListener("afterprint", () => {
  if (isPrinting) showSteps(() => true);
  isPrinting = false;
  find(".folded-note").textContent = "";
});
