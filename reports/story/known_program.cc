#include "reports/story/known_program.hh"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

constexpr int kLastOfTerminal = 2;  // descriptors 0 to 2 are the terminal
constexpr std::size_t kMostTalks = 64;

std::string bytes(std::uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "byte" : "bytes");
}

bool asks_socket_error(const Call& call) {
  return call.call == "getsockopt" && call.arguments.find("SO_ERROR") != std::string::npos;
}

std::string failure(const Call& call) {
  const std::string mark = call.injected ? " (injected)" : "";
  return call.call + " failed with " + base::errno_name(call.error) + mark;
}

void append_clause(std::string& text, const std::string& part) {
  if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
}

}  // namespace

void KnownProgram::changes(const capture::Program& program) {
  switch (program.change) {
    case capture::ProgramChange::started:
      *this = KnownProgram(name_);
      break;
    case capture::ProgramChange::exited:
      end_ = fmt::format("exited with status {}", program.code);
      break;
    case capture::ProgramChange::killed:
      if (runs()) end_ = "was killed by " + base::signal_name(program.code);
      break;
    case capture::ProgramChange::wrote:
    case capture::ProgramChange::calls_unseen:
      break;
  }
}

void KnownProgram::loses_power() {
  if (runs()) end_ = "ended when its host lost power";
}

void KnownProgram::calls(const Call& call, capture::Instant at, const HostNames& names) {
  host_ = call.host;
  const capture::CallTracker::Step step = tracker_.note(call, at);
  if (step.socket && step.socket->opener == step.call) {
    const bool accepts = call.call != "connect";
    if (talks_.size() > kMostTalks) talks_.erase(talks_.begin());
    Talk& talk = talks_[accepts ? static_cast<int>(call.result) : call.fd];
    if (talk.socket != step.socket) talk = {.socket = step.socket, .peer = "", .news = ""};
    if (const auto peer = step.socket->peer()) talk.peer = names.name(*peer);
    if (accepts) return;
  }
  if (call.phase == capture::CallPhase::leave) returns(step);
}

void KnownProgram::returns(const capture::CallTracker::Step& step) {
  const Call& call = step.call->call;
  const auto found = talks_.find(call.fd);
  if (found == talks_.end() || found->second.socket != step.socket) return;
  Talk& talk = found->second;
  if (call.call == "connect") {
    const bool has_failed = call.result == -1 && call.error != EISCONN;
    talk.is_connecting = has_failed && (call.error == EINPROGRESS || call.error == EALREADY);
    talk.news = has_failed && !talk.is_connecting ? failure(call) : "";
    return;
  }
  if (call.fd <= kLastOfTerminal) return;
  if (call.call == "close") talk.news += talk.news.empty() ? "closed it" : ", and closed it";
  transfers(talk, call);
}

void KnownProgram::transfers(Talk& talk, const Call& call) {
  const bool is_error = (asks_socket_error(call) && call.error != 0) || call.result == -1;
  if (is_error && call.error != EAGAIN && !call.injected) knows_of_error_ = true;
  if (asks_socket_error(call)) {
    talk.is_connecting = false;
    if (call.error != 0) talk.news = "SO_ERROR was " + base::errno_name(call.error);
    return;
  }
  if (call.call == "shutdown" && call.result == 0) talk.news = "shut down writing";
  if (call.call == "poll" && (call.revents & ~1) != 0)
    talk.news = "poll returned " + capture::poll_events(call.revents);
  const bool reads = capture::receives_data(call.call);
  const bool writes = capture::sends_data(call.call);
  if (!reads && !writes) return;
  if (call.result == -1)
    talk.news = failure(call);
  else if (reads && call.result == 0)
    talk.news = "read end of stream";
  else
    talk.is_answered = reads;
  if (call.result != -1 || call.error != EAGAIN) talk.is_connecting = false;
}

std::string KnownProgram::wait() const {
  const std::vector<capture::TrackedCallPointer> calls = tracker_.under_way(host_);
  const auto newest =
      std::ranges::max_element(calls, {}, [](const auto& each) { return each->at; });
  return newest == calls.end() ? "" : (*newest)->call.call;
}

std::string KnownProgram::describe() const {
  std::string text;
  const std::string wait = this->wait();
  for (const auto& [descriptor, talk] : talks_) {
    const bool connects = talk.is_connecting || (wait == "connect" && talk.news.empty());
    const bool failed = talk.news.starts_with("connect failed");
    std::string one = failed ? "" : (connects ? "connecting to " : "connected to ") + talk.peer;
    const std::uint64_t sent = talk.socket->sent;
    const std::uint64_t received = talk.socket->received;
    if (sent != 0) append_clause(one, "wrote " + bytes(sent));
    if (sent != 0 && !talk.is_answered && talk.news.empty()) one += ", no answer";
    if (received != 0) append_clause(one, "read " + bytes(received));
    append_clause(one, talk.news);
    append_clause(text, one);
  }
  append_clause(text, end_);
  if (runs() && frozen_) append_clause(text, "is frozen");
  if (runs() && !wait.empty()) append_clause(text, "waits in " + wait + "()");
  return name_ + ": " + (text.empty() ? "runs" : text);
}

}  // namespace tcplab::reports
