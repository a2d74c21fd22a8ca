// Shows one slide at a time, and of a story one step. The page can be read and printed without it.

const find = (selector) => document.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const stops = all(".slide").flatMap((slide) => {
  const steps = all(".told > li", slide);
  return steps.length ? steps.map((step) => ({ slide, step })) : [{ slide, step: null }];
});
let at = 0;

/* What hosts know is in smaller type if there is much of it. */
function fitKnowledge(step) {
  const knowledge = step.querySelector(".knowledge");
  for (let size = 1.5; knowledge && size > 0.8; size -= 0.1) {
    knowledge.style.setProperty("--size", `${size}rem`);
    const whole = Math.max(...[...knowledge.children].map((card) => card.scrollHeight), 0);
    if (whole <= 15.5 * parseFloat(getComputedStyle(document.documentElement).fontSize)) return;
  }
}

/* Shows the rows of the ladder until this step, the last of them in any case. */
function showLadder(slide, step) {
  const sheet = slide.querySelector(".sheet");
  const height = sheet.viewBox.baseVal.height;
  const bottom = Number(step.dataset.bottom);
  const scale = sheet.clientWidth / sheet.viewBox.baseVal.width || 1;
  const room = sheet.parentElement.clientHeight / scale;
  sheet.style.setProperty("--up", `${-100 * Math.max(0, bottom - room) / height}%`);
  sheet.style.setProperty("--cut", `${100 * Math.max(0, height - bottom) / height}%`);
  const number = all(".told > li", slide).indexOf(step) + 1;
  for (const row of all(".step", sheet)) row.classList.toggle("at", row.matches(`.stop-${number}`));
}

function go(index, keepsAddress) {
  at = Math.max(0, Math.min(stops.length - 1, index));
  const { slide, step } = stops[at];
  for (const shown of all(".slide.at, .told > .at")) shown.classList.remove("at");
  slide.classList.add("at");
  step?.classList.add("at");
  if (step) {
    fitKnowledge(step);
    showLadder(slide, step);
  }
  find(".turn output").textContent = `${at + 1} / ${stops.length}`;
  const id = (step || slide).id;
  if (!keepsAddress)
    history.replaceState(null, "", "#" + encodeURIComponent(id).replaceAll("%2F", "/"));
  if (!slide.contains(document.activeElement)) slide.focus({ preventScroll: true });
}

function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/* A slide's address is its id, or that of a step. */
function followAddress() {
  const wanted = document.getElementById(decoded(location.hash.slice(1)));
  const index = stops.findIndex(({ slide, step }) => wanted && [slide, step].includes(wanted));
  go(Math.max(0, index), true);
}

/* What the room predicts is marked on the slide with the answer, too. */
function predict(button) {
  const buttons = all("button", button.closest(".options"));
  for (const each of buttons)
    each.setAttribute("aria-pressed", String(each === button && each.ariaPressed !== "true"));
  const id = button.closest(".slide").id.replace(/predict$/, "answer");
  all("li > p:first-child", document.getElementById(id)).forEach((text, index) => {
    text.querySelector(".voted")?.remove();
    if (buttons[index].ariaPressed !== "true") return;
    const mark = document.createElement("span");
    mark.className = "voted";
    mark.textContent = " ← your prediction";
    text.append(mark);
  });
}

function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1,
  PageUp: -1, Home: -Infinity, End: Infinity };

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  if (press.target.matches("button, a") && (press.key === " " || press.key === "Enter")) return;
  if (press.key === "f") fillScreen();
  const choice = all(".options button", stops[at].slide)[Number(press.key) - 1];
  if (choice) predict(choice);
  if (!(press.key in keys)) return;
  press.preventDefault();
  go(at + (press.key === " " && press.shiftKey ? -1 : keys[press.key]));
});

document.addEventListener("click", (click) => {
  const button = click.target.closest("button");
  if (!button) return;
  if (button.dataset.turn) go(at + Number(button.dataset.turn));
  else predict(button);
  if (click.detail) button.blur();  // of a mouse: the space key turns the page again
});

/* A swipe of more than 50 px, across the screen. */
let touch = null;
document.addEventListener("touchstart", (start) => {
  touch = start.touches.length === 1 ? start.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", (end) => {
  if (!touch) return;
  const across = end.changedTouches[0].clientX - touch.clientX;
  const down = end.changedTouches[0].clientY - touch.clientY;
  if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) go(at - Math.sign(across));
}, { passive: true });

for (const { slide } of stops) slide.tabIndex = -1;
for (const list of all(".told")) list.setAttribute("aria-live", "polite");
find(".turn").hidden = false;
document.body.classList.add("show");
window.addEventListener("hashchange", followAddress);
window.addEventListener("resize", () => go(at, true));
followAddress();
