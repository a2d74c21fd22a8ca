// The geometry of a run's picture: the places of lifelines, steps, and bands of states. All values
// are user units of the SVG, of one pixel each. Time runs downwards.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/page_run.hh"

namespace tcplab::html {

struct Lifeline {
  std::string host;
  std::string address{};
  double x = 0;              // of the lifeline
  double outer = 0;          // where the host's texts begin
  double room = 0;           // the greatest width of these texts
  int color = 0;             // of the page's four colours for hosts
  bool is_leftward = false;  // the texts are left of the lifeline
};

/// Where a step is drawn.
struct StepPlace {
  double top = 0;
  double height = 0;
  double tail = 0;  // where a frame leaves; for other steps, the middle
  double tip = 0;   // where a frame arrives; for other steps, the middle
};

/// The time that a connection spends in one state. Listeners are drawn beside the connections.
struct Band {
  std::size_t lane = 0;
  int column = 0;  // concurrent connections of one host are side by side
  capture::TcpState state = capture::TcpState::closed;
  double begin = 0;
  double end = 0;
  std::string what{};  // "10.0.0.1:40000, 10.0.0.2:8080"
};

/// The time that a host is without power.
struct Darkness {
  std::size_t lane = 0;
  double begin = 0;
  double end = 0;
};

/// The time that a frame is held.
struct Hanging {
  double x = 0;
  double begin = 0;
  double end = 0;
};

struct Scene {
  double width = 0;  // without the column of times
  double times = 0;  // width of the steps' numbers and times, which end at x = 0
  double height = 0;
  std::vector<Lifeline> lanes{};
  std::vector<StepPlace> places{};  // one for each step
  std::vector<Band> bands{};
  std::vector<Darkness> darknesses{};
  std::map<std::uint64_t, Hanging> hangings{};  // by frame number
  std::vector<double> cuts{};                   // page breaks, between two rows

  /// Returns whether the picture is so long that equal rows share a drawing, and a browser should
  /// lay out only what is visible.
  bool is_long() const { return cuts.size() >= 12; }
  /// Returns the index of the host's lane; lanes.size() if it has none.
  std::size_t lane_of(const std::string& host) const;
};

/// Breaks the text beside a lifeline into lines that fit.
std::vector<reports::StyledText> lines_of(const Scene& scene, const reports::StateLine& line);

/// The ends of a frame's arrow, if the frame is delivered.
struct Span {
  double from = 0;
  double to = 0;
};
Span span_of(const Scene& scene, const reports::Arrow& arrow);

/// Returns whether the arrow ends before the receiver, because the frame is lost, held or delayed.
bool stops_short(capture::Fate fate);

/// Return where a lost or held frame stops, and where a forged frame begins.
double stop_of(const Span& span);
double birth_of(const Span& span);

inline constexpr double kRow = 23;           // the height of most steps
inline constexpr double kLine = 13;          // from one line of a step to the next
inline constexpr double kTailBelowTop = 16;  // of an arrow in its row
inline constexpr double kBandWidth = 14;
inline constexpr double kCharacter = 7.25;  // width of a character in 12 px monospace

}  // namespace tcplab::html
