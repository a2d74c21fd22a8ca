/* Predict first: asks the question of the quiz, and shows nothing of the run before the answer. */

const isPredicting = () => document.body.classList.contains("predicting");
const quizSection = element("section", undefined, "quiz");
quizSection.setAttribute("aria-label", "What will happen?");

function answer(chosen, buttons, list) {
  const [, isRight, because] = run.quiz.choices[chosen];
  buttons.forEach((button, index) => {
    button.disabled = true;
    if (run.quiz.choices[index][1]) button.classList.add("right");
    else if (index === chosen) button.classList.add("wrong");
  });
  const verdict = element("p", isRight ? "Right." : "Not what happens here.", "verdict");
  if (because) verdict.append(" ", because);
  const show = element("button", "Show what happens", "show");
  show.type = "button";
  show.addEventListener("click", showWhatHappens);
  list.after(verdict, show);
  show.focus();
}

function predict() {
  leave();
  const list = element("ol");
  const buttons = run.quiz.choices.map(([text], index) => {
    const button = element("button", text);
    button.type = "button";
    button.addEventListener("click", () => answer(index, buttons, list));
    const item = element("li");
    item.append(button);
    list.append(item);
    return button;
  });
  quizSection.replaceChildren(element("h2", "What will happen?"), element("p", run.quiz.asks),
    list, element("p", "Press 1 to " + buttons.length + ", or click.", "hint"));
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
  if (isPresenting()) go(0);
}

function showWhatHappens() {
  stopPredicting();
  go(0);
}

if (run.quiz) {
  find("main > header").after(quizSection);
  find("[data-do=predict]").hidden = false;
  find("[data-do=predict]").addEventListener("click", predict);
}
