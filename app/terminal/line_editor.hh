// A line editor at the bottom of a terminal, with other text printed above it: libedit
// (editline(3)), fed from an event loop one key at a time. Between two lines (pause()) keys wait
// without echo. The destructor restores the terminal. One instance at a time, one thread.
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

namespace tcplab::app {

/// Returns the length of the first key of the input, in bytes. An escape sequence or a UTF-8
/// character is one key. Returns 0 if the key is incomplete.
std::size_t key_length(std::string_view input);

class LineEditor {
public:
  /// Standard input and output must be a terminal.
  LineEditor(boost::asio::io_context& loop, const reports::Style& style);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  std::function<void(const std::string& line)> on_line;
  std::function<void()> on_end;                           // Ctrl-D on an empty line
  std::function<void()> on_detach;                        // Ctrl-]
  std::function<void(const std::string& before)> on_tab;  // before: the line up to the cursor

  void remember(const std::string& line);
  /// Starts a new line, and handles the keys that were typed since the last one.
  void edit(const std::string& prompt);
  /// Stops editing, and shows `status` instead of the line.
  void pause(const std::string& status);
  bool is_editing() const { return editing_; }

  std::string before_cursor() const;
  void insert(const std::string& text);
  /// Abandons the line, leaves it on the screen, and starts a new one.
  void cancel();
  /// Prints whole lines above the line.
  void print(const std::string& text);
  void set_width(int width);
  /// Restores the terminal before a stop (Ctrl-Z), and takes it back afterwards with the same line.
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
  std::string keys_;  // bytes read but not handled
  std::string kept_;  // the line between let_go() and take_back()
  std::string prompt_;
  int prompt_columns_ = 0;
  std::string status_;
  bool editing_ = false;
};

}  // namespace tcplab::app
