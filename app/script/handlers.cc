#include "app/script/handlers.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/error.hh"

namespace tcplab::app {

using capture::Event;

namespace {

std::string times(int count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

}  // namespace

Handlers::Handlers(lab::Laboratory& laboratory, const Cursors& cursors)
    : laboratory_(laboratory), cursors_(cursors) {
  laboratory_.timeline().listen([this](const Event& event) { look(event); });
  laboratory_.programs().on_connection.emplace_back(
      [this](const lab::ConnectionKey& connection) { look_again(connection); });
  laboratory_.network().frames().act_by(*this);
}

void Handlers::add(HandlerPlan plan) {
  auto handler =
      std::make_shared<Handler>(Handler{.plan = std::move(plan), .expected = {}, .wait = {}});
  begin(*handler);
  if (handler->wait->ask_every.count() > 0)
    throw base::UsageError("no event reports when this happens: " + handler->wait->expected() +
                           "; wait for it with lab:expect");
  if (handler->plan.times > 1 && dynamic_cast<const Condition*>(handler->wait.get()) != nullptr)
    throw base::UsageError("`times` counts events, and this is a state: " +
                           handler->wait->expected());
  handler->expected = handler->wait->expected();
  handlers_.push_back(handler);
  if (handler->plan.sent_packet == nullptr) decide(handler, handler->wait->at_present());
}

void Handlers::begin(Handler& handler) {
  handler.wait = handler.plan.make();
  handler.after = handler.wait->begin({cursors_, laboratory_.timeline().last(), true});
}

/// Runs inside whatever caused the event, so it only decides: settle() acts.
void Handlers::look(const Event& event) {
  const std::vector<std::shared_ptr<Handler>> handlers = handlers_;
  for (const auto& handler : handlers) {
    if (!handler->wait || handler->plan.sent_packet != nullptr || event.number <= handler->after)
      continue;
    decide(handler, handler->wait->look(event));
    if (handler->wait && handler->count == 0) decide(handler, handler->wait->at_present());
  }
}

/// The connection is now a program's: earlier events of it may count.
void Handlers::look_again(const lab::ConnectionKey& connection) {
  const std::vector<std::shared_ptr<Handler>> handlers = handlers_;
  for (const auto& handler : handlers)
    if (handler->wait && handler->plan.sent_packet == nullptr) look_again(handler, connection);
}

void Handlers::look_again(const std::shared_ptr<Handler>& handler,
                          const lab::ConnectionKey& connection) {
  laboratory_.timeline().visit_about(connection, handler->after, [&](const Event& event) {
    const int count = handler->count;
    decide(handler, handler->wait->look(event));
    return handler->wait && handler->count == count;
  });
}

void Handlers::decide(const std::shared_ptr<Handler>& handler, Decision decision) {
  switch (decision) {
    case Decision::open:
      return;
    case Decision::failed:
      handler->obstacle = handler->wait->seen();
      handler->wait.reset();
      return;
    case Decision::met:
      const Event* event = handler->wait->decisive();
      return came(handler, event == nullptr ? std::nullopt : std::optional(*event));
  }
}

/// Counts the event's data, if the handler needs that.
bool Handlers::has_all_bytes(Handler& handler, const std::optional<Event>& event) {
  const auto* packet = event ? std::get_if<capture::Packet>(&event->body) : nullptr;
  if (packet != nullptr) handler.bytes += packet->length;
  return handler.bytes >= handler.plan.bytes;
}

void Handlers::came(const std::shared_ptr<Handler>& handler, std::optional<Event> event) {
  if (!has_all_bytes(*handler, event)) return begin(*handler);
  if (++handler->count == handler->plan.times)
    handler->wait.reset();
  else
    begin(*handler);
  due_.push_back({handler, std::move(event)});
  if (due_.size() == 1) boost::asio::post(laboratory_.loop(), [this] { settle(); });
}

void Handlers::settle() {
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
        capture::Note{"lab:when in line " + std::to_string(due.handler->plan.line) + ": " +
                      due.handler->expected});
    due.handler->plan.act(due.event ? &*due.event : nullptr);
  }
}

bool Handlers::awaits(const lab::FrameView& frame) const {
  for (const auto& handler : handlers_)
    if (handler->wait && handler->plan.sent_packet != nullptr &&
        handler->plan.sent_packet->filter.matches(frame))
      return true;
  return false;
}

bool Handlers::is_idle() const {
  return due_.empty() &&
         std::ranges::none_of(handlers_, [](const auto& each) { return each->wait != nullptr; });
}

void Handlers::frame_sending(const lab::FrameView& frame, const capture::Packet& packet) {
  const std::vector<std::shared_ptr<Handler>> handlers = handlers_;
  for (const auto& handler : handlers)
    if (handler->wait && handler->plan.sent_packet != nullptr &&
        handler->plan.sent_packet->filter.matches(frame))
      came(handler, Event{.number = 0, .at = packet.sent, .body = packet});
  settle();
}

std::optional<Handlers::Missed> Handlers::first_missed() const {
  for (const auto& handler : handlers_) {
    const HandlerPlan& plan = handler->plan;
    if (plan.is_optional || handler->count == plan.times) continue;
    std::string seen =
        handler->count == 0 ? "it never came" : "it came only " + times(handler->count);
    if (plan.bytes > 0)
      seen = "only " + std::to_string(handler->bytes) + " of " + std::to_string(plan.bytes) +
             " bytes came";
    if (!handler->obstacle.empty()) seen += "; " + handler->obstacle;
    return Missed{
        plan.line,
        "lab:when: " + handler->expected + (plan.times == 1 ? "" : ", " + times(plan.times)), seen};
  }
  return std::nullopt;
}

}  // namespace tcplab::app
