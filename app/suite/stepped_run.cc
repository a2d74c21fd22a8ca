#include "app/suite/stepped_run.hh"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

#include "app/suite/snapshot_json.hh"
#include "lab/plans/timers.hh"
#include "reports/text/effect_text.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kTellEvery = 100ms;  // of this machine's clock
// An answer to a delivered frame comes sooner: kernels stay patient from one frame to the next.
constexpr base::nanoseconds kPatience = 1s;

}  // namespace

SteppedRun::SteppedRun(Experiment& experiment, RunChannelWriter& channel,
                       base::FileDescriptor control)
    : laboratory_(experiment.laboratory()),
      stepper_(laboratory_.network().frames().stepper()),
      channel_(channel),
      control_(laboratory_.loop(), std::move(control)),
      ticks_(laboratory_.loop()) {
  obey();
  stepper_.on_change = [this] { changed(); };
  laboratory_.timeline().listen([this](const capture::Event& event) { see(event); });
  stepper_.begin();
  tell_now_and_then();
}

void SteppedRun::obey() {
  control_.on("deliver", [this](const std::string&) { deliver(); });
  control_.on("lose",
              [this](const std::string&) { laboratory_.network().frames().lose_by_hand(); });
  control_.on("next", [this](const std::string&) { deliver_until_change(); });
  control_.on("run", [this](const std::string&) { let_run(); });
  control_.on("step", [this](const std::string&) { hold_again(); });
  // The run has neither passed nor failed.
  control_.on("quit", [](const std::string&) { throw lab::Skip("the user quit"); });
  control_.on_end = [this] { let_run(); };
}

void SteppedRun::deliver() {
  until_change_ = false;
  stepper_.deliver();
}

void SteppedRun::deliver_until_change() {
  until_change_ = true;
  stepper_.deliver();
}

void SteppedRun::let_run() {
  until_change_ = false;
  stepper_.let_run();
  tell();
}

void SteppedRun::hold_again() {
  stepper_.begin();
  tell();
}

void SteppedRun::see(const capture::Event& event) {
  const auto* state = std::get_if<capture::State>(&event.body);
  if (state != nullptr && state->to != capture::TcpState::listen) until_change_ = false;
}

/// While a frame is stopped, and a little longer, kernels do not give up.
void SteppedRun::keep_kernels_patient() {
  if (time_stops()) return;
  const base::Instant now = laboratory_.clock().now();
  if (!stepper_.hanging().empty()) patient_until_ = now + kPatience;
  for (const auto& host : laboratory_.hosts().all()) {
    if (now < patient_until_)
      host->sysctls().pause(lab::sysctls_for_pause());
    else
      host->sysctls().resume();
  }
}

/// The wire calls this in the middle of its work, so the next delivery is posted to the loop.
void SteppedRun::changed() {
  keep_kernels_patient();
  laboratory_.clock().hold(!stepper_.hanging().empty());
  tell();
  if (!until_change_ || stepper_.hanging().empty()) return;
  boost::asio::post(laboratory_.loop(), [this] {
    if (until_change_) stepper_.deliver();
  });
}

reports::Snapshot SteppedRun::stand() const {
  reports::Snapshot stand{.is_stepping = stepper_.is_on(), .time_stops = time_stops()};
  const base::Instant now = laboratory_.clock().now();
  for (const lab::Stepper::Hanging& hanging : stepper_.hanging()) {
    const lab::PendingFrame* pending =
        laboratory_.network().frames().faults().pending().find(hanging.frame);
    reports::HeldFrame frame{.frame = hanging.frame,
                             .held = now - hanging.since,
                             .retransmissions = hanging.again.size()};
    if (pending != nullptr && pending->packet) {
      frame.from = pending->packet->from;
      frame.to = pending->packet->to;
      frame.summary = pending->packet->summary;
      frame.why = reports::effects_text(pending->effects, frame.to);
    }
    stand.frames.push_back(std::move(frame));
  }
  for (const auto& host : laboratory_.hosts().all())
    stand.hosts.push_back({host->name(), host->is_on(), host->sockets().details()});
  return stand;
}

void SteppedRun::tell() { channel_.say("stand", to_json(stand())); }

/// While time stands still, nothing changes. To ask the hosts would let it go on.
void SteppedRun::tell_now_and_then() {
  if (!time_stops() || stepper_.hanging().empty()) {
    keep_kernels_patient();
    tell();
  }
  ticks_.expires_after(kTellEvery);
  ticks_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tell_now_and_then();
  });
}

}  // namespace tcplab::app
