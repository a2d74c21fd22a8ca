/* Copies the current step: a link to it, or the story until it as a diagram for Mermaid or as SVG.
   The story is the short version: the steps that matter most, and the current one. */

const isOfStory = (index) =>
  index === at || (index < at && run.moments[order[index]].k < SHORT);
const storySteps = () => [...order.keys()].filter(isOfStory);

/* A step without events, such as a pause, has the link of the one before it. */
function linkToStep() {
  let index = at;
  while (index > 0 && !run.moments[order[index]].e.length) --index;
  const [number] = run.moments[order[index]].e;
  return location.href.split("#")[0] + (number === undefined ? "" : `#event=${number}`);
}

/* Mermaid: the rules of escaping are those of reports/brief/mermaid.cc. */

const PLAIN = /[^\u0080-\u{10ffff}0-9A-Za-z .,:()[\]=/'?!+*_-]/gu;
const encoded = (text) => text.replace(PLAIN, (sign) => `#${sign.codePointAt(0)};`)
  .replaceAll("style", "st#121;le").replaceAll("classDef", "class#68;ef");

function wrapped(text) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    if (lines[last] && lines[last].length + word.length >= 40) lines.push(word);
    else lines[last] += (lines[last] && " ") + word;
  }
  return lines.map(encoded).join("<br/>");
}

const ARROWS = { lost: "-x", held: "--)", delayed: "--)", forged: "-->>" };

/* The participants of a diagram, from left to right, and the lines of its steps. */
class Diagram {
  constructor() {
    this.names = [...document.querySelectorAll(".head .name")].map((name) => name.textContent);
    this.addresses = [...document.querySelectorAll(".head .address")];
    this.lines = [];
    const hosts = this.names.map((name) => name.replace(/[^\w]/g, "\\$&")).join("|");
    this.states = new RegExp(`\\. (?=(?:${hosts}): )`);
  }

  id(host) {
    const lane = this.names.indexOf(host);
    return lane < 0 ? "nobody" : `host${lane + 1}`;
  }

  note(place, text) {
    this.lines.push(`Note ${place}: ${wrapped(text)}`);
  }

  across(text) {
    const last = this.names.length;
    this.note(last > 1 ? `over host1,host${last}` : "over host1", text);
  }

  /* A host's line, "kang: write(4) = 22": the outer ones have it outside of the frames. */
  beside(host, time, text) {
    const words = time + text.slice(host.length + 2);
    if (!this.names.includes(host)) this.across(time + text);
    else if (this.names.length > 1 && host === this.names[0]) this.note("left of host1", words);
    else this.note(`over ${this.id(host)}`, words);
  }

  frame(event, time, text) {
    const [sent, ...states] = text.replace(` (${event.summary})`, "").split(this.states);
    const words = time + sent.replace(/^.*? sends /, "")
      .replace(` to ${event.to || "all"}`, event.to ? "" : ", to all").replace(", delivered", "");
    const from = event.fate === "forged" ? "nobody" : this.id(event.from);
    if (from === "nobody") this.hasForger = true;
    if (event.to) this.lines.push(
      `${from}${ARROWS[event.fate] || "->>"}${this.id(event.to)}: ${wrapped(words)}`);
    else this.note(`over ${from}`, words);
    for (const state of states) this.beside(state.split(": ")[0], "", state);
  }

  step(moment) {
    const event = firstEvent(moment);
    const time = "t" in moment ? `${(moment.t / 1e9).toFixed(3)} s: ` : "";
    const text = words(moment).replace(event?.kind === "action" ? event.verb : "",
      (verb) => verb.replaceAll("_", " "));
    if (event?.kind === "packet") this.frame(event, time, text);
    else if (event?.host && text.startsWith(event.host + ": ") && event.kind !== "action")
      this.beside(event.host, time, text);
    else this.across(time + text);
  }

  text() {
    const title = encoded(document.querySelector("h1").textContent);
    const participants = this.names.map((name, lane) => {
      const address = this.addresses[lane].textContent;
      return `participant host${lane + 1} as ${encoded(name)}${address && "<br/>"}${
        encoded(address)}`;
    });
    if (this.hasForger) participants.push("participant nobody as nobody<br/>(forged)");
    return ["sequenceDiagram", ...[`title ${title}`, `accTitle: ${title}`, ...participants,
      ...this.lines].map((line) => "  " + line), ""].join("\n");
  }
}

function mermaidOfStory() {
  const diagram = new Diagram();
  let next = 0;
  for (const index of storySteps()) {
    const count = index - next;
    if (count) diagram.across(`⋯ ${count} ${count === 1 ? "step" : "steps"}`);
    diagram.step(run.moments[order[index]]);
    next = index + 1;
  }
  return diagram.text();
}

/* SVG: a copy of the picture, in which a style sheet of its own says how each element looks. */

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight",
  "font-style", "text-anchor", "paint-order", "letter-spacing", "word-spacing"];

class Copier {
  constructor() {
    this.rules = new Map();  // what an element looks like -> its class
  }

  copy(element) {
    const made = element.cloneNode(false);
    made.removeAttribute("class");
    made.removeAttribute("style");
    if (element.nodeType !== Node.ELEMENT_NODE) return made;
    const computed = getComputedStyle(element);
    if (computed.display === "none" && element.localName !== "title" &&
        !element.closest("defs")) return "";
    if (!["title", "g", "defs"].includes(element.localName)) {
      const tip = computed.markerEnd === "none" ? "" : ";marker-end:url(#tip)";
      const look =
        LOOKS.map((name) => `${name}:${computed.getPropertyValue(name)}`).join(";") + tip;
      if (!this.rules.has(look)) this.rules.set(look, `c${this.rules.size}`);
      made.setAttribute("class", this.rules.get(look));
    }
    if (element.matches(".judged"))
      for (const name of ["x", "y", "width", "height", "rx"])
        made.setAttribute(name, parseFloat(computed.getPropertyValue(name)) || 0);
    for (const child of element.childNodes) made.append(this.child(child));
    return made;
  }

  child(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return node.cloneNode();
    return node.matches(".hit") ? "" : this.copy(node);
  }

  /* A row that repeats has its drawing elsewhere. */
  row({ step, top, to }) {
    const made = svg("g", { transform: `translate(0 ${to})` });
    const drawn = drawing(step);
    for (const child of drawn.childNodes) made.append(this.child(child));
    if (drawn !== step)
      for (const child of step.children) if (child.localName === "text") {
        const text = this.copy(child);
        text.setAttribute("y", Number(child.getAttribute("y")) - top);
        made.append(text);
      }
    return made;
  }
}

/* What is behind the steps, in the order in which it is drawn. A band of a sheet that is left out
   may reach into others. */
const BEHIND = [".sheet:not(.left-out) > .life", ".sheet > .band",
  ".sheet:not(.left-out) > :not(.life, .band, .step, use)"];

function svgOfStory() {
  showSteps(isOfStory);
  const copier = new Copier();
  const head = find(".head");
  const [x, , width, headHeight] = head.getAttribute("viewBox").split(" ").map(Number);
  const bottom = places[at].to + places[at].height;
  const height = headHeight + bottom + 8;
  const made = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height,
    viewBox: `${x} ${-headHeight} ${width} ${height}`, role: "img" });
  const paper = svg("rect", { x, y: -headHeight, width, height,
    fill: getComputedStyle(ladder).backgroundColor });
  const names = svg("g", { transform: `translate(0 ${-headHeight})` });
  for (const child of head.children) names.append(copier.copy(child));
  const behind =
    svg("svg", { x, y: 0, width, height: bottom, viewBox: `${x} 0 ${width} ${bottom}` });
  for (const parts of BEHIND)
    for (const part of document.querySelectorAll(parts)) behind.append(copier.copy(part));
  const rows = places.filter((place) => place.shown).map((place) => copier.row(place));
  const title = svg("title", {});
  title.textContent = find("h1").textContent;
  const style = svg("style", {});
  style.textContent = [...copier.rules].map(([look, name]) => `.${name}{${look}}`).join("\n");
  made.append(title, style, paper, names, behind, ...rows);
  applyView();
  return new XMLSerializer().serializeToString(made) + "\n";
}

const copyBar = element("div", "Copy this step:", "copy");
const copyBox = element("textarea");
const copied = element("span");
copied.setAttribute("role", "status");
copyBox.readOnly = true;
copyBox.rows = 4;

/* Without a clipboard, as in some browsers from disk, the reader copies a selected text. */
async function copy(text, what) {
  copyBox.remove();
  try {
    await navigator.clipboard.writeText(text);
    copied.textContent = `${what} copied`;
  } catch {
    copyBox.value = text;
    copyBox.setAttribute("aria-label", what);
    copyBar.append(copyBox);
    copyBox.select();
    copied.textContent = "Press Ctrl+C";
  }
}

for (const [name, make, title] of [
  ["Link", linkToStep, "A link that opens this page at this step"],
  ["Mermaid", mermaidOfStory, "The story until this step, as a diagram for Markdown"],
  ["SVG", svgOfStory, "The story until this step, as a picture"]]) {
  const button = element("button", name);
  button.type = "button";
  button.title = title;
  button.addEventListener("click", () => copy(make(), name));
  copyBar.append(button);
}
copyBar.append(copied);
find(".player").append(copyBar);
