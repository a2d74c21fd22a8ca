/* On a narrow screen the texts of the two outer hosts move over the wire, so that both lifelines
   and the wire between them fill the width. */

const isNarrow = window.matchMedia("screen and (max-width: 760px)");
function outerLanes() {
  const [first, last] = [run.lanes[0], run.lanes[run.lanes.length - 1]];
  return run.lanes.length > 1 ? { left: first[0], right: last[0] } : null;
}

/* Cuts a text without parts to the width of the wire. */
function cutText(piece, room) {
  if (piece.children.length) return;
  if (!uncut.has(piece)) uncut.set(piece, piece.textContent);
  const text = uncut.get(piece);
  piece.textContent = text.length <= room ? text : text.slice(0, room - 1) + "…";
}

const uncut = new WeakMap();

function moveText(piece, lanes, isMoved) {
  const x = Number(original(piece, "x"));
  const middle = (lanes.left + lanes.right) / 2;
  let to = x;
  let anchor = "";
  if (isMoved) {
    const isOuter = x < lanes.left || x > lanes.right;
    if (piece.classList.contains("pilltext") || piece.classList.contains("pausetext")) to = middle;
    else if (piece.classList.contains("left")) [to, anchor] = [lanes.left + 12, "start"];
    else if (x > lanes.right) [to, anchor] = [lanes.right - 12, "end"];
    else if (isOuter) to = lanes.left + 12 + Math.max(0, x - 18);
  }
  const room = isMoved ? Math.floor((lanes.right - lanes.left - 24) / 7.3) : Infinity;
  cutText(piece, room);
  piece.setAttribute("x", to);
  piece.style.textAnchor = anchor;
}

function moveStep(step, lanes, isMoved) {
  const drawn = drawing(step);
  const isArrow = drawn.querySelector(".frame");
  const time = step.querySelector(":scope > text");
  if (time) {
    if (isMoved) time.setAttribute("x", lanes.left - 12);
    else time.removeAttribute("x");
  }
  drawn.querySelectorAll(":scope > text > [x]").forEach((piece) => {
    if (isArrow) piece.classList.toggle("left-out", isMoved);
    else moveText(piece, lanes, isMoved);
  });
  const pill = drawn.querySelector(".pill");
  if (!pill) return;
  const by = isMoved
    ? (lanes.left + lanes.right) / 2 - Number(original(drawn.querySelector(".pilltext"), "x"))
    : 0;
  const most = isMoved ? lanes.right - lanes.left + 20 : Infinity;
  const own = Number(original(pill, "width"));
  pill.setAttribute("width", Math.min(own, most));
  const inwards = Math.max(0, own - most) / 2 + (isMoved ? 10 : 0);
  pill.setAttribute("transform", `translate(${by + inwards})`);
  drawn.querySelectorAll(".icon").forEach((icon) => icon.classList.toggle("left-out", isMoved));
}

/* Shows the part of the picture from `left` on, `width` wide. */
function crop(picture, left, width) {
  const [, y, , height] = picture.getAttribute("viewBox").split(" ");
  picture.setAttribute("viewBox", `${left} ${y} ${width} ${height}`);
}

/* The addresses of the outer hosts begin and end at the edges of the picture. */
function moveAddresses(lanes, left, width, isMoved) {
  scroll.querySelectorAll(".head .address").forEach((address) => {
    const x = Number(original(address, "x"));
    const isFirst = x === lanes.left;
    const isOuter = isMoved && (isFirst || x === lanes.right);
    const half = address.textContent.length * 3.6;  // of the text's width
    const end = isFirst ? Math.max(x, left + half) : Math.min(x, left + width - half);
    address.setAttribute("x", isOuter ? end : x);
  });
}

function fitWidth() {
  const lanes = outerLanes();
  if (!lanes) return;
  const isMoved = isNarrow.matches;
  if (!isMoved && !document.body.classList.contains("narrow")) return;
  document.body.classList.toggle("narrow", isMoved);
  const whole = original(find(".head"), "viewBox").split(" ").map(Number);
  const left = isMoved ? lanes.left + whole[0] - 14 : whole[0];
  const width = isMoved ? lanes.right + 30 - left : whole[2];
  scroll.style.setProperty("--w", width);
  scroll.style.setProperty("--from", left);
  scroll.querySelectorAll(".head, .sheet").forEach((picture) => {
    original(picture, "viewBox");
    crop(picture, left, width);
  });
  moveAddresses(lanes, left, width, isMoved);
  steps.forEach((step) => moveStep(step, lanes, isMoved));
}

isNarrow.addEventListener("change", () => { fitWidth(); applyView(); });
