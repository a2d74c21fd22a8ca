// The handlers of lab:when. A handler is a condition with a function of the script. When the
// condition is met, the function runs before the next frame is on the wire. A packet can meet a
// condition before the wire decides its fate.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/cursors.hh"
#include "app/script/suspension.hh"
#include "lab/laboratory.hh"
#include "lab/wire/frame_handlers.hh"

namespace tcplab::app {

/// The condition and the function of a handler.
struct HandlerPlan {
  int line = 0;   // of the script
  int times = 1;  // how often it acts
  /// Set: acts once, at the packet that brings the data of all packets so far to this amount.
  std::uint64_t bytes = 0;
  bool is_optional = false;
  /// Makes the condition.
  std::function<std::unique_ptr<Suspension>()> make;
  /// Set: acts when such a frame is sent, before any fault acts on it.
  std::shared_ptr<const PacketPattern> sent_packet{};
  /// The function. Its argument is the event that met the condition; null if it was met already.
  std::function<void(const capture::Event* event)> act;
};

class Handlers : public lab::FrameHandlers {
public:
  Handlers(lab::Laboratory& laboratory, const Cursors& cursors);
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

  /// Acts from now on. Throws base::UsageError for a condition that no event meets.
  void add(HandlerPlan plan);

  /// Runs the functions of the conditions that are met. Does nothing while a function runs:
  /// conditions that are met meanwhile are handled after it.
  void settle();

  /// A handler whose condition was not met, or not often enough.
  struct Missed {
    int line = 0;
    std::string expected;
    std::string seen;
  };
  std::optional<Missed> first_missed() const;

  void between_frames() override { settle(); }
  bool awaits(const lab::FrameView& frame) const override;
  bool is_idle() const override;
  void frame_sending(const lab::FrameView& frame, const capture::Packet& packet) override;

private:
  struct Handler {
    HandlerPlan plan;
    std::string expected;
    std::unique_ptr<Suspension> wait;  // the condition; null once nothing more is awaited
    std::uint64_t after = 0;           // looks at events after this one
    int count = 0;                     // how often the condition was met
    std::uint64_t bytes = 0;           // of the packets that met it, if the plan counts them
    std::string obstacle{};            // why the condition cannot be met any more
  };
  struct Due {
    std::shared_ptr<Handler> handler;
    std::optional<capture::Event> event;
  };

  void look(const capture::Event& event);
  void look_again(const lab::ConnectionKey& connection);
  void look_again(const std::shared_ptr<Handler>& handler, const lab::ConnectionKey& connection);
  void decide(const std::shared_ptr<Handler>& handler, Decision decision);
  void came(const std::shared_ptr<Handler>& handler, std::optional<capture::Event> event);
  void begin(Handler& handler);
  static bool has_all_bytes(Handler& handler, const std::optional<capture::Event>& event);

  lab::Laboratory& laboratory_;
  const Cursors& cursors_;
  std::vector<std::shared_ptr<Handler>> handlers_;
  std::deque<Due> due_;
  bool is_acting_ = false;
};

}  // namespace tcplab::app
