/* Plots of the connections that move data: sequence numbers over time, bytes in flight with the
   windows, round trips. They show the same span of time as the strip, and nothing later than the
   current step. reports/plots/plot_json.hh describes the data. */

const plotPane = find(".plots");
const MARGIN = { left: 50, right: 8, top: 6, bottom: 18 };
let flow = run.plots[0];
let plotPoints = [];  // of each plot: [x, y, event, text]

const nameOf = (each) => `${each.from || each.source} → ${each.to || each.destination}`;
const isKnown = (t) => t <= knownUntil();
const sized = (bytes) => bytes >= 1e6 ? `${+(bytes / 1e6).toFixed(2)} MB`
  : bytes >= 1e4 ? `${+(bytes / 1e3).toFixed(1)} kB` : `${bytes} B`;
const lasting = (nano) => nano >= 1e9 ? `${+(nano / 1e9).toFixed(3)} s`
  : nano >= 1e6 ? `${+(nano / 1e6).toFixed(2)} ms` : `${+(nano / 1e3).toFixed(1)} µs`;

/* Returns about `count` round numbers between two. */
function roundNumbers(from, to, count) {
  const rough = (to - from) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const numbers = [];
  for (let each = Math.ceil(from / step) * step; each <= to + step * 1e-6; each += step)
    numbers.push(+each.toPrecision(12));
  return numbers;
}

function powersOfTen(from, to) {
  const numbers = [];
  for (let power = Math.floor(Math.log10(from)); 10 ** power <= to * 1.001; ++power)
    if (10 ** power >= from * 0.999) numbers.push(10 ** power);
  return numbers;
}

/* A plot in the making: maps values to places, and collects points to hover over. */
function axes(width, height, values, isLog) {
  const [from, to] = spanShown();
  const low = isLog ? Math.min(...values) / 1.5 : Math.min(0, ...values);
  const high = isLog ? Math.max(...values) * 1.5 : Math.max(1, ...values) * 1.06;
  const scale = isLog ? Math.log10 : (value) => value;
  const room = height - MARGIN.top - MARGIN.bottom;
  return { width, height, low, high, isLog, points: [],
    x: (t) => MARGIN.left + (t - from) / (to - from || 1) * (width - MARGIN.left - MARGIN.right),
    y: (value) => MARGIN.top + room *
      (1 - (scale(value) - scale(low)) / (scale(high) - scale(low) || 1)),
    shows: (t) => t >= from && t <= to && isKnown(t) };
}

function drawAxes(picture, plot, words) {
  const [from, to] = spanShown();
  const numbers = plot.isLog ? powersOfTen(plot.low, plot.high)
    : roundNumbers(plot.low, plot.high, plot.height / 45);
  for (const number of numbers) {
    const y = plot.y(number).toFixed(1);
    picture.append(svg("path", { class: "grid", d: `M${MARGIN.left} ${y}H${plot.width}` }));
    const label = svg("text", { x: MARGIN.left - 4, y: +y + 4, "text-anchor": "end" });
    label.textContent = words(number).replace(" ", "\u2009");
    picture.append(label);
  }
  for (const t of roundNumbers(from / 1e9, to / 1e9, plot.width / 75)) {
    const x = plot.x(t * 1e9);
    if (x > plot.width - 14 || x < MARGIN.left + 8) continue;
    const label = svg("text", { x, y: plot.height - 4, "text-anchor": "middle" });
    label.textContent = `${t} s`;
    picture.append(svg("path", { class: "grid",
      d: `M${x.toFixed(1)} ${MARGIN.top}V${plot.height - MARGIN.bottom}` }), label);
  }
}

/* Returns the path of a value that stays until it changes. */
function stairs(plot, list, valueOf) {
  const [from, to] = spanShown();
  let path = "";
  let last = null;
  for (const each of list) {
    if (each[1] > to || !isKnown(each[1])) break;
    const y = plot.y(valueOf(each)).toFixed(1);
    const x = plot.x(Math.max(from, each[1])).toFixed(1);
    path = last === null || each[1] < from ? `M${x} ${y}` : `${path}H${x}V${y}`;
    last = y;
  }
  return last === null ? "" : `${path}H${plot.x(Math.min(to, knownUntil(), LAST)).toFixed(1)}`;
}

const stroke = (picture, name, d) => d && picture.append(svg("path", { class: name, d }));
const addPoint = (plot, each, value, text) =>
  plot.shows(each[1]) && plot.points.push([plot.x(each[1]), plot.y(value), each[0], text]);

/* Stevens' time-sequence plot, as tcptrace draws it. */
function drawSequence(picture, plot) {
  const acks = flow.acks;
  stroke(picture, "edge-line", stairs(plot, acks, (each) => Math.min(each[3], plot.high)));
  stroke(picture, "ack-line", stairs(plot, acks, (each) => each[2]));
  let sack = "";
  for (const each of acks) {
    if (!plot.shows(each[1])) continue;
    const ranges = each.slice(4);
    for (let index = 0; index < ranges.length; index += 2)
      sack += `M${plot.x(each[1]).toFixed(1)} ${plot.y(ranges[index + 1]).toFixed(1)}V${
        plot.y(ranges[index]).toFixed(1)}`;
    const text = `ack ${each[2]}, window ${sized(each[3] - each[2])}` +
      (ranges.length ? `, SACK ${ranges.join("–")}` : "");
    addPoint(plot, each, each[2], text);
  }
  stroke(picture, "sack", sack);
  const paths = ["", "", ""];
  let lost = "";
  for (const [event, t, begin, end, kind, isLost] of flow.segments) {
    if (!plot.shows(t)) continue;
    const x = plot.x(t).toFixed(1);
    const top = plot.y(end);
    const length = Math.max(2.5, plot.y(begin) - top);
    paths[kind] += `M${x} ${top.toFixed(1)}v${length.toFixed(1)}`;
    if (isLost) lost += `M${x - 4} ${(top + length / 2 - 4).toFixed(1)}l8 8m0 -8l-8 8`;
    const what = ["", "retransmission, ", "probe, "][kind] + (isLost ? "lost, " : "");
    plot.points.push([plot.x(t), top + length / 2, event, `${what}seq ${begin}–${end}`]);
  }
  ["segment", "again", "probe"].forEach((name, kind) => stroke(picture, name, paths[kind]));
  stroke(picture, "lost-mark", lost);
}

function drawFlight(picture, plot) {
  const bytes = (index) => stairs(plot, flow.kernel.filter((each) => each[index] > 0),
    (each) => Math.min(each[index], plot.high));
  stroke(picture, "window-line", bytes(4));
  stroke(picture, "ssthresh-line", bytes(3));
  stroke(picture, "cwnd-line", bytes(2));
  stroke(picture, "flight-line", stairs(plot, flow.flight, (each) => each[2]));
  for (const each of flow.flight) addPoint(plot, each, each[2], `${sized(each[2])} in flight`);
  for (const each of flow.kernel)
    addPoint(plot, each, Math.min(each[2], plot.high), `cwnd ${sized(each[2])}` +
      (each[3] ? `, ssthresh ${sized(each[3])}` : "") +
      (each[4] ? `, window ${sized(each[4])}` : ""));
}

function drawRoundTrips(picture, plot) {
  const measured = flow.kernel.filter((each) => each[5] > 0);
  stroke(picture, "srtt-line", stairs(plot, measured, (each) => each[5]));
  stroke(picture, "rto-line", stairs(plot, flow.kernel.filter((each) => each[6] > 0),
    (each) => each[6]));
  for (const each of flow.rtt) {
    if (!plot.shows(each[1])) continue;
    picture.append(svg("circle",
      { class: "rtt", cx: plot.x(each[1]), cy: plot.y(each[2]), r: 2.6 }));
    addPoint(plot, each, each[2], `round trip ${lasting(each[2])}`);
  }
  for (const each of flow.kernel)
    addPoint(plot, each, each[6] || each[5], `RTO ${lasting(each[6])}, srtt ${lasting(each[5])}`);
}

/* Windows are often much larger than what is sent: the plot is as high as what is sent needs. */
function sequenceValues() {
  const ends = flow.segments.map((each) => each[3]);
  const top = Math.max(1, ...ends);
  const edges = flow.acks.map((each) => each[3]).filter((edge) => edge < top * 3);
  return [...ends, ...edges];
}

function flightValues() {
  const flights = flow.flight.map((each) => each[2]);
  const cwnds = flow.kernel.map((each) => each[2]);
  const top = Math.max(1, ...flights, ...cwnds);
  const others = flow.kernel.flatMap((each) => [each[3], each[4]]);
  return [...flights, ...cwnds, ...others.filter((value) => value < top * 2)];
}

const PLOTS = [
  { name: "Sequence numbers", share: 0.44, values: sequenceValues, draw: drawSequence, words: sized,
    keys: [["segment", "sent"], ["again", "retransmitted"], ["probe", "probe"],
      ["lost-mark", "lost"], ["ack-line", "acknowledged"], ["sack", "SACK"], ["edge-line", "window's edge"]] },
  { name: "Bytes in flight", share: 0.3, values: flightValues, draw: drawFlight, words: sized,
    keys: [["flight-line", "in flight"], ["cwnd-line", "cwnd"], ["ssthresh-line", "ssthresh"],
      ["window-line", "peer's window"]] },
  { name: "Round trip and RTO", share: 0.26, isLog: true, draw: drawRoundTrips, words: lasting,
    values: () => [...flow.rtt.map((each) => each[2]),
      ...flow.kernel.flatMap((each) => [each[5], each[6]])].filter((value) => value > 0),
    keys: [["rtt", "measured"], ["srtt-line", "srtt (kernel)"], ["rto-line", "RTO (kernel)"]] },
];

/* The step of an event, or the last step before it. */
function stepOf(event) {
  let best = -1;
  let bestNumber = -1;
  order.forEach((key, index) => {
    for (const number of run.moments[key].e)
      if (number <= event && number > bestNumber) [best, bestNumber] = [index, number];
  });
  return best;
}

function keysOf(plot) {
  const list = element("p", undefined, "plot-keys");
  for (const [name, text] of plot.keys) {
    const key = element("span", text);
    const sample = svg("svg", { width: 18, height: 10, "aria-hidden": "true" });
    sample.append(name === "rtt" ? svg("circle", { class: name, cx: 9, cy: 5, r: 2.6 })
      : svg("path", { class: name, d: name === "lost-mark" ? "M5 1l8 8m0 -8l-8 8"
        : /line/.test(name) ? "M0 5H18" : "M9 0V10" }));
    key.prepend(sample);
    list.append(key);
  }
  return list;
}

function makePlots() {
  const select = element("select");
  select.setAttribute("aria-label", "Direction of a connection");
  const port = (endpoint) => endpoint.split(":").pop();
  select.append(...run.plots.map((each, index) => new Option(
    `${nameOf(each)} (${port(each.source)} → ${port(each.destination)})`, index)));
  select.addEventListener("change", () => { flow = run.plots[select.value]; drawPlots(); });
  const enlarge = element("button", "Larger");
  enlarge.type = "button";
  enlarge.title = "Larger plots (g)";
  enlarge.addEventListener("click", enlargePlots);
  const bar = element("div", undefined, "plot-bar");
  bar.append(select, enlarge);
  plotPane.append(bar);
  PLOTS.forEach((plot, index) => {
    const area = element("div", undefined, "plot");
    plot.area = area;
    plotPane.append(element("h2", plot.name), area, keysOf(plot));
    const timeAtX = (clientX) => {
      const [from, to] = spanShown();
      const box = area.getBoundingClientRect();
      const share = (clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      return from + Math.max(0, Math.min(1, share)) * (to - from);
    };
    choosesTime(area, timeAtX, (release) => {
      const point = nearestPoint(index, release);
      if (point) { pause(); go(stepOf(point[2])); }
    });
    area.addEventListener("pointermove", (move) => hoverPoint(index, move));
    area.addEventListener("pointerleave", () => hoverStep(-1));
  });
  plotPane.append(element("p", "", "plot-text"));
}

function nearestPoint(index, move) {
  const box = PLOTS[index].area.getBoundingClientRect();
  const [x, y] = [move.clientX - box.left, move.clientY - box.top];
  let best = null;
  let least = 900;
  for (const point of plotPoints[index] || []) {
    const away = (point[0] - x) ** 2 + (point[1] - y) ** 2;
    if (away < least) [best, least] = [point, away];
  }
  return best;
}

function hoverPoint(index, move) {
  const point = nearestPoint(index, move);
  hoverStep(point ? stepOf(point[2]) : -1);
  find(".plot-text").textContent = point ? point[3] : "";
}

/* Marks a step in the ladder, and its points in the plots. */
function hoverStep(index) {
  steps.forEach((step, each) => step.classList.toggle("hovered", each === index));
  const numbers = index < 0 ? [] : run.moments[order[index]].e;
  showRings("hovered-ring", numbers);
}

function showRings(name, numbers) {
  PLOTS.forEach((plot, index) => {
    const picture = plot.area?.querySelector("svg");
    picture?.querySelectorAll("." + name).forEach((ring) => ring.remove());
    for (const [x, y, event] of plotPoints[index] || [])
      if (numbers.includes(event))
        picture?.append(svg("circle", { class: name, cx: x, cy: y, r: 5 }));
  });
}

function enlargePlots() {
  document.body.classList.toggle("wide-plots");
  showPane("Plots");
  coverFuture();
  drawOverview();
}

function drawPlots() {
  if (!flow || plotPane.hidden || !plotPane.clientWidth) return;
  // All three fit into the window, below the player.
  const room = Math.max(360, window.innerHeight - 452);
  PLOTS.forEach((plot, index) => {
    const values = plot.values();
    const width = plot.area.clientWidth;
    const made = axes(width, plot.share * room, values.length ? values : [1],
      plot.isLog);
    const picture = svg("svg", { width, height: made.height, role: "img",
      "aria-label": `${plot.name}, ${nameOf(flow)}` });
    drawAxes(picture, made, plot.words);
    plot.draw(picture, made);
    if (at >= 0 && times[at] !== undefined)
      stroke(picture, "cursor", `M${made.x(times[at]).toFixed(1)} ${MARGIN.top}V${
        made.height - MARGIN.bottom}`);
    plotPoints[index] = made.points;
    plot.area.replaceChildren(picture);
  });
  if (at >= 0) showRings("ring", run.moments[order[at]].e);
}

if (plotPane) {
  makePlots();
  ladder.addEventListener("pointerover", (move) => {
    if (!plotPane.hidden) hoverStep(steps.indexOf(move.target.closest(".step")));
  });
}
