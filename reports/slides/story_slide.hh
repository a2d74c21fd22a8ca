// The steps of a run as one slide, of which a key press shows the next step: what happens in a
// sentence, the ladder up to it, and what each host knows.
#pragma once

#include <string>

#include "reports/brief/brief.hh"
#include "reports/brief/brief_ladder.hh"

namespace tcplab::reports {

class StorySlide {
public:
  explicit StorySlide(Brief brief);
  StorySlide(const StorySlide&) = delete;
  StorySlide& operator=(const StorySlide&) = delete;

  const Brief& brief() const { return brief_; }
  const html::Scene& scene() const { return ladder_.scene(); }
  /// Returns the content of the slide; empty if the run has no steps. Step 3 has the id "ID/3".
  std::string markup(const std::string& id) const;

private:
  /// The rows that one key press shows.
  struct Stop {
    std::size_t step = 0;  // the one that its sentence tells
    std::string before{};  // what is left out before it
    std::string after{};   // and after it, at the end of the story
    double bottom = 0;     // of its last row
  };

  std::vector<Stop> stops() const;
  std::string told(const Stop& stop) const;
  std::string knowledge(std::size_t step) const;
  std::string card(const HostView& view) const;
  std::string picture(const std::vector<Stop>& stops) const;

  Brief brief_;
  BriefLadder ladder_;
  std::vector<std::string> hosts_{};  // that do more than to forward frames
};

}  // namespace tcplab::reports
