// What a ladder draws, already decided and worded, not yet placed: the values between the
// Narrator (events in, steps out) and a view (steps in, lines out).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// A host, as it gets its place in the picture, or gets its power back.
struct HostStep {
  std::string host;
  std::string address;
};

/// A host's power goes; its lifeline is broken until its next HostStep.
struct DarkStep {
  std::string host;
};

/// What one host did: a call, a program that starts or ends.
struct HostLine {
  std::string host;
  StyledText text;
  StyledText aside{};  // shown where there is room
};

/// A state that a connection of a host has come to, or what the host's kernel said.
struct StateLine {
  std::string host;
  StyledText text;
  bool is_prose = false;  // goes on in the next line, rather than being cut
};

/// A frame, with the states that it brought about.
struct Arrow {
  std::string from;                   // empty: nobody's, it was put on the wire
  std::string to;                     // empty: for everybody
  std::vector<std::string> labels{};  // the longest first
  Paint paint = Paint::plain;
  capture::Fate fate = capture::Fate::delivered;
  bool is_flood = false;
  StyledText remark{};  // why it was lost or held; how long it was held
  std::vector<StateLine> states{};
};

/// The scenario acts: across the whole width.
struct Banner {
  std::string text;
};

struct Judgement {
  capture::Verdict verdict;
};

struct Remark {
  std::string text;
};

/// Nothing happened for so long.
struct Quiet {
  capture::nanoseconds span{};
};

using StepContent =
    std::variant<HostStep, DarkStep, HostLine, StateLine, Arrow, Banner, Judgement, Remark, Quiet>;

struct Step {
  std::optional<capture::Instant> at;  // nothing: a line without a time
  StepContent content;
  std::vector<std::uint64_t> events{};  // numbers of those that it tells, the one it is about first
};

using StepSink = std::function<void(const Step&)>;

/// Draws steps as they come.
class StepRenderer {
public:
  virtual ~StepRenderer() = default;
  virtual void draw(const Step& step) = 0;
};

}  // namespace tcplab::reports
