#include "app/shell/shell_screen.hh"

#include <algorithm>
#include <iostream>

#include "base/error.hh"
#include "base/split.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using reports::StyledText;

namespace {

constexpr std::size_t kLinesKept = 200;  // lines kept of each program
constexpr std::size_t kLinesShown = 15;  // of these, lines shown by attach()

}  // namespace

ShellScreen::ShellScreen(const reports::Style& style, LineEditor* editor)
    : style_(style),
      editor_(editor),
      ladder_(std::make_unique<reports::Ladder>(drawn_, style, reports::LadderParts::rows_only)) {}

void ShellScreen::event(const capture::Event& event) {
  if (const auto* up = std::get_if<capture::HostUp>(&event.body)) {
    names_.learn(*up);
    hosts_.push_back(event);
  }
  if (const auto* call = std::get_if<capture::Call>(&event.body)) take_call(event, *call);
  if (const auto* program = std::get_if<capture::Program>(&event.body)) take_program(*program);
  ladder_->event(event);
}

void ShellScreen::take_call(const capture::Event&, const capture::Call& call) {
  if (call.phase != capture::CallPhase::leave || (call.fd >= 0 && call.fd <= 2)) return;
  const StyledText text = reports::call_text(call, reports::CallView::whole, names_, style_);
  own_line(call.host + "/" + call.program, render(text, style_));
}

void ShellScreen::take_program(const capture::Program& program) {
  const std::string key = program.host + "/" + program.program;
  StyledText text;
  switch (program.change) {
    case capture::ProgramChange::started:
      text.add("$ " + program.command, reports::Paint::dim);
      break;
    case capture::ProgramChange::exited:
      text.add("exited with " + std::to_string(program.code), reports::Paint::strong);
      break;
    case capture::ProgramChange::killed:
      text.add("killed by " + base::signal_name(program.code), reports::Paint::strong);
      break;
    case capture::ProgramChange::calls_unseen:
      text.add("its calls are not all seen: " + program.text, reports::Paint::strong);
      break;
    case capture::ProgramChange::wrote:
      for (const std::string& line : base::split(program.text, '\n'))
        own_line(key, render(StyledText(line, reports::Paint::strong), style_));
      return;
  }
  own_line(key, render(text, style_));
}

void ShellScreen::own_line(const std::string& program, const std::string& line) {
  auto& lines = terminals_[program];
  lines.push_back(line);
  if (lines.size() > kLinesKept) lines.pop_front();
  if (program == attached_) raw(line + "\n");
}

void ShellScreen::draw(base::Instant until) {
  ladder_->flush(until);
  if (!attached_.empty() || drawn_.tellp() == 0) return;
  const std::string text = drawn_.str();
  drawn_.str("");
  raw(text);
}

void ShellScreen::say(const std::string& text, reports::Paint paint) {
  std::string shown;
  for (const std::string& line : base::split(text, '\n'))
    for (const std::string& part : reports::wrap(line, style_.width - 1))
      shown += render(StyledText(part, paint), style_) + "\n";
  raw(shown);
}

void ShellScreen::raw(const std::string& lines) {
  if (editor_ != nullptr) return editor_->print(lines);
  std::cout << lines << std::flush;
}

/// A ladder cannot change its width, so a new one draws the next rows.
void ShellScreen::resize(int width) {
  ladder_->finish();
  style_.width = width;
  ladder_ = std::make_unique<reports::Ladder>(drawn_, style_, reports::LadderParts::rows_only);
  for (const capture::Event& host : hosts_) ladder_->event(host);
}

void ShellScreen::attach(const std::string& program) {
  attached_ = program;
  const auto& lines = terminals_[program];
  std::string text;
  for (std::size_t i = lines.size() - std::min(lines.size(), kLinesShown); i < lines.size(); ++i)
    text += lines[i] + "\n";
  raw(text);
}

void ShellScreen::detach(base::Instant now) {
  attached_.clear();
  draw(now);
}

}  // namespace tcplab::app
