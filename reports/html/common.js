/* What the scripts of all pages with packed data share. */

/* reports/html/packed.hh */
async function unpack(text) {
  const octets = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}
