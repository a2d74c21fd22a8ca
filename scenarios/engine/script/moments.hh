// Acts at moments of a run, for lab:when: when a condition is met, a function runs before the next
// frame is on the wire. A packet can be met before the wire decides what becomes of it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/cursors.hh"
#include "scenarios/engine/script/suspension.hh"
#include "scenarios/engine/wire/frame_moments.hh"

namespace tcplab::engine {

/// What to do, and when.
struct MomentPlan {
  int line = 0;   // of the script
  int times = 1;  // how often it acts
  /// Set: acts at the packet with which all packets so far have carried that much data.
  std::uint64_t bytes = 0;
  bool is_optional = false;
  /// Makes what is awaited.
  std::function<std::unique_ptr<Suspension>()> make;
  /// Set: acts when such a frame is sent, before any fault acts on it.
  std::shared_ptr<const PacketPattern> sent_packet{};
  /// Gets the event that met the condition; null if it was met already.
  std::function<void(const capture::Event* event)> act;
};

class Moments : public FrameMoments {
public:
  Moments(Laboratory& laboratory, const Cursors& cursors);
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;

  /// Acts from now on. Throws base::UsageError for a condition that no event meets.
  void add(MomentPlan plan);

  /// Acts at what has come. Does nothing while a function runs: what comes then follows it.
  void settle();

  /// A moment that has not come, or not often enough.
  struct Missed {
    int line = 0;
    std::string expected;
    std::string seen;
  };
  std::optional<Missed> first_missed() const;

  void between_frames() override { settle(); }
  bool awaits(const FrameView& frame) const override;
  void frame_sending(const FrameView& frame, const capture::Packet& packet) override;

private:
  struct Moment {
    MomentPlan plan;
    std::string expected;
    std::unique_ptr<Suspension> wait;  // null once nothing more is awaited
    std::uint64_t after = 0;           // looks at events after this one
    int count = 0;                     // how often it has come
    std::uint64_t bytes = 0;           // that have come, if the plan counts them
    std::string obstacle{};            // why it cannot come any more
  };
  struct Due {
    std::shared_ptr<Moment> moment;
    std::optional<capture::Event> event;
  };

  void look(const capture::Event& event);
  void look_again(const ConnectionKey& connection);
  void look_again(const std::shared_ptr<Moment>& moment, const ConnectionKey& connection);
  void decide(const std::shared_ptr<Moment>& moment, Decision decision);
  void came(const std::shared_ptr<Moment>& moment, std::optional<capture::Event> event);
  void begin(Moment& moment);
  static bool has_all_bytes(Moment& moment, const std::optional<capture::Event>& event);

  Laboratory& laboratory_;
  const Cursors& cursors_;
  std::vector<std::shared_ptr<Moment>> moments_;
  std::deque<Due> due_;
  bool is_acting_ = false;
};

}  // namespace tcplab::engine
