/* Predict first: asks the question of the quiz, and shows nothing of the run before the answer. */

const isPredicting = () => document.body.classList.contains("predicting");
const quizSection = element("section", undefined, "quiz");
quizSection.setAttribute("aria-label", "What will happen?");

/* Writes beside an answer whether it is right: the colour alone would not say it to everybody. */
function markAnswer(item, isRight, isChosen) {
  if (!isRight && !isChosen) return;
  const button = item.querySelector("button");
  button.classList.add(isRight ? "right" : "wrong");
  const text = isRight ? "✓ right" + (isChosen ? ": your answer" : "") : "✗ your answer";
  item.append(element("span", text, "answer"));
}

function verdictOf(chosen) {
  const [, isRight, because] = run.quiz.choices[chosen];
  const right = run.quiz.choices.find(([, right]) => right);
  const parts = isRight ? ["✓ Right.", because]
    : ["✗ Not what happens here.", because, right && `The answer is: ${right[0]}`];
  return parts.filter(Boolean).join(" ");
}

function answer(chosen, list, verdict) {
  [...list.children].forEach((item, index) => {
    item.querySelector("button").disabled = true;
    markAnswer(item, run.quiz.choices[index][1], index === chosen);
  });
  verdict.textContent = verdictOf(chosen);
  const show = element("button", "Show what happens", "show");
  show.type = "button";
  show.addEventListener("click", showWhatHappens);
  verdict.after(show);
  show.focus();
}

function predict() {
  stopWalking();
  const list = element("ol");
  const verdict = element("p", "", "verdict");
  verdict.setAttribute("role", "status");  // a screen reader says what comes into it
  run.quiz.choices.forEach(([text], index) => {
    const button = element("button", text);
    button.type = "button";
    button.addEventListener("click", () => answer(index, list, verdict));
    const item = element("li");
    item.append(button);
    list.append(item);
  });
  quizSection.replaceChildren(element("h2", "What will happen?"), element("p", run.quiz.asks),
    list, verdict, element("p", `Press 1 to ${list.children.length}, or click.`, "hint"));
  document.body.classList.add("predicting");
  history.replaceState(null, "", "#predict");
  window.scrollTo(0, 0);
}

/* A number is an answer. After it, the keys that go forward show what happens. */
function answerByKey(press) {
  const show = quizSection.querySelector(".show");
  const isForward = { ...keys, ...remoteKeys }[press.key] === "forward";
  if (!show) quizSection.querySelectorAll("ol button")[Number(press.key) - 1]?.click();
  if (!show || !isForward) return;
  press.preventDefault();
  show.click();
}

/* Leaves the question. A presentation always has a step, so it begins again with the first. */
function stopPredicting() {
  document.body.classList.remove("predicting");
  quizSection.replaceChildren();
  history.replaceState(null, "", location.pathname + location.search);
  if (!isPresenting()) return leave();
  project(true);
  walk(0, 1);
}

function showWhatHappens() {
  stopPredicting();
  walk(0, 1);
}

if (run.quiz) {
  find("main > header").after(quizSection);
  find("[data-do=predict]").hidden = false;
  find("[data-do=predict]").addEventListener("click", predict);
}
