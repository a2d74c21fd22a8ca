/* The strip above the ladder: the states of each host, and a mark for each step, over time. A click
   goes to a step; dragging shows a span of time only. */

const overview = find(".overview");
const LAST = Math.max(0, ...times.filter((t) => t !== undefined));
const spanShown = () => view.span || [0, LAST || 1];
const changes = run.hosts.map((host) => run.moments
  .flatMap((moment) => (moment.s || []).filter((change) => change[0] === host &&
    change[1] !== "LISTEN" || change[0] === host && change[2] !== "CLOSED")
    .map(([, , to]) => ({ t: moment.t, to }))));
const laneHosts = run.hosts.map((host, index) => index)
  .filter((index) => changes[index].some((change) => change.to !== "LISTEN")).slice(0, 4);
const LANE = 11;
const NAMES = 52;  // room for the hosts' names

/* What is known now: while somebody walks, nothing later. */
const knownUntil = () => (at < 0 ? Infinity : times[at] ?? Infinity);

function markOf(event) {
  if (!event) return "";
  if (event.kind === "packet") {
    if (event.fate === "lost" || (event.flags || "").includes("R")) return "tick bad";
    return event.length && event.protocol === "TCP" ? "tick data" : "tick frame";
  }
  if (event.kind === "verdict") return event.passed ? "tick good" : "tick bad";
  return event.kind === "action" ? "tick act" : "tick call";
}

function drawStates(picture, x, until) {
  laneHosts.forEach((host, lane) => {
    const name = svg("text", { class: "name " + color(run.hosts[host]), x: NAMES - 6,
      y: 1 + LANE * (lane + 0.8), "text-anchor": "end" });
    name.textContent = run.hosts[host].slice(0, 8);
    picture.append(name);
    const list = changes[host];
    list.forEach(({ t, to }, index) => {
      const [first, last] = spanShown();
      const end = Math.min(until, list[index + 1]?.t ?? LAST, last);
      const begin = Math.max(t, first);
      if (to === "CLOSED" || end < begin) return;
      const band = svg("rect", { class: "s-" + to, x: x(begin), y: 2 + lane * LANE,
        width: Math.max(1, x(end) - x(begin)), height: LANE - 2 });
      band.append(svg("title", {}));
      band.firstChild.textContent = `${run.hosts[host]}: ${to}`;
      picture.append(band);
    });
  });
}

function drawOverview() {
  const width = overview.clientWidth;
  if (!width || !order.length) return;
  const height = 2 + laneHosts.length * LANE + 30;
  const ticks = 4 + laneHosts.length * LANE;
  const [from, to] = spanShown();
  const x = (t) => NAMES + (t - from) / (to - from || 1) * (width - NAMES - 4);
  const picture = svg("svg", { width, height, role: "img",
    "aria-label": `The ${run.of} over time. Click to go to a step, drag to show a span of time.` });
  const until = knownUntil();
  drawStates(picture, x, until);
  times.forEach((t, index) => {
    if (t === undefined || t > until || t < from || t > to) return;
    const kind = markOf(firstEvent(run.moments[order[index]]));
    if (kind) picture.append(svg("path", { class: kind, d: `M${x(t).toFixed(1)} ${ticks}v12` }));
  });
  if (at >= 0 && times[at] !== undefined)
    picture.append(svg("path", { class: "cursor",
      d: `M${x(times[at]).toFixed(1)} 0V${height - 14}` }));
  for (const [t, anchor, place] of [[from, "start", NAMES], [to, "end", width - 4]]) {
    const label = svg("text", { x: place, y: height - 2, "text-anchor": anchor });
    label.textContent = seconds(t) + " s";
    picture.append(label);
  }
  overview.replaceChildren(picture);
}

const timeAt = (clientX) => {
  const box = overview.getBoundingClientRect();
  const [from, to] = spanShown();
  const share = (clientX - box.left - NAMES) / (box.width - NAMES - 4);
  return from + Math.max(0, Math.min(1, share)) * (to - from);
};

/* Returns the shown step that is nearest in time, while somebody walks one that is known. */
function stepNear(t) {
  let best = -1;
  times.forEach((each, index) => {
    if (each === undefined || !isShown(index)) return;
    if (best < 0 || Math.abs(each - t) < Math.abs(times[best] - t)) best = index;
  });
  return best;
}

/* Lets a drag over `area` choose a span, and a click choose a step. */
function choosesTime(area, timeAtX, click) {
  let begin = null;
  let shade = null;
  const stop = () => { shade?.remove(); shade = begin = null; };
  area.addEventListener("pointerdown", (press) => {
    if (press.button !== 0) return;
    begin = press.clientX;
    area.setPointerCapture(press.pointerId);
  });
  area.addEventListener("pointermove", (move) => {
    if (begin === null || Math.abs(move.clientX - begin) < 5) return;
    shade = shade || area.appendChild(element("div", undefined, "shade"));
    const box = area.getBoundingClientRect();
    shade.style.left = `${Math.min(begin, move.clientX) - box.left}px`;
    shade.style.width = `${Math.abs(begin - move.clientX)}px`;
  });
  area.addEventListener("pointercancel", stop);
  area.addEventListener("pointerup", (release) => {
    if (begin === null) return;
    const ends = [begin, release.clientX].sort((one, other) => one - other);
    stop();
    if (ends[1] - ends[0] < 5) return click(release);
    showSpan(ends.map(timeAtX));
  });
}

function showSpan(span) {
  view.span = span;
  applyView();
}

choosesTime(overview, timeAt, (release) => {
  const step = stepNear(timeAt(release.clientX));
  if (step >= 0) { pause(); go(step); }
});
