// The picture of a run, placed but not drawn yet: where each host's lifeline stands, where each
// step goes, which state each connection was in from where to where. All in user units of the
// SVG, one for one pixel, whole ones where rows are; time runs downwards.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/told_run.hh"

namespace tcplab::html {

struct Lifeline {
  std::string host;
  std::string address{};
  double x = 0;              // of the lifeline
  double outer = 0;          // where the host's own text begins
  double room = 0;           // how wide that text may be
  bool is_leftward = false;  // its text is left of its lifeline
};

/// Where a step is drawn.
struct StepPlace {
  double top = 0;
  double height = 0;
  double tail = 0;  // a frame: where it leaves; else the middle
  double tip = 0;   // a frame: where it arrives; else the middle
};

/// A connection of a host in one state. Listeners are drawn beside the connections.
struct Band {
  std::size_t lane = 0;
  int column = 0;  // connections of one host at one time stand side by side
  capture::TcpState state = capture::TcpState::closed;
  double begin = 0;
  double end = 0;
  std::string what{};  // "10.0.0.1:40000, 10.0.0.2:8080"
};

/// A host without power.
struct Darkness {
  std::size_t lane = 0;
  double begin = 0;
  double end = 0;
};

/// A frame that hangs in the air, from where it was stopped to where it goes on.
struct Hanging {
  double x = 0;
  double begin = 0;
  double end = 0;
};

struct Scene {
  double width = 0;  // of what is right of the times
  double height = 0;
  std::vector<Lifeline> lanes{};
  std::vector<StepPlace> places{};  // one a step
  std::vector<Band> bands{};
  std::vector<Darkness> darknesses{};
  std::map<std::uint64_t, Hanging> hangings{};  // by the frame's number
  std::vector<double> cuts{};                   // between two rows: where a page may break

  /// Too long to lay out what nobody looks at, and to draw again what is alike.
  bool is_long() const { return cuts.size() >= 12; }
  /// lanes.size() for nobody.
  std::size_t lane_of(const std::string& host) const;
};

/// What stands beside a host's line, in as many lines as there is no room for it in one.
std::vector<reports::StyledText> lines_of(const Scene& scene, const reports::StateLine& line);

/// Both ends of a frame's line, before what fate does to it.
struct Span {
  double from = 0;
  double to = 0;
};
Span span_of(const Scene& scene, const reports::Arrow& arrow);

/// Lost, or on its way for longer than a wire takes: it has not arrived (yet).
bool stops_short(capture::Fate fate);

/// Where a frame that is lost or held stops, and one that nobody sent begins.
double stop_of(const Span& span);
double birth_of(const Span& span);

inline constexpr double kRow = 23;           // the height of most steps
inline constexpr double kLine = 13;          // from one line of a step to the next
inline constexpr double kTailBelowTop = 16;  // of an arrow in its row
inline constexpr double kBandWidth = 14;
inline constexpr double kCharacter = 7.25;  // how wide one is, in the pictures' 12 px monospace

}  // namespace tcplab::html
