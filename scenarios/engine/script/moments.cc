#include "scenarios/engine/script/moments.hh"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/error.hh"

namespace tcplab::engine {

using capture::Event;

namespace {

std::string times(int count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

}  // namespace

Moments::Moments(Laboratory& laboratory, const Cursors& cursors)
    : laboratory_(laboratory), cursors_(cursors) {
  laboratory_.timeline().listen([this](const Event& event) { look(event); });
  laboratory_.on_connection.emplace_back(
      [this](const ConnectionKey& connection) { look_again(connection); });
  laboratory_.watch().act_by(*this);
}

void Moments::add(MomentPlan plan) {
  auto moment =
      std::make_shared<Moment>(Moment{.plan = std::move(plan), .expected = {}, .wait = {}});
  begin(*moment);
  if (moment->wait->ask_every.count() > 0)
    throw base::UsageError("nothing tells the moment of: " + moment->wait->expected() +
                           "; wait for it with lab:expect");
  if (moment->plan.times > 1 && dynamic_cast<const Condition*>(moment->wait.get()) != nullptr)
    throw base::UsageError("`times` counts events, and this is a state: " +
                           moment->wait->expected());
  moment->expected = moment->wait->expected();
  moments_.push_back(moment);
  if (moment->plan.sent_packet == nullptr) decide(moment, moment->wait->at_present());
}

void Moments::begin(Moment& moment) {
  moment.wait = moment.plan.make();
  moment.after = moment.wait->begin({cursors_, laboratory_.timeline().last(), true});
}

/// Runs inside whatever caused the event, so it only decides: settle() acts.
void Moments::look(const Event& event) {
  const std::vector<std::shared_ptr<Moment>> moments = moments_;
  for (const auto& moment : moments) {
    if (!moment->wait || moment->plan.sent_packet != nullptr || event.number <= moment->after)
      continue;
    decide(moment, moment->wait->look(event));
    if (moment->wait && moment->count == 0) decide(moment, moment->wait->at_present());
  }
}

/// The connection is now a program's: earlier events of it may count.
void Moments::look_again(const ConnectionKey& connection) {
  const std::vector<std::shared_ptr<Moment>> moments = moments_;
  for (const auto& moment : moments)
    if (moment->wait && moment->plan.sent_packet == nullptr) look_again(moment, connection);
}

void Moments::look_again(const std::shared_ptr<Moment>& moment, const ConnectionKey& connection) {
  laboratory_.timeline().visit_about(connection, moment->after, [&](const Event& event) {
    const int count = moment->count;
    decide(moment, moment->wait->look(event));
    return moment->wait && moment->count == count;
  });
}

void Moments::decide(const std::shared_ptr<Moment>& moment, Decision decision) {
  switch (decision) {
    case Decision::open:
      return;
    case Decision::failed:
      moment->obstacle = moment->wait->seen();
      moment->wait.reset();
      return;
    case Decision::met:
      const Event* event = moment->wait->decisive();
      return came(moment, event == nullptr ? std::nullopt : std::optional(*event));
  }
}

/// Counts the event's data, if the moment needs that.
bool Moments::has_all_bytes(Moment& moment, const std::optional<Event>& event) {
  const auto* packet = event ? std::get_if<capture::Packet>(&event->body) : nullptr;
  if (packet != nullptr) moment.bytes += packet->length;
  return moment.bytes >= moment.plan.bytes;
}

void Moments::came(const std::shared_ptr<Moment>& moment, std::optional<Event> event) {
  if (!has_all_bytes(*moment, event)) return begin(*moment);
  if (++moment->count == moment->plan.times)
    moment->wait.reset();
  else
    begin(*moment);
  due_.push_back({moment, std::move(event)});
  if (due_.size() == 1) boost::asio::post(laboratory_.loop(), [this] { settle(); });
}

void Moments::settle() {
  if (is_acting_) return;
  struct Acting {
    bool& flag;
    ~Acting() { flag = false; }
  } const acting{is_acting_ = true};
  while (!due_.empty()) {
    const Due due = std::move(due_.front());
    due_.pop_front();
    laboratory_.timeline().append(
        laboratory_.clock().now(),
        capture::Note{"lab:when in line " + std::to_string(due.moment->plan.line) + ": " +
                      due.moment->expected});
    due.moment->plan.act(due.event ? &*due.event : nullptr);
  }
}

bool Moments::awaits(const FrameView& frame) const {
  for (const auto& moment : moments_)
    if (moment->wait && moment->plan.sent_packet != nullptr &&
        moment->plan.sent_packet->filter.matches(frame))
      return true;
  return false;
}

void Moments::frame_sending(const FrameView& frame, const capture::Packet& packet) {
  const std::vector<std::shared_ptr<Moment>> moments = moments_;
  for (const auto& moment : moments)
    if (moment->wait && moment->plan.sent_packet != nullptr &&
        moment->plan.sent_packet->filter.matches(frame))
      came(moment, Event{.number = 0, .at = packet.sent, .body = packet});
  settle();
}

std::optional<Moments::Missed> Moments::first_missed() const {
  for (const auto& moment : moments_) {
    const MomentPlan& plan = moment->plan;
    if (plan.is_optional || moment->count == plan.times) continue;
    std::string seen =
        moment->count == 0 ? "it never came" : "it came only " + times(moment->count);
    if (plan.bytes > 0)
      seen = "only " + std::to_string(moment->bytes) + " of " + std::to_string(plan.bytes) +
             " bytes came";
    if (!moment->obstacle.empty()) seen += "; " + moment->obstacle;
    return Missed{
        plan.line,
        "lab:when: " + moment->expected + (plan.times == 1 ? "" : ", " + times(plan.times)), seen};
  }
  return std::nullopt;
}

}  // namespace tcplab::engine
