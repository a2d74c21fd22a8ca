// The line at the bottom of a terminal that somebody types into while other things are printed
// above it: libedit (editline(3)), fed from an event loop a key at a time. Between two lines
// (pause()) keys wait unseen. The terminal is as it was before when this is gone. One at a time,
// one thread.
#pragma once

#include <histedit.h>
#include <termios.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "reports/text/style.hh"

namespace tcplab::engine {

/// How many bytes of the input make its first whole key: an escape sequence or a UTF-8 character is
/// one. 0: more is to come.
std::size_t key_length(std::string_view input);

class LineEditor {
public:
  /// On standard input and output, which are a terminal.
  LineEditor(boost::asio::io_context& loop, const reports::Style& style);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  std::function<void(const std::string& line)> on_line;
  std::function<void()> on_end;                           // Ctrl-D on an empty line
  std::function<void()> on_detach;                        // Ctrl-]
  std::function<void(const std::string& before)> on_tab;  // before: the line up to the cursor

  void remember(const std::string& line);
  /// Begins a new line. What was typed since the last one is taken now.
  void edit(const std::string& prompt);
  /// No line, for now: `status` stands in its place.
  void pause(const std::string& status);
  bool is_editing() const { return editing_; }

  std::string before_cursor() const;
  void insert(const std::string& text);
  /// Leaves the line as it is on the screen and begins anew.
  void cancel();
  /// Above the line: whole lines.
  void print(const std::string& text);
  void set_width(int width);
  /// Around a stop (Ctrl-Z): the terminal is another's. The line is still there after it.
  void let_go();
  void take_back();

private:
  static int next_character(EditLine* line, wchar_t* character);
  static char* prompt(EditLine* line);
  static LineEditor& of(EditLine* line);

  void bind();
  void wait();
  void readable();
  void take_keys();
  void take_key();
  bool take_own_key();
  void finish_line(const std::string& line);
  void erase() const;
  void quieten() const;
  void restore() const;
  void write(const std::string& text) const;

  reports::Style style_;
  termios original_{};
  boost::asio::posix::stream_descriptor input_;
  boost::asio::steady_timer lone_escape_;
  std::unique_ptr<EditLine, void (*)(EditLine*)> line_;
  std::unique_ptr<History, void (*)(History*)> history_;
  std::string keys_;  // read, and not taken yet
  std::string kept_;  // the line, while the terminal is another's
  std::string prompt_;
  int prompt_columns_ = 0;
  std::string status_;
  bool editing_ = false;
};

}  // namespace tcplab::engine
