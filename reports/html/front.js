// The search of the front page. It needs no server: the page has the titles, questions and tags of
// all scenarios. A result has all words. Words in a title count most, then those in tags.

const form = document.querySelector(".find");
const list = document.querySelector(".found");
const most = 12;
const weights = [4, 1, 2];  // of title and name, question, tags
const scenarios = JSON.parse(await unpack(document.getElementById("scenarios").textContent));

function rank(scenario, wanted) {
  const texts = [`${scenario.title} ${scenario.name}`, scenario.asks, scenario.tags]
    .map((text) => text.toLowerCase());
  let sum = 0;
  for (const word of wanted) {
    const best = Math.max(...texts.map((text, i) => (text.includes(word) ? weights[i] : 0)));
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function item(scenario) {
  const made = element("li");
  const link = element("a", scenario.title);
  link.href = scenario.page;
  made.append(link, element("p", scenario.asks));
  return made;
}

function find() {
  const wanted = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const results = wanted.length === 0 ? [] : scenarios
    .map((scenario) => [rank(scenario, wanted), scenario])
    .filter(([points]) => points > 0)
    .sort(([one], [other]) => other - one);
  list.replaceChildren(...results.slice(0, most).map(([, scenario]) => item(scenario)));
  const said = form.querySelector("output");
  said.textContent = wanted.length === 0 ? `${scenarios.length} scenarios` :
    results.length > most ? `${most} of ${results.length} found` : `${results.length} found`;
}

form.addEventListener("input", find);
form.addEventListener("submit", (submission) => {  // Enter: all results, in the catalogue
  submission.preventDefault();
  location.href = form.dataset.all + "#" + new URLSearchParams({ text: form.elements.text.value });
});
window.addEventListener("pageshow", find);  // the browser may have restored the words
form.hidden = false;
find();
