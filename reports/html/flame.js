/* Flame graphs of waits (flame.cc). The width of a frame is time; what it waits in is below it. */

const NARROWEST = 3;  // pixels of a frame that is drawn
const NAMED = 24;     // of one that has its name in it

/* Returns {kind, text} for each level, the uppermost first. */
const FLAME_ORDERS = {
  stack: (wait) => [wait.program, ...wait.frames, wait.call, wait.peer, wait.end],
  call: (wait) => [wait.call, wait.peer, wait.end, wait.program, ...wait.frames],
  connection: (wait) =>
    [wait.peer, wait.connection, wait.call, wait.end, wait.program, ...wait.frames],
  end: (wait) => [wait.end, wait.call, wait.peer, wait.program, ...wait.frames],
};

const waited = (time) => `${(time / 1e9).toFixed(6)} s`;
const waitCount = (count) => `${count} ${count === 1 ? "wait" : "waits"}`;
const share = (part, whole) => `${(100 * part / whole).toFixed(1)} %`;

/* The waits with all their texts. */
function readWaits({ texts, stacks, sums }) {
  const named = (kind, text) => ({ kind, text: texts[text] });
  return sums.map(([program, stack, call, peer, connection, end, endKind, time, count]) => ({
    program: named("program", program),
    frames: (stacks[stack] || []).map((frame) => named("frame", frame)),
    call: named("call", call),
    peer: named("peer", peer),
    connection: named("peer", connection),
    end: named(`end-${endKind}`, end),
    time,
    count,
  }));
}

function makeFrame(above, { kind, text }) {
  return { above, kind, text, time: 0, count: 0, below: new Map(), level: above ? above.level + 1 : 0 };
}

/* Adds up the waits in one order. Returns the frame of all waits. */
function sumUp(waits, label, order) {
  const all = makeFrame(null, { kind: "all", text: label });
  for (const wait of waits) {
    let frame = all;
    const pass = (each) => { each.time += wait.time; each.count += wait.count; };
    pass(frame);
    for (const name of order(wait)) {
      if (name.text === frame.text && name.kind === frame.kind && name.kind === "peer") continue;
      const key = `${name.kind} ${name.text}`;
      if (!frame.below.has(key)) frame.below.set(key, makeFrame(frame, name));
      frame = frame.below.get(key);
      pass(frame);
    }
  }
  return all;
}

/* Stands for frames that are too narrow to draw. */
function makeRest(above, hidden) {
  const rest = makeFrame(above, { kind: "rest", text: `${hidden.length} narrower` });
  for (const each of hidden) {
    rest.time += each.time;
    rest.count += each.count;
  }
  rest.hidden = hidden;
  return rest;
}

const isFound = (frame) => frame.hidden ? frame.hidden.some((each) => each.isHit) : frame.isHit;

const widestFirst = (frame) => [...frame.below.values()]
  .sort((one, other) => other.time - one.time || (one.text < other.text ? -1 : 1));

class Flame {
  constructor(place, data) {
    this.part = (selector) => place.querySelector(selector);
    this.graph = this.part(".flame-graph");
    this.label = place.dataset.label;
    this.waits = readWaits(data);
    this.hasStacks = data.stacks.length > 0;
    this.frames = new Map();  // element -> frame
    this.elements = new Map();
    this.listen(place);
    place.querySelectorAll("[hidden]").forEach((each) => { each.hidden = false; });
    this.part("[data-order=stack]").hidden = !this.hasStacks;
    this.graph.setAttribute("aria-label", this.label);
    this.choose(this.hasStacks ? "stack" : "call");
  }

  listen(place) {
    place.addEventListener("click", (click) => {
      const { order } = click.target.closest("button")?.dataset || {};
      if (order) this.choose(order);
      else if (order === "") this.zoom(this.all);
      const frame = this.frames.get(click.target.closest("[role=treeitem]"));
      if (frame) this.zoom(frame);
    });
    for (const kind of ["pointerover", "focusin"])
      this.graph.addEventListener(kind, (event) => this.tell(event.target));
    this.graph.addEventListener("pointerleave", () => this.tell(document.activeElement));
    this.graph.addEventListener("keydown", (press) => this.press(press));
    this.part("input").addEventListener("input", () => this.search());
    new ResizeObserver(() => {
      if (this.graph.clientWidth !== this.width) this.draw();
    }).observe(this.graph);
  }

  choose(order) {
    const isPlain = !this.hasStacks && new Set(this.waits.map((wait) => wait.program.text)).size < 2;
    const levels = FLAME_ORDERS[order];
    this.all = sumUp(this.waits, this.label, (wait) =>
      levels(wait).filter((name) => !isPlain || name.kind !== "program"));
    for (const button of this.part(".flame-orders").children)
      button.setAttribute("aria-pressed", String(button.dataset.order === order));
    this.search();
    this.zoom(this.all);
  }

  /* Gives a frame the whole width. */
  zoom(chosen) {
    const frame = chosen.hidden ? chosen.above : chosen;
    this.base = frame;
    this.part("[data-order='']").disabled = frame === this.all;
    this.draw(frame);
    this.tell(this.elements.get(frame));
  }

  /* Draws all again. The Tab key then reaches `current`, which has the focus if a frame had it. */
  draw(current = this.frames.get(this.graph.querySelector("[tabindex='0']"))) {
    const width = this.width = this.graph.clientWidth;
    const hadFocus = this.graph.contains(document.activeElement);
    this.frames.clear();
    this.elements.clear();
    const above = [];
    for (let frame = this.base.above; frame; frame = frame.above) above.unshift(frame);
    above.forEach((frame) => this.add(frame, 0, 1, width));
    const depth = this.drawBelow(this.base, 0, 1, width);
    this.graph.replaceChildren(...this.frames.keys());
    this.graph.style.setProperty("--rows", depth + 1);
    const made = this.elements.get(current) || this.elements.get(this.base);
    this.makeCurrent(made);
    if (hadFocus) made.focus();
  }

  /* Returns the lowest level. */
  drawBelow(frame, left, part, width) {
    this.add(frame, left, part, width);
    let lowest = frame.level;
    let from = left;
    const partOf = (each) => part * each.time / frame.time;
    const all = widestFirst(frame);
    const drawn = all.filter((each) => partOf(each) * width >= NARROWEST);
    const rest = makeRest(frame, all.slice(drawn.length));
    for (const each of drawn) {
      lowest = Math.max(lowest, this.drawBelow(each, from, partOf(each), width));
      from += partOf(each);
    }
    if (partOf(rest) * width < NARROWEST) return lowest;
    this.add(rest, from, partOf(rest), width);
    return Math.max(lowest, rest.level);
  }

  add(frame, left, part, width) {
    const made = element("div", undefined, `k-${frame.kind}`);
    made.setAttribute("role", "treeitem");
    made.setAttribute("aria-level", frame.level + 1);
    made.setAttribute("aria-label", this.fullText(frame));
    made.tabIndex = -1;
    made.classList.toggle("above", frame.level < this.base.level);
    made.classList.toggle("found", Boolean(isFound(frame)));
    made.style.cssText =
      `left:${100 * left}%;width:${100 * part}%;--level:${frame.level}`;
    if (part * width >= NAMED) {
      const [, name, where] = /^(.*?)( \(.*\))?$/s.exec(frame.text);
      made.append(element("span", name), element("span", where, "dim"));
    }
    this.frames.set(made, frame);
    this.elements.set(frame, made);
  }

  fullText(frame) {
    return `${frame.text}: ${waited(frame.time)}, ${share(frame.time, this.all.time)}, ` +
      waitCount(frame.count);
  }

  tell(target) {
    const frame = this.frames.get(target?.closest?.("[role=treeitem]"));
    if (frame) this.part(".flame-now").textContent = this.fullText(frame);
  }

  /* The Tab key reaches one frame. */
  makeCurrent(made) {
    this.graph.querySelectorAll("[tabindex='0']").forEach((each) => { each.tabIndex = -1; });
    if (made) made.tabIndex = 0;
  }

  press(press) {
    if (press.ctrlKey || press.metaKey || press.altKey) return;
    const frame = this.frames.get(press.target);
    const row = [...this.frames.values()].filter((each) => each.level === frame.level);
    const at = row.indexOf(frame);
    const drawnBelow = [...this.frames.values()].find((each) => each.above === frame);
    const targets = { ArrowUp: frame.above, ArrowDown: drawnBelow, ArrowLeft: row[at - 1],
      ArrowRight: row[at + 1], Home: row[0], End: row[row.length - 1] };
    if (press.key in targets) this.walk(this.elements.get(targets[press.key]));
    else if (press.key === "Enter" || press.key === " ") this.zoom(frame);
    else if (press.key === "Escape") this.zoom(this.all);
    else if (press.key === "/") this.part("input").focus();
    else return;
    press.preventDefault();
    press.stopPropagation();  // the player of a run has the same keys
  }

  walk(made) {
    if (!made) return;
    this.makeCurrent(made);
    made.focus();
  }

  /* Marks the frames whose names have the text, and says how much of the time is theirs: a frame
     below another one counts once. */
  search() {
    const wanted = this.part("input").value.trim().toLowerCase();
    const found = { time: 0, count: 0 };
    const look = (frame, isBelow) => {
      frame.isHit = wanted !== "" && frame !== this.all &&
        frame.text.toLowerCase().includes(wanted);
      if (frame.isHit && !isBelow) {
        found.time += frame.time;
        found.count += frame.count;
      }
      for (const each of frame.below.values()) look(each, isBelow || frame.isHit);
    };
    look(this.all, false);
    for (const [made, frame] of this.frames) made.classList.toggle("found", isFound(frame));
    this.part(".flame-where").textContent = wanted === "" ? "" :
      `found: ${waited(found.time)}, ${share(found.time, this.all.time)}, ` +
      waitCount(found.count);
  }
}

async function drawFlame(place) {
  const data = place.querySelector("script[type='text/plain']");
  if (!data) return;
  data.remove();
  new Flame(place, JSON.parse(await unpack(data.textContent)));
}

/* In a run's page, they are folded: drawn when they are opened. */
for (const place of document.querySelectorAll(".flame")) {
  const folded = place.closest("details");
  if (!folded || folded.open) drawFlame(place);
  else folded.addEventListener("toggle", () => drawFlame(place));
}
