#include "app/script/waiter.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

namespace tcplab::app {

using capture::Event;
using namespace std::chrono_literals;

namespace {

// While a person holds a frame, deadlines move; they are checked again this often.
constexpr base::nanoseconds kHeldUp = 50ms;
// A program that always has work to do waits for a processor as long as the machine is busy.
constexpr base::nanoseconds kMostPostponed = 60s;
constexpr int kEventsPerTurn = 256;  // after these, the wire gets a turn

}  // namespace

Waiter::Waiter(lab::Laboratory& laboratory)
    : laboratory_(laboratory), alarm_(laboratory.clock().make_alarm()) {
  laboratory_.timeline().listen([this](const Event& event) { look(event); });
  laboratory_.programs().on_connection.emplace_back([this](const lab::ConnectionKey& connection) {
    if (is_waiting()) look_again(connection);
  });
  laboratory_.programs().on_silent = [this] {
    if (has_looked_back_ && is_waiting()) decide(suspension_->at_present());
  };
}

void Waiter::wait(std::unique_ptr<Suspension> suspension) {
  suspension_ = std::move(suspension);
  history_begins_ = suspension_->begin({cursors_, laboratory_.timeline().last()});
  held_at_begin_ = laboratory_.network().frames().stepper().held_time();
  busy_at_begin_ = laboratory_.processor().waited();
  has_looked_back_ = false;
  decision_ = Decision::open;
  if (on_waiting) on_waiting(suspension_->awaited());
  // From the loop, not from the script's call: a long history must not count as the script's time.
  boost::asio::post(laboratory_.loop(), [this] { look_back(); });
}

std::string Waiter::awaited() const { return suspension_ ? suspension_->awaited() : ""; }

void Waiter::cancel() {
  suspension_.reset();
  has_looked_back_ = false;
  decision_ = Decision::open;
  alarm_->cancel();
}

void Waiter::look_back() {
  if (!is_waiting()) return;
  scan_history();
  if (decision_ == Decision::open) decide(suspension_->at_present());
  set_alarm();
}

/// A long history takes long to read, so the wire runs meanwhile. What then comes is the end of the
/// history.
void Waiter::scan_history() {
  has_looked_back_ = false;
  int seen = 0;
  laboratory_.timeline().visit_after(history_begins_, [&](const Event& event) {
    decide(suspension_->look(event));
    if (++seen % kEventsPerTurn == 0) laboratory_.network().pump();
    return decision_ == Decision::open;
  });
  has_looked_back_ = true;
}

/// Runs inside whatever caused the event, so it only decides; the loop calls settle().
void Waiter::look(const Event& event) {
  if (!has_looked_back_ || !is_waiting()) return;
  decide(suspension_->look(event));
  if (decision_ == Decision::open) decide(suspension_->at_present());
}

/// The connection is now a program's: earlier events of it may count.
void Waiter::look_again(const lab::ConnectionKey& connection) {
  laboratory_.timeline().visit_about(connection, history_begins_, [this](const Event& event) {
    decide(suspension_->look(event));
    return decision_ == Decision::open;
  });
  if (has_looked_back_ && decision_ == Decision::open) decide(suspension_->at_present());
}

void Waiter::decide(Decision decision) {
  if (decision == Decision::open || decision_ != Decision::open) return;
  decision_ = decision;
  alarm_->cancel();
  boost::asio::post(laboratory_.loop(), [this] { settle(); });
}

/// The script's clock stands still while a person holds a frame. What is awaited has more time if
/// the run or its programs had no processor.
base::Instant Waiter::deadline() {
  base::Instant at = suspension_->deadline() +
                     (laboratory_.network().frames().stepper().held_time() - held_at_begin_);
  if (suspension_->allows_for_busy_machine())
    at += std::min(laboratory_.processor().waited() - busy_at_begin_, kMostPostponed);
  return at;
}

void Waiter::set_alarm() {
  if (decision_ != Decision::open) return;
  const base::Instant now = laboratory_.clock().now();
  base::Instant next = deadline();
  if (!laboratory_.network().frames().stepper().hanging().empty())
    next = std::max(next, now + kHeldUp);
  if (suspension_->ask_every.count() > 0) next = std::min(next, now + suspension_->ask_every);
  alarm_->set(next, [this] { time_is_up(); });
}

void Waiter::time_is_up() {
  if (!is_waiting()) return;
  if (laboratory_.clock().now() < deadline()) {
    decide(suspension_->at_present());
    return set_alarm();
  }
  laboratory_.sockets().look_at_all();
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

}  // namespace tcplab::app
