#include "app/protocol/protocol_relay.hh"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/protocol/protocol_worker.hh"
#include "app/terminal/readiness.hh"
#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::app {

using namespace std::chrono_literals;
using nlohmann::ordered_json;

namespace {

constexpr auto kTick = 50ms;
constexpr std::chrono::milliseconds kLastWait = 1s;  // for a client that does not read
constexpr std::size_t kLongestRequest = std::size_t{1} << 20;
constexpr int kProtocolVersion = 1;

/// Returns what standard output is ready for, maybe after a wait: POLLOUT, and POLLERR if nobody
/// reads it.
short output_state(std::chrono::milliseconds wait = {}) {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, static_cast<int>(wait.count())) == 1 ? output.revents : short{0};
}

std::string line_of(const ordered_json& said) {
  return said.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json refusal(const ordered_json& id, const std::string& kind, const std::string& message) {
  return {{"id", id}, {"ok", false}, {"error", {{"kind", kind}, {"message", message}}}};
}

/// Returns the id of a request, which need not be valid; null if it has none.
ordered_json id_of(const std::string& request) {
  const auto said = ordered_json::parse(request, nullptr, false);
  if (!said.is_object() || !said.contains("id")) return nullptr;
  const ordered_json& id = said.at("id");
  return id.is_primitive() ? id : ordered_json();
}

std::string outcome_word(int status) {
  return std::string(capture::word(outcome_of(static_cast<RunStatus>(status))));
}

std::string folder_of(const RunPlan& plan) {
  return std::filesystem::absolute(plan.folder).lexically_normal();
}

}  // namespace

ProtocolRelay::ProtocolRelay(RunPlan plan)
    : plan_(std::move(plan)),
      signals_(loop_, SIGINT, SIGTERM, SIGHUP),
      ticker_(loop_),
      input_(kLongestRequest) {}

SessionEnd ProtocolRelay::run() {
  std::signal(SIGPIPE, SIG_IGN);  // a client that has gone ends the run, not only this process
  process_.start(plan_, make_protocol_session);
  connect();
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    end_.signal = signal;
    quit();
  });
  tick();
  loop_.run();
  stop_catching_signals();
  end_.status = process_.status().value_or(static_cast<int>(RunStatus::broken));
  end_.reason = process_.reason();
  return end_;
}

void ProtocolRelay::connect() {
  process_.channel.on_event = [](const capture::Event&) {};
  process_.channel.on_waiting = [](const std::string&) {};
  process_.channel.on_failure = [](const std::string&) {};
  process_.channel.on_other = [this](const RunMessage& message) { take_message(message); };
  process_.on_end = [this] { loop_.stop(); };
}

void ProtocolRelay::take_message(const RunMessage& message) {
  if (message.what == "ready") take_ready(message.text);
  if (message.what == "refusal") end_.has_refused = true;
  if (message.what == "answer" || message.what == "refusal") answered(message.text + "\n");
}

void ProtocolRelay::take_ready(const std::string& session) {
  answered(line_of({{"format", "tcplab-session"},
                    {"version", kProtocolVersion},
                    {"session", session},
                    {"variant", plan_.variant},
                    {"folder", folder_of(plan_)}}));
}

/// The next request is taken from the loop: this is called while a message of the run is read.
void ProtocolRelay::answered(const std::string& line) {
  is_pending_ = false;
  output_ += line;
  flush();
  boost::asio::post(loop_, [this] { next(); });
}

/// Takes the next request, if the last one is answered and the client has read the answer.
void ProtocolRelay::next() {
  if (is_pending_ || quitting_ || !output_.empty()) return;
  if (const auto line = input_.next()) return send(*line);
  if (input_.is_at_end()) return quit();
  await_input();
}

/// If the input has more, the loop takes it after what else has come: a signal, for example.
void ProtocolRelay::await_input() {
  if (std::exchange(awaits_input_, true)) return;
  if (input_.is_ready())
    return boost::asio::post(loop_, [this] {
      awaits_input_ = false;
      next();
    });
  if (!readable_) readable_.emplace(loop_, readiness_of(STDIN_FILENO).release());
  readable_->async_wait(Descriptor::wait_read, [this](const boost::system::error_code& error) {
    awaits_input_ = false;
    if (!error) next();
  });
}

void ProtocolRelay::send(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos)
    return boost::asio::post(loop_, [this] { next(); });
  if (line.size() > kLongestRequest) {
    end_.has_refused = true;
    const std::string longest = std::to_string(kLongestRequest);
    const std::string why = "the line is longer than " + longest + " bytes; send a shorter request";
    return answered(line_of(refusal(nullptr, "request", why)));
  }
  is_pending_ = true;
  pending_ = line;
  process_.say("request", line);
}

/// Standard output may be shared with others, so it stays blocking: a pipe that poll(2) calls
/// writable takes PIPE_BUF bytes at once. If the output cannot be written, ends the run.
void ProtocolRelay::write_some() {
  const std::size_t size = std::min<std::size_t>(output_.size() - written_, PIPE_BUF);
  const ssize_t written = ::write(STDOUT_FILENO, output_.data() + written_, size);
  const bool has_failed = written == -1 && errno != EINTR && errno != EAGAIN;
  if (has_failed && errno != EPIPE) output_error_ = errno;
  if (written > 0) written_ += static_cast<std::size_t>(written);
  if (has_failed || written_ == output_.size()) {
    output_.clear();
    written_ = 0;
  }
  if (has_failed) quit();
}

void ProtocolRelay::flush() {
  while (!output_.empty() && (output_state() & POLLOUT) != 0) write_some();
  if (output_.empty() || awaits_output_) return;
  awaits_output_ = true;
  if (!writable_) writable_.emplace(loop_, readiness_of(STDOUT_FILENO, ReadyTo::write).release());
  writable_->async_wait(Descriptor::wait_read, [this](const boost::system::error_code& error) {
    awaits_output_ = false;
    if (error || !has_reader()) return;
    flush();
    next();
  });
}

void ProtocolRelay::write_end(const SessionEnd& end) {
  if (is_pending_ && !pending_.empty())
    output_ += line_of(refusal(id_of(pending_), outcome_word(end_.status), end_.reason));
  ordered_json last = {
      {"outcome", outcome_word(end.status)}, {"reason", end.reason}, {"folder", folder_of(plan_)}};
  if (!end.page.empty()) last["page"] = end.page;
  output_ += line_of({{"end", last}});
  write_rest();
}

/// After a signal, a client that does not read is not waited for.
void ProtocolRelay::write_rest() {
  while (!output_.empty() && has_reader()) {
    if (end_.signal != 0 && (output_state(kLastWait) & POLLOUT) == 0) return;
    write_some();
  }
}

bool ProtocolRelay::has_reader() const { return (output_state() & (POLLERR | POLLHUP)) == 0; }

void ProtocolRelay::tick() {
  process_.tick();
  if (!has_reader()) quit();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](const boost::system::error_code& error) {
    if (!error && !process_.status()) tick();
  });
}

/// The run has ended. From now on, a signal ends this process at once, even if its client does not
/// read. One that came before is not lost: the loop takes it here.
void ProtocolRelay::stop_catching_signals() {
  sigset_t caught;
  ::sigemptyset(&caught);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&caught, signal);
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &caught, &before);
  quitting_ = true;  // takes no further request
  loop_.restart();
  loop_.poll();
  signals_.clear();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

void ProtocolRelay::quit() {
  if (quitting_) return;
  quitting_ = true;
  process_.say("quit");
}

}  // namespace tcplab::app
