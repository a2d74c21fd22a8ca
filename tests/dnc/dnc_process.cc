#include "tests/dnc/dnc_process.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.hh"

namespace tcplab::tests {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience(20);
constexpr int kEventsInChild = 7;

int milliseconds_to(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return left > 0 ? static_cast<int>(left) : 0;
}

void become(const std::vector<std::string>& command, const std::array<int, 4>& streams) {
  for (int number = 0; number < 3; ++number) ::dup2(streams[number], number);
  if (streams[3] >= 0) ::dup2(streams[3], kEventsInChild);
  // Clears close-on-exec, which dup2(2) does not do if the descriptor already had this number.
  ::fcntl(kEventsInChild, F_SETFD, 0);
  // Descriptors that our parent left open (ctest does so) would shift the numbers of dnc's sockets.
  ::close_range(3, kEventsInChild - 1, 0);
  ::close_range(streams[3] >= 0 ? kEventsInChild + 1 : kEventsInChild, ~0U, 0);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words.front(), words.data());
  ::_exit(127);
}

std::vector<std::string> command_for(const std::vector<std::string>& arguments, bool recorded) {
  std::vector<std::string> command = {dnc_program()};
  if (recorded) command.insert(command.end(), {"--quiet", "--events", "7"});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// A name as it is; a number or an object as JSON.
std::string value_of(const nlohmann::json& event) {
  const auto value = event.find("value");
  if (value == event.end()) return "";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

}  // namespace

std::string dnc_program() {
  if (const char* folder = std::getenv("TCPLAB_BIN")) return std::string(folder) + "/dnc";
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin/dnc";
}

CallEvent parse_call_event(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  return {.phase = json.at("phase"),
          .call = json.at("call"),
          .id = json.at("id"),
          .t = json.at("t"),
          .entered = json.value("entered", std::int64_t{0}),
          .fd = json.value("fd", -2),
          .args = json.value("args", ""),
          .result = json.value("result", std::int64_t{-2}),
          .error = json.value("errno", ""),
          .value = value_of(json),
          .revents = json.value("revents", ""),
          .stdin_revents = json.value("stdin_revents", ""),
          .data = json.value("data", ""),
          .local = json.value("local", ""),
          .remote = json.value("remote", ""),
          .line = line};
}

DncProcess::DncProcess(const std::vector<std::string>& arguments, bool recorded) {
  base::Pipe input = base::make_pipe();
  base::Pipe output = base::make_pipe();
  base::Pipe errors = base::make_pipe();
  base::Pipe events = base::make_pipe();
  const auto command = command_for(arguments, recorded);
  pid_ = base::check("fork", ::fork());
  if (pid_ == 0)
    become(command, {input.read_end.get(), output.write_end.get(), errors.write_end.get(),
                     recorded ? events.write_end.get() : -1});
  input_ = std::move(input.write_end);
  output_ = std::move(output.read_end);
  errors_ = std::move(errors.read_end);
  events_ = std::move(events.read_end);
}

DncProcess::~DncProcess() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void DncProcess::type(const std::string& text) {
  if (::write(input_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("cannot write to dnc's standard input");
}

void DncProcess::signal(int number) const { ::kill(pid_, number); }

CallEvent DncProcess::wait_for(const std::function<bool(const CallEvent&)>& wanted) {
  const auto deadline = Clock::now() + kPatience;
  while (true) {
    while (waited_to_ < seen_.size()) {
      const CallEvent& event = seen_[waited_to_++];
      if (wanted(event)) return event;
    }
    if (!events_ || !read_more(milliseconds_to(deadline)) || Clock::now() > deadline)
      throw std::runtime_error("the event did not come; transcript:\n" + transcript());
  }
}

CallEvent DncProcess::wait_for_enter(const std::string& call) {
  return wait_for([&call](const CallEvent& event) { return event.enters(call); });
}

CallEvent DncProcess::wait_for_return(const std::string& call) {
  return wait_for([&call](const CallEvent& event) { return event.returns(call); });
}

CallEvent DncProcess::wait_for_return(const std::string& call, int fd) {
  return wait_for(
      [&call, fd](const CallEvent& event) { return event.returns(call) && event.fd == fd; });
}

bool DncProcess::silent_for(std::chrono::milliseconds span) {
  if (waited_to_ < seen_.size()) return false;  // an event has already come
  pollfd events{.fd = events_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&events, 1, static_cast<int>(span.count())) == 0;
}

void DncProcess::wait_for_error_text(const std::string& text) { wait_for_text(error_text_, text); }
void DncProcess::wait_for_output(const std::string& text) { wait_for_text(output_text_, text); }

void DncProcess::wait_for_text(const std::string& in, const std::string& text) {
  const auto deadline = Clock::now() + kPatience;
  while (in.find(text) == std::string::npos)
    if (!read_more(milliseconds_to(deadline)))
      throw std::runtime_error("'" + text + "' did not come; transcript:\n" + transcript());
}

End DncProcess::wait_for_end() {
  input_.reset();
  const auto deadline = Clock::now() + kPatience;
  while (read_more(milliseconds_to(deadline))) {
  }
  if (output_ || errors_ || events_)
    throw std::runtime_error("dnc did not end; transcript:\n" + transcript());
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) return {.status = -1, .signal = WTERMSIG(status)};
  return {.status = WEXITSTATUS(status), .signal = 0};
}

bool DncProcess::wait_for_stop() {
  int status = 0;
  return ::waitpid(pid_, &status, WUNTRACED) == pid_ && WIFSTOPPED(status) &&
         WSTOPSIG(status) == SIGSTOP;
}

std::string DncProcess::transcript() const {
  std::string text;
  for (const CallEvent& event : seen_) text += event.line + "\n";
  return text + "stdout: " + output_text_ + "\nstderr: " + error_text_;
}

/// Returns false at the deadline, or if all streams have ended.
bool DncProcess::read_more(int timeout_milliseconds) {
  std::array<pollfd, 3> sources = {pollfd{output_ ? output_.get() : -1, POLLIN, 0},
                                   pollfd{errors_ ? errors_.get() : -1, POLLIN, 0},
                                   pollfd{events_ ? events_.get() : -1, POLLIN, 0}};
  if (!output_ && !errors_ && !events_) return false;
  if (::poll(sources.data(), sources.size(), timeout_milliseconds) <= 0) return false;
  if (sources[0].revents != 0) take_bytes(output_, output_text_);
  if (sources[1].revents != 0) take_bytes(errors_, error_text_);
  if (sources[2].revents != 0 && take_bytes(events_, event_bytes_)) take_lines();
  return true;
}

bool DncProcess::take_bytes(base::FileDescriptor& from, std::string& into) {
  std::array<char, 65536> bytes;
  const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
  if (got <= 0) {
    from.reset();
    return false;
  }
  into.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

void DncProcess::take_lines() {
  for (auto end = event_bytes_.find('\n'); end != std::string::npos;
       end = event_bytes_.find('\n')) {
    seen_.push_back(parse_call_event(event_bytes_.substr(0, end)));
    event_bytes_.erase(0, end + 1);
  }
}

Run run_dnc(const std::vector<std::string>& arguments, const std::string& input) {
  DncProcess dnc(arguments, false);
  dnc.close_events();
  if (!input.empty()) dnc.type(input);
  const End end = dnc.wait_for_end();
  return {.end = end, .output = dnc.output(), .errors = dnc.errors()};
}

}  // namespace tcplab::tests
