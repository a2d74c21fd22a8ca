#include "scenarios/engine/script/waiter.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

namespace tcplab::engine {

using capture::Event;
using namespace std::chrono_literals;

namespace {

// While a person holds a frame, deadlines move; they are checked again this often.
constexpr base::nanoseconds kHeldUp = 50ms;

std::string waits_for(const Suspension& suspension, base::Instant now) {
  const std::string what = suspension.expected() + suspension.limit();
  return what.empty() ? base::describe(suspension.deadline() - now) + " to pass" : what;
}

}  // namespace

Waiter::Waiter(Laboratory& laboratory)
    : laboratory_(laboratory), alarm_(laboratory.clock().make_alarm()) {
  laboratory_.timeline().listen([this](const Event& event) { look(event); });
}

void Waiter::wait(std::unique_ptr<Suspension> suspension) {
  suspension_ = std::move(suspension);
  history_begins_ = suspension_->begin({cursors_, laboratory_.timeline().last()});
  held_at_begin_ = laboratory_.watch().stepper().held_time();
  has_looked_back_ = false;
  decision_ = Decision::open;
  if (on_waiting) on_waiting(waits_for(*suspension_, laboratory_.clock().now()));
  // From the loop, not from the script's call: a long history must not count as the script's time.
  boost::asio::post(laboratory_.loop(), [this] { look_back(); });
}

void Waiter::cancel() {
  suspension_.reset();
  has_looked_back_ = false;
  decision_ = Decision::open;
  alarm_->cancel();
}

void Waiter::look_back() {
  if (!is_waiting()) return;
  has_looked_back_ = true;
  scan_history();
  if (decision_ == Decision::open) decide(suspension_->at_present());
  set_alarm();
}

void Waiter::scan_history() {
  laboratory_.timeline().visit_after(history_begins_, [this](const Event& event) {
    decide(suspension_->look(event));
    return decision_ == Decision::open;
  });
}

/// Runs inside whatever caused the event, so it only decides; the loop calls settle().
void Waiter::look(const Event& event) {
  if (!has_looked_back_ || !is_waiting()) return;
  const auto* call = std::get_if<capture::Call>(&event.body);
  // A call that names a connection makes it the program's: earlier events may now count.
  if (call != nullptr && call->remote)
    scan_history();
  else
    decide(suspension_->look(event));
  if (decision_ == Decision::open) decide(suspension_->at_present());
}

void Waiter::decide(Decision decision) {
  if (decision == Decision::open || decision_ != Decision::open) return;
  decision_ = decision;
  alarm_->cancel();
  boost::asio::post(laboratory_.loop(), [this] { settle(); });
}

/// The script's clock stands still while a person holds a frame.
base::Instant Waiter::deadline() const {
  return suspension_->deadline() + (laboratory_.watch().stepper().held_time() - held_at_begin_);
}

void Waiter::set_alarm() {
  if (decision_ != Decision::open) return;
  const base::Instant now = laboratory_.clock().now();
  base::Instant next = deadline();
  if (!laboratory_.watch().stepper().hanging().empty()) next = std::max(next, now + kHeldUp);
  if (suspension_->ask_every.count() > 0) next = std::min(next, now + suspension_->ask_every);
  alarm_->set(next, [this] { time_is_up(); });
}

void Waiter::time_is_up() {
  if (!is_waiting()) return;
  if (laboratory_.clock().now() < deadline()) {
    decide(suspension_->at_present());
    return set_alarm();
  }
  laboratory_.look_at_all();
  if (decision_ == Decision::open) decide(suspension_->at_deadline());
}

void Waiter::settle() {
  if (!suspension_ || decision_ == Decision::open) return;
  const bool met = decision_ == Decision::met;
  const auto decided = std::move(suspension_);
  cancel();
  if (met) decided->move(cursors_);
  on_decided(*decided, met);
}

}  // namespace tcplab::engine
