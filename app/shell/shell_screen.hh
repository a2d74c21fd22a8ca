// The output of a session: the growing ladder, or the output of an attached program; values and
// errors. At a terminal it appears above the line editor.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "app/terminal/line_editor.hh"
#include "reports/ladder/ladder.hh"
#include "reports/text/call_text.hh"

namespace tcplab::app {

class ShellScreen {
public:
  /// Prints above the editor, or to standard output if `editor` is null. The editor must outlive
  /// the screen.
  ShellScreen(const reports::Style& style, LineEditor* editor);

  void event(const capture::Event& event);
  /// Draws the events before `until`.
  void draw(base::Instant until);
  /// Returns whether all events are drawn.
  bool is_drawn() const { return ladder_->waiting() == 0; }

  void say(const std::string& text, reports::Paint paint = reports::Paint::plain);
  void raw(const std::string& lines);
  void resize(int width);

  /// Shows the recent and the new output of a program ("kang/dnc") instead of the ladder.
  void attach(const std::string& program);
  /// Shows the ladder again, with the rows since attach().
  void detach(base::Instant now);
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
  std::map<std::string, std::deque<std::string>> terminals_;  // program -> its newest lines
  std::string attached_;
};

}  // namespace tcplab::app
