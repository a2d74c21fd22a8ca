#include "reports/story/known_program.hh"

#include <cerrno>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

constexpr int kLastOfTerminal = 2;  // descriptors 0 to 2 are the terminal
constexpr std::size_t kMostTalks = 64;

std::string bytes(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "byte" : "bytes");
}

bool reads(const Call& call) { return call.call == "read" || call.call.starts_with("recv"); }
bool writes(const Call& call) { return call.call == "write" || call.call.starts_with("send"); }

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

void KnownProgram::calls(const Call& call, const HostNames& names) {
  if (call.phase == capture::CallPhase::enter) {
    waits_ = call.call;
    waits_in_ = call.id;
    if (const auto peer = capture::Endpoint::parse(call.arguments); peer && call.call == "connect")
      talks_[call.fd].peer = names.name(*peer);
    return;
  }
  if (call.id == waits_in_) waits_.clear();
  returns(call, names);
}

void KnownProgram::returns(const Call& call, const HostNames& names) {
  if (talks_.size() > kMostTalks) talks_.erase(talks_.begin());
  const bool failed = call.result == -1;
  if (call.call.starts_with("accept")) {
    if (!failed) talks_[int(call.result)] = {.peer = call.remote ? names.name(*call.remote) : ""};
    return;
  }
  if (call.call == "connect") {
    Talk& talk = talks_[call.fd];
    if (call.remote) talk.peer = names.name(*call.remote);
    talk.news = failed ? failure(call) : "";
    return;
  }
  const auto found = talks_.find(call.fd);
  if (found == talks_.end() || call.fd <= kLastOfTerminal) return;
  if (call.call == "close") {
    found->second.is_closed = true;
    found->second.news += found->second.news.empty() ? "closed it" : ", and closed it";
  }
  transfers(found->second, call);
}

void KnownProgram::transfers(Talk& talk, const Call& call) {
  const bool is_error = (asks_socket_error(call) && call.error != 0) || call.result == -1;
  if (is_error && call.error != EAGAIN && !call.injected) knows_of_error_ = true;
  if (asks_socket_error(call)) {
    if (call.error != 0) talk.news = "SO_ERROR was " + base::errno_name(call.error);
    return;
  }
  if (call.call == "shutdown" && call.result == 0) talk.news = "shut down writing";
  if (call.call == "poll" && (call.revents & ~1) != 0)
    talk.news = "poll returned " + capture::poll_events(call.revents);
  if (!reads(call) && !writes(call)) return;
  if (call.result == -1)
    talk.news = failure(call);
  else if (writes(call)) {
    talk.written += call.result;
    talk.is_answered = false;
  } else if (call.result == 0) {
    talk.news = "read end of stream";
  } else {
    talk.read += call.result;
    talk.is_answered = true;
  }
}

std::string KnownProgram::describe() const {
  std::string text;
  for (const auto& [descriptor, talk] : talks_) {
    const bool connects = waits_ == "connect" && talk.news.empty();
    const bool failed = talk.news.starts_with("connect failed");
    std::string one = failed ? "" : (connects ? "connecting to " : "connected to ") + talk.peer;
    if (talk.written != 0) append_clause(one, "wrote " + bytes(talk.written));
    if (talk.written != 0 && !talk.is_answered && talk.news.empty()) one += ", no answer";
    if (talk.read != 0) append_clause(one, "read " + bytes(talk.read));
    append_clause(one, talk.news);
    append_clause(text, one);
  }
  append_clause(text, end_);
  if (runs() && frozen_) append_clause(text, "is frozen");
  if (runs() && !waits_.empty()) append_clause(text, "waits in " + waits_ + "()");
  return name_ + ": " + (text.empty() ? "runs" : text);
}

}  // namespace tcplab::reports
