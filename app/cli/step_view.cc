#include "app/cli/step_view.hh"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>

#include "app/cli/commands.hh"
#include "app/cli/suite_views.hh"
#include "app/suite/snapshot_json.hh"
#include "app/terminal/readiness.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using boost::asio::posix::stream_descriptor;

namespace {

// DEC private modes (xterm's ctlseqs), in the syntax of ECMA-48.
constexpr const char* kHideCursor = "\x1b[?25l";
constexpr const char* kShowCursor = "\x1b[?25h";

reports::Style step_style(bool verbose) {
  reports::Style style = style_of(STDOUT_FILENO);
  style.verbose = verbose;
  return style;
}

}  // namespace

void need_terminal_for_steps() {
  const char* type = std::getenv("TERM");
  const bool dumb = type == nullptr || std::string(type) == "dumb" || *type == '\0';
  if (dumb || ::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1)
    throw base::UsageError("--step needs a terminal that can move its cursor; use --live instead");
  const Window window = window_of(STDOUT_FILENO);
  const bool is_known = window.columns > 0 && window.rows > 0;
  if (is_known && (window.columns < reports::kNarrowestStep || window.rows < reports::kLowestStep))
    throw base::UsageError(
        fmt::format("--step needs a window of at least {} columns and {} lines; this one has {} "
                    "and {}",
                    reports::kNarrowestStep, reports::kLowestStep, window.columns, window.rows));
}

StepView::StepView(bool verbose) : style_(step_style(verbose)), ladder_(ladder_text_, style_) {}

StepView::~StepView() { give_terminal_back(); }

void StepView::begins(boost::asio::io_context& loop) {
  terminal_.emplace(STDIN_FILENO, StopKeys::are_keys);
  std::cout << kHideCursor << std::flush;
  keys_.emplace(loop, readiness_of(STDIN_FILENO).release());
  wait_for_key();
}

void StepView::ends() {
  keys_.reset();
  control_ = nullptr;  // the run may have been ended from outside
  if (!terminal_) return;
  ladder_.finish();
  write_above_panel("");
  give_terminal_back();
}

void StepView::give_terminal_back() {
  if (!terminal_) return;
  std::cout << erased() << kShowCursor << std::flush;
  forget_keys(STDIN_FILENO);
  terminal_.reset();
}

void StepView::started(std::size_t, base::Instant) {}

void StepView::controls(std::size_t, RunControl& control) { control_ = &control; }

void StepView::event(std::size_t, const capture::Event& event) {
  if (const auto* up = std::get_if<capture::HostUp>(&event.body)) panel_.names.learn(*up);
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) {
    control_ = nullptr;  // no more panels
    end_ = end->outcome;
  }
  knowledge_.see(event);
  time_.learn(event.at);
  ladder_.event(event);
}

void StepView::said(std::size_t, const RunMessage& message) {
  if (message.what != "stand") return;
  panel_.stand = parse_snapshot(message.text);
  redraw();
}

void StepView::finished(std::size_t, const reports::RunResult& result) {
  control_ = nullptr;
  ladder_.finish();
  std::ostringstream text;
  tell_result(text, result, end_ == result.outcome);
  ladder_text_ << text.str();
  panel_.stand = {};
}

void StepView::state(const std::string& text) { write_above_panel(text); }

void StepView::tick(base::Instant now) {
  ladder_.flush(time_.at(now) - kLateness);
  if (ladder_text_.tellp() > 0) redraw();
}

void StepView::wait_for_key() {
  keys_->async_wait(stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (!error) take_keys();
  });
}

/// Reads keys. If the terminal is gone, lets the run continue without pauses.
void StepView::take_keys() {
  std::array<char, 64> keys{};
  const ssize_t size = ::read(STDIN_FILENO, keys.data(), keys.size());
  if (size == -1 && errno == EINTR) return wait_for_key();
  if (size <= 0) return press('r');
  const std::string_view pressed(keys.data(), static_cast<std::size_t>(size));
  if (pressed.front() != '\x1b')  // skip an arrow, or another key of several characters
    for (const char key : pressed) press(key);
  wait_for_key();
}

void StepView::press(char key) {
  if (key == '?' || key == 'h') {
    panel_.shows_help = !panel_.shows_help;
    return redraw();
  }
  if (control_ == nullptr) return;
  switch (key) {
    case ' ':
    case '\n':
    case '\r':
      return control_->say("deliver");
    case 'l':
      return control_->say("lose");
    case 'n':
      return control_->say("next");
    case 'r':
      return control_->say("run");
    case 's':
      return control_->say("step");
    case 'q':
      return control_->say("quit");
    default:
      return;
  }
}

std::string StepView::erased() {
  const int lines = std::exchange(panel_lines_, 0);
  return lines == 0 ? "" : fmt::format("\x1b[{}A\x1b[J", lines);
}

std::string StepView::drawn() {
  panel_.hosts = knowledge_.views();
  const Window window = window_of(STDOUT_FILENO);
  if (window.rows > 0) panel_.height = window.rows;
  reports::Style style = style_;
  if (window.columns > 0) style.width = std::min(style.width, window.columns);
  style.width -= 1;  // a line that reaches the edge takes two on some terminals
  std::string text;
  const auto lines = step_panel_lines(panel_, style);
  for (const reports::StyledText& line : lines) text += render(line, style) + "\n";
  panel_lines_ = static_cast<int>(lines.size());
  return text;
}

void StepView::redraw() {
  if (terminal_ && control_ != nullptr) write_above_panel("");
}

/// Writes everything at once, because several writes flicker.
void StepView::write_above_panel(const std::string& text) {
  std::string all = erased() + ladder_text_.str() + text;
  ladder_text_.str("");
  if (control_ != nullptr) all += drawn();
  std::cout << all << std::flush;
}

}  // namespace tcplab::app
