#include "dnc/log/console.hh"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace tcplab::dnc {

namespace {

std::atomic<const Stateful*> subject_of_state = nullptr;
static_assert(std::atomic<const Stateful*>::is_always_lock_free);

void answer_state_request(int /*signal*/) {
  const int error = errno;
  ArgumentText text;
  text << "dnc: state: ";
  if (const Stateful* const subject = subject_of_state.load())
    subject->describe_state(text);
  else
    text << "starting";
  text << "\n";
  // NOLINTNEXTLINE(bugprone-unused-return-value): there is nobody left to tell
  [[maybe_unused]] const auto written =
      ::write(STDERR_FILENO, text.view().data(), text.view().size());
  errno = error;
}

}  // namespace

void complain(std::string_view call, int error) {
  std::fprintf(stderr, "dnc: %.*s: %s\n", static_cast<int>(call.size()), call.data(),
               std::strerror(error));
}

AnswersForState::AnswersForState(const Stateful& subject)
    : before_(subject_of_state.exchange(&subject)) {}

AnswersForState::~AnswersForState() { subject_of_state = before_; }

void catch_state_requests() {
  struct sigaction action {};
  action.sa_handler = answer_state_request;
  // poll(2) ends with EINTR all the same (signal(7)), and that is recorded.
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

}  // namespace tcplab::dnc
