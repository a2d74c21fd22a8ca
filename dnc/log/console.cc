#include "dnc/log/console.hh"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/escape.hh"

namespace tcplab::dnc {

namespace {

std::atomic<const Stateful*> subject_of_state = nullptr;
static_assert(std::atomic<const Stateful*>::is_always_lock_free);

void print_state(int /*signal*/) {
  const int error = errno;
  ArgumentText text;
  text << "dnc: state: ";
  if (const Stateful* const subject = subject_of_state.load())
    subject->describe_state(text);
  else
    text << "starting";
  text << "\n";
  // NOLINTNEXTLINE(bugprone-unused-return-value): a failure cannot be reported
  [[maybe_unused]] const auto written =
      ::write(STDERR_FILENO, text.view().data(), text.view().size());
  errno = error;
}

}  // namespace

void print_message(std::string_view text) {
  constexpr std::size_t kLongest = 2000;
  std::string line = "dnc: ";
  for (const char byte : text.substr(0, kLongest)) {
    const bool is_printable = byte >= ' ' && byte <= '~';
    line += is_printable ? std::string_view(&byte, 1)
                         : base::escaped_for_c(static_cast<unsigned char>(byte)).view();
  }
  if (text.size() > kLongest) line += "...";
  std::fprintf(stderr, "%s\n", line.c_str());
}

void print_error(std::string_view call, int error) {
  std::fprintf(stderr, "dnc: %.*s: %s\n", static_cast<int>(call.size()), call.data(),
               std::strerror(error));
}

StateReportGuard::StateReportGuard(const Stateful& subject)
    : previous_(subject_of_state.exchange(&subject)) {}

StateReportGuard::~StateReportGuard() { subject_of_state = previous_; }

void install_state_report_handler() {
  struct sigaction action {};
  action.sa_handler = print_state;
  // poll(2) nevertheless fails with EINTR (signal(7)), which is recorded.
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

}  // namespace tcplab::dnc
