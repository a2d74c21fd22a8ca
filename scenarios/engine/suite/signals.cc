#include "scenarios/engine/suite/signals.hh"

#include <csignal>

#include "base/error.hh"

namespace tcplab::engine {

void let_calls_go_on(std::initializer_list<int> signals) {
  for (const int signal : signals) {
    struct sigaction action {};
    base::check("ask what a signal does", ::sigaction(signal, nullptr, &action));
    action.sa_flags |= SA_RESTART;
    base::check("have calls go on after a signal", ::sigaction(signal, &action, nullptr));
  }
}

}  // namespace tcplab::engine
