#include "app/suite/signals.hh"

#include <csignal>

#include "base/error.hh"

namespace tcplab::app {

void restart_calls_after(std::initializer_list<int> signals) {
  for (const int signal : signals) {
    struct sigaction action {};
    base::check("read the action of a signal", ::sigaction(signal, nullptr, &action));
    action.sa_flags |= SA_RESTART;
    base::check("set SA_RESTART for a signal", ::sigaction(signal, &action, nullptr));
  }
}

}  // namespace tcplab::app
