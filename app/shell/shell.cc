#include "app/shell/shell.hh"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>

#include "app/suite/signals.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto kTick = 50ms;
// Between two lines of standard input, the shell waits until no event has come for this long.
constexpr base::nanoseconds kRest = 150ms;
constexpr base::nanoseconds kLongestRest = 5s;

}  // namespace

Shell::Shell(ShellOptions options)
    : options_(std::move(options)),
      signals_(loop_, SIGINT, SIGTERM, SIGHUP),
      ticker_(loop_),
      editor_(options_.is_terminal ? std::make_unique<LineEditor>(loop_, options_.style) : nullptr),
      screen_(options_.style, editor_.get()),
      history_(options_.is_terminal ? ShellHistory::default_file() : ""),
      lines_(options_.first_lines.begin(), options_.first_lines.end()) {}

int Shell::run() {
  process_.start(options_.plan, make_shell_session);
  connect();
  wait_for_signals();
  if (editor_) {
    for (const std::string& line : history_.load()) editor_->remember(line);
    editor_->on_line = [this](const std::string& line) { take_typed(line); };
    editor_->on_end = [this] { end_input(); };
    editor_->on_detach = [this] { detach(); };
    editor_->on_tab = [this](const std::string& before) { complete(before); };
    screen_.say("tcplab shell: " + options_.plan.variant +
                    ". Type help for help, Tab to complete, Ctrl-D to quit.",
                reports::Paint::strong);
  }
  next();
  tick();
  loop_.run();
  editor_.reset();
  return tell_end();
}

void Shell::connect() {
  RunChannelReader& channel = process_.channel;
  channel.on_event = [this](const capture::Event& event) {
    changed_ = base::now();
    time_.learn(event.at);
    record_.event(event);
    screen_.event(event);
  };
  channel.on_waiting = [this](const std::string& what) { turn_.waiting = what; };
  channel.on_failure = [](const std::string&) {};
  channel.on_other = [this](const RunMessage& message) { take_message(message); };
  process_.on_end = [this] {
    screen_.detach(time_.now());
    loop_.stop();
  };
}

void Shell::wait_for_signals() {
  if (editor_) {
    signals_.add(SIGTSTP);
    signals_.add(SIGWINCH);
    restart_calls_after({SIGTSTP, SIGWINCH});
  }
  restart_calls_after({SIGINT, SIGTERM, SIGHUP});
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    take_signal(signal);
    wait_for_signals();
  });
}

void Shell::take_signal(int signal) {
  if (signal == SIGINT) return interrupt();
  if (signal == SIGTSTP) return stopped_by_terminal();
  if (signal == SIGWINCH) return take_width();
  signal_ = signal;
  quit();
}

/// Handles Ctrl-Z. The run continues, in its own session. A background process gets no SIGWINCH
/// (tty_ioctl(4)), so the width is read again afterwards.
void Shell::stopped_by_terminal() {
  editor_->let_go();
  ::raise(SIGSTOP);
  editor_->take_back();
  take_width();
}

void Shell::take_width() {
  const int width = style_of(STDOUT_FILENO).width;
  if (width == options_.style.width) return;
  options_.style.width = width;
  editor_->set_width(width);
  screen_.resize(width);
}

void Shell::interrupt() {
  if (turn_.is_running) return process_.say("stop");
  if (!editor_) {
    signal_ = SIGINT;
    return quit();
  }
  if (!attached_.empty()) return submit(attached_ + ":stop \"SIGINT\"");
  pending_.clear();
  editor_->cancel();
  if (!editor_->is_editing()) prompt();
}

void Shell::tick() {
  const base::Instant now = base::now();
  process_.tick();
  screen_.draw(time_.at(now) - kLateness);
  if (turn_.result && (screen_.is_drawn() || now - changed_ > kRest)) conclude();
  if (turn_.is_running && !turn_.result && editor_ && now - turn_.began > kRest &&
      !turn_.waiting.empty())
    editor_->pause("waiting for: " + std::exchange(turn_.waiting, "") + " (Ctrl-C to stop)");
  if (!editor_ && !turn_.is_running && !quitting_) read_standard_input();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tick();
  });
}

bool Shell::is_quiet() const {
  const base::Instant now = base::now();
  if (!screen_.is_drawn()) return false;
  if (now - turn_.began > kLongestRest) return true;
  // On a busy machine, a program may wait longer than kRest for a processor.
  return now - changed_ > kRest && !process_.is_any_running();
}

void Shell::read_standard_input() {
  if (!is_quiet()) return;
  const auto line = input_.next();
  if (!line) {
    if (input_.is_at_end()) end_input();
    return;
  }
  std::cout << (attached_.empty() ? "lab> " : attached_ + "> ") << reports::printable(*line)
            << std::endl;
  take_line(*line);
}

/// Executes the next of the first lines, or shows the prompt.
void Shell::next() {
  if (quitting_) return;
  if (lines_.empty()) return prompt();
  const std::string line = lines_.front();
  lines_.pop_front();
  screen_.raw("lab> " + line + "\n");
  take_line(line);
}

void Shell::prompt() {
  if (!editor_ || turn_.is_running || turn_.asks_states || quitting_) return;
  if (!attached_.empty()) return editor_->edit(attached_ + "> ");
  editor_->edit(pending_.empty() ? "lab> " : "...> ");
}

void Shell::submit(const std::string& text) {
  turn_.is_running = true;
  turn_.waiting.clear();
  turn_.began = base::now();
  // A clock that jumps stands still at the prompt.
  record_.turn_begins(options_.plan.on.may_skip_time() ? time_.newest() : turn_.began);
  if (editor_) editor_->pause("");
  process_.say("turn", text);
}

void Shell::take_message(const RunMessage& message) {
  if (message.what == "turn") return take_turn(json::parse(message.text));
  if (message.what == "completions") return take_completions(json::parse(message.text));
  if (message.what == "notice") return screen_.say(message.text, reports::Paint::dim);
  if (message.what == "states") {
    turn_.asks_states = false;
    turn_.is_running = false;
    screen_.raw(message.text);
    next();
  }
}

/// Takes the reply to a turn. An incomplete statement is not a turn; the shell asks for more.
void Shell::take_turn(json said) {
  if (said.value("incomplete", false)) {
    const bool gives_up = pending_.ends_with("\n\n") || input_.has_ended();
    record_.forget_turn();
    turn_.is_running = false;
    if (!gives_up) return next();
    pending_.clear();
    screen_.say("incomplete statement: " + said.at("error").get<std::string>(),
                reports::Paint::bad);
    ++failures_;
    return next();
  }
  pending_.clear();
  changed_ = std::max(changed_, turn_.began);
  turn_.result = std::move(said);
}

/// Shows the result of a turn, after all its events are drawn.
void Shell::conclude() {
  const json said = std::move(*turn_.result);
  turn_.result.reset();
  turn_.is_running = false;
  if (editor_) editor_->pause("");
  TurnResult result{.text = said.at("text"),
                    .ok = said.at("ok"),
                    .statement = said.value("statement", true),
                    .error = said.value("error", ""),
                    .names = said.at("names"),
                    .cursors = said.at("cursors")};
  names_ = result.names;
  if (!result.ok) {
    ++failures_;
    screen_.say("✗ " + result.error, reports::Paint::bad);
  } else if (const std::string value = said.value("value", ""); !value.empty()) {
    screen_.say("= " + value, reports::Paint::note);
  }
  record_.turn_ends(std::move(result));
  next();
}

void Shell::end_input() {
  if (attached_.empty()) return quit();
  submit(attached_ + ":close_stdin()");
}

void Shell::quit() {
  if (quitting_) return;
  quitting_ = true;
  if (!pending_.empty()) ++failures_;
  if (editor_) editor_->pause("");
  process_.say("stop");
  process_.say("quit");
}

int Shell::tell_end() {
  if (!quitting_)
    throw base::LabError(process_.reason().empty() ? "the lab's process ended unexpectedly"
                                                   : process_.reason());
  std::cout << "To see this session again: tcplab show "
            << reports::printable(options_.plan.folder.string()) << std::endl;
  if (signal_ != 0) return 128 + signal_;
  if (process_.status() == 3) throw base::LabError(process_.reason());
  return !options_.is_terminal && failures_ > 0 ? 1 : 0;
}

}  // namespace tcplab::app
