#include "app/script/suspension.hh"

#include <algorithm>

namespace tcplab::app {

using capture::Event;

void Suspension::move(Cursors& cursors) const {
  const Event* event = decisive();
  if (event != nullptr && !stream.empty()) cursors.move(stream, event->number);
}

std::string Suspension::account(bool met) const {
  return "awaited " + expected() + (met ? "" : limit()) + " · " + seen();
}

std::uint64_t Eventually::begin(const WaitStart& start) {
  return start.from_now ? start.last : start.cursors.event_at(stream);
}

Decision Eventually::look(const Event& event) {
  switch (pattern_->look(event)) {
    case Match::no:
      return Decision::open;
    case Match::near:
      near_miss_ = event;
      return Decision::open;
    case Match::yes:
      event_ = event;
      return Decision::met;
  }
  return Decision::open;
}

bool Eventually::holds() {
  if (near_miss_ || !holds_already || !holds_already()) return false;
  seen_ = "it is";
  return true;
}

Decision Eventually::at_present() {
  const bool is_first = !std::exchange(asked_, true);
  if (is_first && holds()) return Decision::met;
  const std::string obstacle = ruled_out ? ruled_out() : "";
  if (obstacle.empty()) return Decision::open;
  hopeless_ = true;
  seen_ = obstacle;
  return Decision::failed;
}

Decision Eventually::at_deadline() {
  if (holds()) return Decision::met;
  if (instead) seen_ = instead();
  return Decision::failed;
}

std::string Eventually::seen() const {
  if (event_) return describe(*event_);
  return seen_.empty() ? "it did not come" : seen_;
}

std::string Eventually::nearest() const {
  const std::string text = near_miss_ ? describe(*near_miss_) : "";
  return text == seen_ ? "" : text;
}

std::string Eventually::limit() const {
  return hopeless_ ? "" : ", within " + base::describe(within_);
}

std::uint64_t Never::begin(const WaitStart& start) {
  return unwanted_->begin({start.cursors, start.last, true});
}

/// The other one may fail for good, because its program has ended. The span must pass all the same.
Decision Never::reverse(Decision decision) {
  if (decision == Decision::met) happened_ = true;
  return happened_ ? Decision::failed : Decision::open;
}

Decision Never::look(const Event& event) { return reverse(unwanted_->look(event)); }

Decision Never::at_present() { return reverse(unwanted_->at_present()); }

Decision Never::at_deadline() {
  const Decision decision = reverse(unwanted_->at_deadline());
  return decision == Decision::open ? Decision::met : decision;
}

std::string Never::expected() const {
  return "never for " + base::describe(span_) + ": " + unwanted_->expected();
}

std::string Never::seen() const { return happened_ ? unwanted_->seen() : "it did not come"; }

Decision Condition::ask() {
  Status answer = ask_();
  seen_ = std::move(answer.seen);
  hopeless_ = answer.hopeless && !answer.holds;
  if (hopeless_) return Decision::failed;
  return answer.holds ? Decision::met : Decision::open;
}

Decision Condition::at_deadline() {
  return ask() == Decision::met ? Decision::met : Decision::failed;
}

std::string Condition::limit() const {
  return within_.count() == 0 || hopeless_ ? "" : ", within " + base::describe(within_);
}

FirstOf::FirstOf(base::Instant deadline, std::vector<std::unique_ptr<Suspension>> choices)
    : Suspension(deadline) {
  for (auto& choice : choices) {
    const base::nanoseconds often = choice->ask_every;
    if (often.count() > 0) ask_every = ask_every.count() == 0 ? often : std::min(ask_every, often);
    choices_.push_back({.wait = std::move(choice)});
  }
}

std::uint64_t FirstOf::begin(const WaitStart& start) {
  std::uint64_t first = start.last;
  for (Choice& choice : choices_) {
    choice.after = choice.wait->begin(start);
    first = std::min(first, choice.after);
  }
  return first;
}

template <typename Ask>
Decision FirstOf::ask_each(const Ask& ask) {
  for (std::size_t index = 0; index < choices_.size(); ++index) {
    Choice& choice = choices_[index];
    if (choice.failed) continue;
    const Decision decision = ask(choice);
    choice.failed = decision == Decision::failed;
    if (decision != Decision::met) continue;
    winner_ = index;
    return Decision::met;
  }
  return std::ranges::all_of(choices_, &Choice::failed) ? Decision::failed : Decision::open;
}

Decision FirstOf::look(const Event& event) {
  return ask_each([&](Choice& choice) {
    return event.number > choice.after ? choice.wait->look(event) : Decision::open;
  });
}

Decision FirstOf::at_present() {
  return ask_each([](Choice& choice) { return choice.wait->at_present(); });
}

Decision FirstOf::at_deadline() {
  return ask_each([](Choice& choice) { return choice.wait->at_deadline(); }) == Decision::met
             ? Decision::met
             : Decision::failed;
}

void FirstOf::move(Cursors& cursors) const {
  if (winner_) choices_[*winner_].wait->move(cursors);
}

std::string FirstOf::expected() const {
  std::string text = "the first of: ";
  for (const Choice& choice : choices_)
    text += (&choice == &choices_.front() ? "" : "; ") + choice.wait->expected();
  return text;
}

std::string FirstOf::account(bool met) const {
  if (!met) return "awaited " + expected() + choices_.front().wait->limit() + " · none came";
  const Suspension& first = *choices_[*winner_].wait;
  return "awaited " + expected() + " · first: " + first.expected() + " · " + first.seen();
}

const Event* FirstOf::decisive() const {
  return winner_ ? choices_[*winner_].wait->decisive() : nullptr;
}

}  // namespace tcplab::app
