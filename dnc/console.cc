#include "dnc/console.hh"

#include <csignal>
#include <cstdio>
#include <cstring>

namespace tcplab::dnc {

namespace {

volatile std::sig_atomic_t state_requests = 0;

int size_of(std::string_view text) { return static_cast<int>(text.size()); }

}  // namespace

void complain(std::string_view call, int error) {
  std::fprintf(stderr, "dnc: %.*s: %s\n", size_of(call), call.data(), std::strerror(error));
}

void catch_state_requests() {
  struct sigaction action {};
  action.sa_handler = [](int) { state_requests = 1; };
  sigaction(SIGUSR1, &action, nullptr);  // without SA_RESTART, see the header
}

bool take_state_request() {
  const bool asked = state_requests != 0;
  state_requests = 0;
  return asked;
}

void print_state(std::string_view state) {
  std::fprintf(stderr, "dnc: state: %.*s\n", size_of(state), state.data());
}

}  // namespace tcplab::dnc
