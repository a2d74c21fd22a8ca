// What a session shows: the ladder as it grows, what one program says on its own terminal, values
// and complaints. To a terminal above its line, else line after line.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "reports/ladder/ladder.hh"
#include "reports/text/call_text.hh"
#include "scenarios/engine/terminal/line_editor.hh"

namespace tcplab::engine {

class ShellScreen {
public:
  /// Without an editor to standard output. It outlives the screen.
  ShellScreen(const reports::Style& style, LineEditor* editor);

  void event(const capture::Event& event);
  /// Draws what is older than that.
  void draw(base::Instant until);
  /// Nothing waits to be drawn.
  bool is_drawn() const { return ladder_->waiting() == 0; }

  void say(const std::string& text, reports::Paint paint = reports::Paint::plain);
  void raw(const std::string& lines);
  void resize(int width);

  /// From now on the program's own terminal is shown ("kang/dnc"), what it said before first.
  void attach(const std::string& program);
  /// The ladder again, with what it has missed.
  void detach();
  const std::string& attached() const { return attached_; }

private:
  void own_line(const std::string& program, const std::string& line);
  void take_call(const capture::Event& event, const capture::Call& call);
  void take_program(const capture::Program& program);

  reports::Style style_;
  LineEditor* editor_;
  std::ostringstream drawn_;
  std::unique_ptr<reports::Ladder> ladder_;
  std::vector<capture::Event> hosts_;  // for a new ladder
  reports::HostNames names_;
  std::map<std::string, std::deque<std::string>> terminals_;  // of each program
  std::string attached_;
};

}  // namespace tcplab::engine
