/* The ladder of a presentation: its text is at least 16 px high in a window 1280 px wide, with any
   number of hosts. The picture keeps its size or shrinks, its type grows, and texts that become too
   wide are cut or set closer. */

const TYPE = 1 / 80;         // height of the text, of the window's width
const ADVANCE = 0.604;       // width of a character, of the text's height
const DRAWN_TYPE = 12;       // height of the text in the page's own picture
const DRAWN_LINE = 13;       // from one line of a step to the next
const BESIDE = 26;           // from a lifeline to its texts
const kept = new WeakMap();  // piece -> its own text

/* Makes a text not wider than `room`. A piece with parts in colour keeps its letters. */
function squeeze(piece, room, type) {
  if (!kept.has(piece)) kept.set(piece, piece.textContent);
  piece.removeAttribute("textLength");
  const own = kept.get(piece);
  if (!piece.children.length) piece.textContent = own;
  const most = Math.floor(room / (ADVANCE * type));
  if (!type || own.length <= most) return;
  if (!piece.children.length) piece.textContent = own.slice(0, Math.max(1, most - 1)) + "…";
  else piece.setAttribute("textLength", room);
  piece.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/* An arrow has less room: what matters least is left out. */
function squeezeLabel(label, room, type) {
  if (!kept.has(label)) kept.set(label, label.textContent);
  let text = kept.get(label);
  for (const part of [/ ack \d+$/, / seq \S+$/, /^ICMP(v6)? (?=.)/])
    if (type && text.length * ADVANCE * type > room) text = text.replace(part, "");
  label.textContent = text;
  if (type && text.length * ADVANCE * type > room) {
    label.setAttribute("textLength", room);
    label.setAttribute("lengthAdjust", "spacingAndGlyphs");
  } else {
    label.removeAttribute("textLength");
  }
}

function spreadLines(piece, type) {
  const y = original(piece, "y");
  if (y === null) return;
  const lines = [...piece.parentElement.querySelectorAll(":scope > [y]")]
    .filter((each) => original(each, "x") === original(piece, "x"));
  const extra = type ? Math.max(0, type * 1.06 - DRAWN_LINE) : 0;
  const place = lines.indexOf(piece) - (lines.length - 1) / 2;
  piece.setAttribute("y", Number(y) + place * extra);
}

/* The room beside the lifeline at which a text begins. */
function roomAt(x, stage) {
  const { lanes, left, width } = stage;
  if (x < lanes[0]) return x - left - stage.times;
  return (lanes.find((lane) => lane > x) ?? left + width + BESIDE / 2) - BESIDE - x;
}

function projectPill(drawn, stage) {
  const pill = drawn.querySelector(".pill");
  if (!pill) return;
  const rule = drawn.querySelector(".rule");
  rule.setAttribute("d", original(rule, "d").replace(/M\S+ (\S+)H\S+/, (all, y) =>
    `M${stage.left + stage.times} ${y}H${stage.left + stage.width - 8}`));
  const own = Number(original(pill, "width"));
  const text = drawn.querySelector(".pilltext");
  const most = stage.width - stage.times - 60;
  if (stage.type) squeeze(text, most, stage.type * 1.1);
  const width = stage.type ? Math.min(most + 60, own * stage.type / DRAWN_TYPE) : own;
  const middle = Number(original(pill, "x")) + own / 2;
  const begin = stage.type ? Math.max(stage.left + stage.times,
    Math.min(stage.left + stage.width - width - 8, middle - width / 2)) : middle - own / 2;
  pill.setAttribute("width", width);
  pill.setAttribute("x", begin);
  text.setAttribute("x", begin + width / 2 + 10);
  drawn.querySelectorAll(".icon").forEach((icon) => {
    const moved = begin - Number(original(pill, "x"));
    icon.setAttribute("transform", `translate(${moved}) ${original(icon, "transform") || ""}`);
  });
}

function projectPiece(piece, stage) {
  if (piece.matches(".pilltext, .pausetext")) return;
  spreadLines(piece, stage.type);
  const x = Number(original(piece, "x"));
  const isAcross = piece.matches(".met, .missed, .seen, .remark");  // over the whole picture
  piece.setAttribute("x", isAcross ? x + stage.left + stage.times - 10 : x);
  const room = isAcross ? stage.width - stage.times - 50 : roomAt(x, stage);
  squeeze(piece, room, stage.type);
}

function projectStep(step, stage) {
  const drawn = drawing(step);
  step.querySelector(":scope > text")?.setAttribute("x", stage.left + stage.times - 10);
  drawn.querySelectorAll(":scope > text > [x]").forEach((piece) => projectPiece(piece, stage));
  drawn.querySelectorAll(".frame > text:not(.why)").forEach((label) => {
    const path = label.parentElement.querySelector("path").getAttribute("d");
    const [from, to] = /M([-\d.]+) 0H([-\d.]+)/.exec(path)?.slice(1).map(Number) ?? [0, 1e4];
    squeezeLabel(label, Math.abs(to - from) - 20, stage.type);
  });
  drawn.querySelectorAll(".frame > .why").forEach((why) =>
    squeeze(why, stage.reason, stage.type));
  projectPill(drawn, stage);
}

/* Sets the type for the room, or as on the page. A narrow screen keeps the picture of the page. */
function project(isPresented) {
  if (!run.lanes.length || !ladder.clientWidth) return;
  const isOn = isPresented && !isNarrow.matches;
  const whole = original(find(".head"), "viewBox").split(" ").map(Number);
  const scale = Math.min(window.innerWidth / 1280, ladder.clientWidth / whole[2]);
  const width = isOn ? ladder.clientWidth / scale : whole[2];
  const shift = -(width - whole[2]) / 2;
  const type = isOn ? Math.max(DRAWN_TYPE, window.innerWidth * TYPE / scale) : 0;
  const stage = { type, width, reason: run.lanes[1]?.[0] - run.lanes[0][0] || width,
    left: whole[0] + shift, lanes: run.lanes.map(([x]) => x),
    times: isOn ? type * 7 : 10 - whole[0] };
  scroll.style.setProperty("--w", width);
  scroll.style.setProperty("--from", stage.left);
  scroll.style.setProperty("--judged", stage.left + stage.times);
  if (isOn) scroll.style.setProperty("--type", `${type}px`);
  else scroll.style.removeProperty("--type");
  scroll.querySelectorAll(".head, .sheet").forEach((picture) => {
    original(picture, "viewBox");
    crop(picture, stage.left, width);
  });
  find(".head .unit").setAttribute("x", stage.left + stage.times - 10);
  steps.forEach((step) => projectStep(step, stage));
  fitWidth();
}
