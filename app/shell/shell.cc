#include "app/shell/shell.hh"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>

#include "app/shell/session_worker.hh"
#include "app/suite/run_process.hh"
#include "app/suite/signals.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "netns/programs/processes.hh"
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
  start();
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

void Shell::start() {
  const std::filesystem::path folder = base::make_output_folder(options_.plan.folder.string());
  base::Pipe pipe = base::make_pipe();
  ControlEnds guard = make_control();
  ControlEnds control = make_control();
  const WorkerTies ties{.folder = folder,
                        .channel = pipe.write_end.get(),
                        .guard = guard.hears.get(),
                        .control = control.hears.get(),
                        .every_event = true};
  const std::array kept{ties.channel, ties.guard, ties.control};
  auto space =
      start_run(options_.plan.on, kept, [&] { return run_session_worker(options_.plan, ties); });
  run_process_ = space.pid;
  guard_.add({.process = run_process_,
              .limits = options_.plan.limits,
              .is_stepped = true,
              .socket = std::move(guard.says),
              .on_kill = [this](const std::string& reason) { reason_ = reason; }});
  control_.emplace(std::move(control.says));
  end_.emplace(loop_, space.pidfd.release());
  reader_ = std::make_unique<lab::PipeReader>(
      loop_, std::move(pipe.read_end), [this](std::string_view text) { channel_.take(text); });
  end_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                   [this](const boost::system::error_code& error) {
                     if (!error) run_ended();
                   });
}

void Shell::connect() {
  channel_.on_event = [this](const capture::Event& event) {
    changed_ = base::now();
    time_.learn(event.at);
    record_.event(event);
    screen_.event(event);
  };
  channel_.on_waiting = [this](const std::string& what) { waiting_ = what; };
  channel_.on_failure = [](const std::string&) {};
  channel_.on_reason = [this](const std::string& text) { reason_ = text; };
  channel_.on_other = [this](const RunMessage& message) { take_message(message); };
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
  if (busy_) return control_->say("stop");
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
  guard_.tick();
  screen_.draw(time_.at(now) - kLateness);
  if (turn_ && (screen_.is_drawn() || now - changed_ > kRest)) conclude();
  if (busy_ && !turn_ && editor_ && now - submitted_ > kRest && !waiting_.empty())
    editor_->pause("waiting for: " + std::exchange(waiting_, "") + " (Ctrl-C to stop)");
  if (!editor_ && !busy_ && !quitting_) read_standard_input();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tick();
  });
}

bool Shell::is_quiet() const {
  const base::Instant now = base::now();
  if (!screen_.is_drawn()) return false;
  if (now - submitted_ > kLongestRest) return true;
  // On a busy machine, a program may wait longer than kRest for a processor.
  return now - changed_ > kRest && !netns::is_any_running(run_process_);
}

void Shell::read_standard_input() {
  if (!is_quiet()) return;
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (partial_.find('\n') == std::string::npos && !input_ended_ && ::poll(&input, 1, 0) == 1) {
    std::array<char, 4096> buffer;
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) input_ended_ = true;
    if (size > 0) partial_.append(buffer.data(), static_cast<std::size_t>(size));
  }
  const auto end = partial_.find('\n');
  if (end == std::string::npos && !input_ended_) return;
  if (end == std::string::npos && partial_.empty()) return end_input();
  const std::string line = partial_.substr(0, end);
  partial_.erase(0, end == std::string::npos ? end : end + 1);
  std::cout << (attached_.empty() ? "lab> " : attached_ + "> ") << reports::printable(line)
            << std::endl;
  take_line(line);
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
  if (!editor_ || busy_ || asks_states_ || quitting_) return;
  if (!attached_.empty()) return editor_->edit(attached_ + "> ");
  editor_->edit(pending_.empty() ? "lab> " : "...> ");
}

void Shell::submit(const std::string& text) {
  busy_ = true;
  waiting_.clear();
  submitted_ = base::now();
  // A clock that jumps stands still at the prompt.
  record_.turn_begins(options_.plan.on.is_own() ? time_.newest() : submitted_);
  if (editor_) editor_->pause("");
  control_->say("turn", text);
}

void Shell::take_message(const RunMessage& message) {
  if (message.what == "turn") return take_turn(json::parse(message.text));
  if (message.what == "completions") return take_completions(json::parse(message.text));
  if (message.what == "notice") return screen_.say(message.text, reports::Paint::dim);
  if (message.what == "states") {
    asks_states_ = false;
    busy_ = false;
    screen_.raw(message.text);
    next();
  }
}

/// Takes the reply to a turn. An incomplete statement is not a turn; the shell asks for more.
void Shell::take_turn(json said) {
  if (said.value("incomplete", false)) {
    const bool gives_up = pending_.ends_with("\n\n") || input_ended_;
    record_.forget_turn();
    busy_ = false;
    if (!gives_up) return next();
    pending_.clear();
    screen_.say("incomplete statement: " + said.at("error").get<std::string>(),
                reports::Paint::bad);
    ++failures_;
    return next();
  }
  pending_.clear();
  changed_ = std::max(changed_, submitted_);
  turn_ = std::move(said);
}

/// Shows the result of a turn, after all its events are drawn.
void Shell::conclude() {
  const json said = std::move(*turn_);
  turn_.reset();
  busy_ = false;
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
  control_->say("stop");
  control_->say("quit");
}

void Shell::run_ended() {
  siginfo_t info{};
  base::check("wait for the lab's process",
              ::waitid(P_PIDFD, static_cast<id_t>(end_->native_handle()), &info, WEXITED));
  reader_->drain();
  screen_.detach(time_.now());
  run_status_ = info.si_code == CLD_EXITED ? info.si_status : 3;
  if (info.si_code != CLD_EXITED && reason_.empty())
    reason_ = "the lab's process was killed by " + base::signal_name(info.si_status);
  loop_.stop();
}

int Shell::tell_end() {
  if (!quitting_)
    throw base::LabError(reason_.empty() ? "the lab's process ended unexpectedly" : reason_);
  std::cout << "To see this session again: tcplab show "
            << reports::printable(options_.plan.folder.string()) << std::endl;
  if (signal_ != 0) return 128 + signal_;
  if (run_status_ == 3) throw base::LabError(reason_);
  return !options_.is_terminal && failures_ > 0 ? 1 : 0;
}

}  // namespace tcplab::app
