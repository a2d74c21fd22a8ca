#include "scenarios/engine/script/suspension.hh"

namespace tcplab::engine {

using capture::Event;

bool EventExpectation::matches(const Event& event) {
  switch (pattern_->look(event)) {
    case Match::no:
      return false;
    case Match::near:
      near_miss_ = event;
      return false;
    case Match::yes:
      event_ = event;
      return true;
  }
  return false;
}

std::string EventExpectation::seen() const {
  return event_ ? describe(*event_) : "it did not come";
}

std::string EventExpectation::nearest() const { return near_miss_ ? describe(*near_miss_) : ""; }

Decision Eventually::look(const Event& event) {
  return matches(event) ? Decision::met : Decision::open;
}

std::string Eventually::limit() const { return ", within " + base::describe(within_); }

Decision Never::look(const Event& event) {
  return matches(event) ? Decision::failed : Decision::open;
}

std::string Never::expected() const {
  return "never for " + base::describe(span_) + ": " + pattern().describe();
}

std::string Never::seen() const {
  return decisive() == nullptr ? "it did not come" : EventExpectation::seen();
}

Decision Condition::look(const Event&) { return ask(); }

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

}  // namespace tcplab::engine
