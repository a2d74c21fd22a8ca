/* A step as a sentence for a room. The fields of its headers are in the details. */

const FLAGS = [["S", "SYN"], ["F", "FIN"], ["R", "RST"]];

/* Returns "a SYN ACK", "22 bytes", "a FIN with 22 bytes". */
function segmentWords({ flags = "", length, window: room }) {
  const names = FLAGS.filter(([letter]) => flags.includes(letter)).map(([, name]) => name);
  if (names[0] === "SYN" && flags.includes(".")) names.push("ACK");
  const octets = length ? `${length} ${length === 1 ? "byte" : "bytes"}` : "";
  if (names.length) return `a ${names.join(" ")}${octets && " with " + octets}`;
  return octets || (room === 0 ? "an ACK with a zero window" : "an ACK");
}

function verdictWords({ passed, expected, seen }) {
  if (passed) return `✓ ${expected}`;
  return `✗ expected: ${expected}; seen: ${seen || "nothing that matches"}`;
}

function headline(moment) {
  const list = moment.e.map((number) => events.get(number)).filter(Boolean);
  const verdict = list.find((event) => event.kind === "verdict");
  if (verdict) return verdictWords(verdict);
  let text = words(moment);
  const action = list.find((event) => event.kind === "action");
  if (action) text = text.replace(action.verb, (verb) => verb.replaceAll("_", " "));
  const packet = list.find((event) => event.kind === "packet");
  if (packet?.summary) text = text.replace(` (${packet.summary})`, "");
  if (packet?.protocol === "TCP")
    text = text.replace(/ sends (.*?) to /, (all, label) =>
      ` sends ${segmentWords(packet)}${/ again\b/.test(label) ? " again" : ""} to `);
  text = text.replace(/"([^"]{30})[^"]{6,}"/g, '"$1…"');
  return text.replace(/, delivered(?=[.:]|$)/, "").replace(/^([^ ]+): … /, "$1: ");
}
