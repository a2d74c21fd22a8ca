// The steps of a ladder. The Narrator makes them from events; a view makes lines of them. A step
// has its words already; the view chooses its place.
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

/// A host appears in the picture, or gets its power back.
struct HostStep {
  std::string host;
  std::string address;
};

/// A host loses power. Its lifeline is broken until its next HostStep.
struct DarkStep {
  std::string host;
};

/// A call, or a program that starts or ends, on one host.
struct HostLine {
  std::string host;
  StyledText text;
  StyledText aside{};  // shown only if there is room
};

/// A new state of a connection, an event of the kernel, or another fact about a host.
struct StateLine {
  std::string host;
  StyledText text;
  bool is_prose = false;  // wrap it instead of cutting it
};

/// A frame, with the states that it caused.
struct Arrow {
  std::string from;                   // empty if no host sent it: forged
  std::string to;                     // empty for a broadcast
  std::vector<std::string> labels{};  // alternatives, the longest first
  Paint paint = Paint::plain;
  capture::Fate fate = capture::Fate::delivered;
  bool is_flood = false;
  StyledText remark{};  // why it was lost or held; how long it was held
  std::vector<StateLine> states{};
};

/// An action of the scenario, drawn across the whole width.
struct Banner {
  std::string text;
};

struct Judgement {
  capture::Verdict verdict;
};

struct Remark {
  std::string text;
};

/// A time in which nothing happens.
struct Quiet {
  capture::nanoseconds span{};
};

using StepContent =
    std::variant<HostStep, DarkStep, HostLine, StateLine, Arrow, Banner, Judgement, Remark, Quiet>;

struct Step {
  std::optional<capture::Instant> at;  // empty for a line without a time
  StepContent content;
  std::vector<std::uint64_t> events{};  // numbers of its events, the main one first
};

using StepSink = std::function<void(const Step&)>;

/// Draws steps one at a time.
class StepRenderer {
public:
  virtual ~StepRenderer() = default;
  virtual void draw(const Step& step) = 0;
};

}  // namespace tcplab::reports
