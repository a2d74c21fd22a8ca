// What a script expects of the next segment that a peer gets, and the suspensions that wait for it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/lua_binding.hh"
#include "app/script/suspension.hh"
#include "lab/peer/peer_connection.hh"

namespace tcplab::app {

/// The fields that a segment must have. Numbers are relative to the initial ones, unless they are
/// `absolute`.
struct SegmentPattern {
  std::optional<std::uint16_t> flags{};
  bool names_push = false;  // else PSH may be set or not
  std::optional<std::uint32_t> sequence{};
  std::optional<std::uint32_t> acknowledgment{};
  std::optional<std::uint32_t> window{};  // as in the header
  std::optional<std::uint32_t> length{};
  std::optional<std::uint32_t> urgent{};
  std::optional<std::string> data{};
  std::optional<std::uint32_t> mss{};
  std::optional<std::uint32_t> window_scale{};
  std::optional<bool> sack_permitted{};
  std::optional<bool> timestamps{};
  std::optional<std::vector<capture::SackBlock>> sack{};
  bool is_absolute = false;

  bool matches(const capture::TcpSegment& segment, const lab::PeerNumbers& numbers) const;
  /// "flags A, ack 101, length 0"; "a segment" if it names nothing.
  std::string describe() const;
};

extern const LuaTable kExpectedSegment;
extern const LuaTable kExpectedOptions;

/// Reads the pattern from the table at `index`.
SegmentPattern segment_pattern(const LuaCall& call, int index);

/// A connection of a peer, and the names of its ends.
struct PeerEnds {
  std::shared_ptr<lab::PeerConnection> connection;
  std::string peer;
  std::string host;

  /// The stream whose cursor is at the last segment that was expected.
  std::string stream() const;
};

/// Waits for the next segment of the host. Fails if another one comes, unless that is skipped.
class SegmentWait : public Suspension {
public:
  SegmentWait(base::Instant deadline, base::nanoseconds within, PeerEnds ends,
              SegmentPattern pattern, bool skips);

  std::uint64_t begin(const WaitStart& start) override { return start.cursors.event_at(stream); }
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override { return Decision::failed; }
  bool allows_for_busy_machine() const override { return true; }
  std::string expected() const override;
  std::string limit() const override;
  std::string seen() const override;
  const capture::Event* decisive() const override { return is_met_ ? &*last_ : nullptr; }

private:
  base::nanoseconds within_;
  PeerEnds ends_;
  SegmentPattern pattern_;
  bool skips_;
  bool is_met_ = false;
  bool has_failed_ = false;
  std::optional<capture::Event> last_;  // the segment that was judged last
};

/// Is met if the host sends nothing that the script has not expected yet.
class SilenceWait : public Suspension {
public:
  SilenceWait(base::Instant deadline, base::nanoseconds span, PeerEnds ends);

  std::uint64_t begin(const WaitStart& start) override { return start.cursors.event_at(stream); }
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override { return Decision::met; }
  void move(Cursors&) const override {}
  std::string expected() const override;
  std::string seen() const override { return came_ ? describe(*came_) : "it sent none"; }

private:
  base::nanoseconds span_;
  PeerEnds ends_;
  std::optional<capture::Event> came_;
};

}  // namespace tcplab::app
