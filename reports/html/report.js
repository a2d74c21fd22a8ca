// The player of a run. It steps through the run, and shows for each step what every program knows,
// what its kernel knows, and what is true. The page can be read without it.

/* Keys that are pressed before the player is ready. It gets them as soon as it is. */
const early = [];
const keepKey = (press) => early.push(press);
document.addEventListener("keydown", keepKey);

const run = JSON.parse(await unpack(document.getElementById("run").textContent));
const events = new Map(run.events.map((event) => [event.n, event]));
const order = [...run.moments.keys()].filter((key) => !run.moments[key].w);  // drawn steps
const steps = [...document.querySelectorAll(".step")];  // their elements
order.forEach((key, place) => { run.moments[key].step = steps[place]; });
for (const sheet of document.querySelectorAll(".sheet")) sheet.setAttribute("role", "list");
for (const step of steps) step.setAttribute("role", "listitem");
const drawing = (step) => {  // its own, or a shared one
  const use = step.querySelector("use[href^='#row=']");
  return use ? document.getElementById(use.href.baseVal.slice(1)) : step;
};
const words = (moment) => moment.w || drawing(moment.step).querySelector("title").textContent;
const find = (selector) => document.querySelector(selector);
const ladder = find(".ladder");
const speed = find("[data-do=speed]");
let at = -1;  // index in `order`; -1 before the first step is chosen
let timer = 0;

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function row(list, term, text) {
  if (text === "" || text === undefined) return;
  const pair = element("div");
  pair.append(element("dt", term), element("dd", text));
  list.append(pair);
}

const seconds = (t) => (t / 1e9).toFixed(6);
const color = (host) => "k" + run.colors[run.hosts.indexOf(host)];

/* What each host knows. */

function showKnowledge(view) {
  const cards = run.hosts.slice(0, view.length).map((host, index) => {
    const [program, kernel, truth, mistaken, states] = view[index];
    const card = element("div", undefined, "knows " + color(host) + (mistaken ? " wrong" : ""));
    card.classList.toggle("forwards", !hasSockets.has(host) && !run.texts[truth]);
    const title = element("h3", host);
    title.append(...states.filter((state) => state !== "LISTEN")
      .map((state) => element("span", state, "chip s-" + state)));
    if (mistaken) title.append(element("span", "its kernel is out of date", "mistaken"));
    const list = element("dl");
    row(list, "program", run.texts[program]);
    row(list, "kernel", run.texts[kernel]);
    row(list, "truth", run.texts[truth]);
    card.append(title, list);
    return card;
  });
  find(".knowledge").replaceChildren(element("h2", "What each host knows"), ...cards);
}

/* The state diagram. */

const CLOSING_EDGES = ["LAST_ACK", "TIME_WAIT", "FIN_WAIT1", "FIN_WAIT2", "CLOSE_WAIT", "CLOSING"];
const ended = new Map();  // host -> whether its last connection has closed

function nodeOf(state, host) {
  const end = state === "CLOSED" && ended.get(host) ? " end" : "";
  return find(`.node[data-node="${state}${end}"]`) || find('.node[data-node="CLOSED"]');
}

function noteEnds(upTo) {
  ended.clear();
  for (let index = 0; index <= upTo; ++index)
    for (const [host, from, to] of run.moments[index].s || [])
      ended.set(host, to === "CLOSED" && CLOSING_EDGES.includes(from));
}

/* A host that only forwards has no place in the diagram. */
const hasSockets = new Set(run.moments.flatMap((moment) => (moment.s || []).map(([host]) => host)));
run.events.forEach((event) => { if (event.kind === "program") hasSockets.add(event.host); });

function token(host, index, node, count) {
  const width = 12 + 6.2 * host.length;
  const made = svg("g", { class: "token " + color(host) });
  const side = index % 2 ? 1 : -1;
  const x = Number(node.dataset.x) + side * (48 - width / 2) + 4 * side;
  const y = Number(node.dataset.y) - 13 - 15 * Math.floor(count / 2);
  made.style.transform = `translate(${x}px, ${y}px)`;
  made.append(svg("rect", { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }),
    svg("text", { y: 3.6 }));
  made.lastChild.textContent = host;
  return made;
}

/* Marks the edges that no host has taken up to this moment: the diagram does not give them away. */
function hideEdgesAhead(upTo) {
  const taken = new Set();
  for (let index = 0; index <= upTo; ++index)
    for (const [, from, to] of run.moments[index].s || []) taken.add(`${from} ${to}`);
  document.querySelectorAll(".edge.seen").forEach((edge) =>
    edge.classList.toggle("ahead", !taken.has(edge.dataset.edge)));
}

function showDiagram(moment, view, upTo) {
  noteEnds(upTo);
  unlight();
  hideEdgesAhead(upTo);
  const tokens = view.flatMap((each, index) => {
    if (!hasSockets.has(run.hosts[index])) return [];
    const states = each[4].filter((state) => state !== "LISTEN");
    const state = states.length ? states[states.length - 1] : "CLOSED";
    const node = nodeOf(state, run.hosts[index]);
    if (state !== "CLOSED") node.classList.add("lit");
    return [token(run.hosts[index], index, node, index)];
  });
  const holder = find(".tokens");
  const before = [...holder.children];
  if (before.length === tokens.length)
    tokens.forEach((made, index) => { before[index].style.transform = made.style.transform; });
  else
    holder.replaceChildren(...tokens);
  for (const [, from, to] of moment.s || []) {
    const edge = find(`.edge[data-edge="${from} ${to}"]`);
    if (edge) edge.classList.add("taken");
  }
}

/* All fields of a step's events. */

const TIMES = ["t", "sent", "delivered", "entered"];
const HIDDEN = ["n", "kind", "stack"];

function valueText(key, value) {
  if (TIMES.includes(key)) return seconds(value) + " s";
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map((each) => valueText("", each)).join(", ");
  return Object.entries(value).map(([name, each]) => `${name} ${valueText(name, each)}`).join("\n");
}

/* Where the program made the call, the innermost frame first. Open while the reader wants it. */
let isStackOpen = false;

function stackOf(frames) {
  const made = element("details");
  made.className = "stack";
  made.open = isStackOpen;
  made.addEventListener("toggle", () => { isStackOpen = made.open; });
  const list = element("ol");
  list.append(...frames.map((frame) => element("li", frame)));
  made.append(element("summary", `stack, ${frames.length} frames`), list);
  return made;
}

function showDetails(moment) {
  const parts = [];
  for (const number of moment.e) {
    const event = events.get(number);
    if (!event) continue;
    const list = element("dl");
    for (const [key, value] of Object.entries(event))
      if (!HIDDEN.includes(key)) row(list, key, valueText(key, value));
    parts.push(element("h3", `${event.kind}, event ${event.n}`), list);
    if (event.stack) parts.push(stackOf(event.stack));
  }
  find(".details").replaceChildren(...parts);
  find(".details").hidden = parts.length === 0;
}

/* Steps. */

function mark(index) {
  unmark();
  steps[index].classList.add("at");
  steps[index].setAttribute("aria-current", "step");
}

function bringIntoSight(step) {
  if (isPresenting()) return showInPresentation(step);
  const box = step.getBoundingClientRect();
  if (box.top > 110 && box.bottom < window.innerHeight - 120) return;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollBy({ top: box.top - window.innerHeight * 0.4,
    behavior: calm || timer ? "auto" : "smooth" });
}

function go(index, keepsAddress) {
  at = Math.max(0, Math.min(order.length - 1, index));
  reveal(at);
  const moment = run.moments[order[at]];
  const step = steps[at];
  document.body.classList.add("player-on");
  mark(at);
  showKnowledge(run.views[moment.v]);
  showDiagram(moment, run.views[moment.v], order[at]);
  showDetails(moment);
  showLine(moment);
  find(".now").textContent = isPresenting() ? headline(moment) : words(moment);
  find(".where").textContent = `step ${at + 1} of ${order.length}`;
  for (const name of ["knowledge", "details"]) find("." + name).hidden = false;
  if (!keepsAddress && moment.e.length)
    history.replaceState(null, "", "#event=" + moment.e[0]);
  coverFuture();
  drawOverview();
  drawPlots();
  bringIntoSight(step);
}

function unmark() {
  document.querySelectorAll(".step.at").forEach((step) => {
    step.classList.remove("at");
    step.removeAttribute("aria-current");
  });
}

function unlight() {
  document.querySelectorAll(".node.lit, .edge.taken").forEach((lit) =>
    lit.classList.remove("lit", "taken"));
}

function escape() {
  if (legend.open) return legend.close();
  if (isPredicting()) return stopPredicting();
  if (isPresenting()) return present(false);
  leave();
}

/* Leaves the walk. The steps that are shown stay the same. */
function stopWalking() {
  pause();
  at = -1;
  document.body.classList.remove("player-on");
  unmark();
  unlight();
  find(".tokens").replaceChildren();
  for (const name of ["knowledge", "details"]) find("." + name).hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
  showLine();
}

/* Shows the page as it was before the first step. */
function leave() {
  stopWalking();
  if (isWhole()) { coverFuture(); drawOverview(); drawPlots(); } else showWhole();
  introduce();
}

function introduce() {
  find(".where").textContent = `${order.length} steps`;
  find(".now").textContent =
    `Step through the ${run.of} with ← and →, play it with Space. For a room: p. ` +
    "All keys and marks: ?";
}

/* The table of steps. */

function tell(moment) {
  const row = element("tr");
  const place = steps.indexOf(moment.step);
  const time = element(moment.e.length ? "a" : "span", "t" in moment ? seconds(moment.t) : "");
  if (moment.e.length) time.href = "#event=" + moment.e[0];
  row.append(element("td", place < 0 ? "" : String(place + 1)), element("td"),
    element("td", words(moment)));
  row.children[1].append(time);
  return row;
}

find(".words").addEventListener("toggle", () => {
  find(".words tbody").replaceChildren(...run.moments.map(tell));
}, { once: true });
find(".words").hidden = false;

/* Playing follows the times of the run, but no pause is longer than 2 s. */

function delay() {
  const now = run.moments[order[at]].t;
  const next = (run.moments[order[at + 1]] || {}).t;
  const gap = now !== undefined && next !== undefined ? (next - now) / 1e6 : 500;
  return Math.max(450, Math.min(2000, gap)) / Number(speed.value);
}

function tick() {
  if (shownFrom(at + 1, 1) < 0) return pause();
  go(shownFrom(at + 1, 1));
  timer = setTimeout(tick, delay());
}

function showPlaying(isPlaying) {
  const button = find("[data-do=play]");
  button.setAttribute("aria-pressed", String(isPlaying));
  button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  document.body.classList.toggle("playing", isPlaying);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  showPlaying(false);
}

function play() {
  if (timer) return pause();
  if (shownFrom(at + 1, 1) < 0 || at < 0) walk(0, 1);
  showPlaying(true);
  timer = setTimeout(tick, delay());
}

/* Goes to the shown step at or after `from`; before it, if `by` is -1. */
function walk(from, by) {
  pause();
  const step = shownFrom(Math.max(0, Math.min(order.length - 1, from)), by);
  if (step >= 0) go(step);
  else if (at >= 0) go(at);
}

const commands = {
  first: () => walk(0, 1),
  back: () => walk(at - 1, at > 0 ? -1 : 1),
  forward: () => walk(at + 1, 1),
  last: () => walk(order.length - 1, -1),
  play,
  larger: () => plotPane && enlargePlots(),
  short: () => canShorten() && toggleShort(),
  whole: () => showWhole(),
};
const keys = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", " ": "play",
  s: "short", 0: "whole", g: "larger" };
const remoteKeys = { PageDown: "forward", PageUp: "back" };  // presenter remotes send these

const TYPED = "select, textarea, input:not([type=checkbox])";  // where keys have another meaning

function changeSpeed(by) {
  const index = speed.selectedIndex + by;
  if (index >= 0 && index < speed.options.length) speed.selectedIndex = index;
}

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  const where = press.target;
  if (where.matches(TYPED)) return;
  if (where.matches("button, a, summary, input") && (press.key === " " || press.key === "Enter")) return;
  if (press.key === "Escape") return escape();
  if (isPredicting()) return answerByKey(press);
  if (press.key === "+" || press.key === "-") return changeSpeed(press.key === "+" ? 1 : -1);
  const command = keys[press.key] || (isPresenting() && remoteKeys[press.key]);
  if (!command) return;
  press.preventDefault();
  commands[command]();
});

document.querySelectorAll("[data-do]").forEach((control) => {
  const command = commands[control.dataset.do];
  if (command) control.addEventListener("click", command);
});

ladder.addEventListener("click", (click) => {
  const step = click.target.closest(".step");
  if (!step) return;
  pause();
  go(steps.indexOf(step));
});

/* #event=12 goes to the step of this event, or to the last step before it. */

function followAddress() {
  const match = /^#event=(\d+)$/.exec(location.hash);
  if (!match) return;
  const wanted = Number(match[1]);
  let best = -1;
  let bestNumber = -1;
  order.forEach((key, index) => {
    for (const number of run.moments[key].e)
      if (number <= wanted && number > bestNumber) [best, bestNumber] = [index, number];
  });
  if (best >= 0) go(best, true);
}

window.addEventListener("hashchange", followAddress);
find(".player").hidden = false;
find(".view").hidden = !order.length;
