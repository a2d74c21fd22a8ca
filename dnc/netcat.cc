#include "dnc/netcat.hh"

#include <cerrno>

#include "dnc/console.hh"

namespace tcplab::dnc {

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;

}  // namespace

std::vector<SocketAddress> resolve_address(const Options& options) {
  return resolve({.host = options.host,
                  .port = options.port,
                  .family = options.family,
                  .numeric = options.numeric});
}

Netcat::Netcat(const Options& options, Recorder& recorder)
    : options_(options),
      recorder_(recorder),
      calls_(recorder),
      opening_(options, calls_),
      input_{.open = !options.no_stdin} {}

int Netcat::run() { return options_.listen ? serve() : dial(); }

int Netcat::dial() {
  const auto socket = opening_.connect(resolve_address(options_));
  return socket ? exchange(*socket) : kFailed;
}

int Netcat::serve() {
  const auto listener = opening_.listen(resolve_address(options_));
  if (!listener) return kFailed;
  if (options_.no_accept) return wait_for_a_signal();
  int status = kDone;
  do {
    status = accept_and_exchange(*listener);
  } while (options_.keep_listening);
  calls_.close(*listener);
  return status;
}

int Netcat::accept_and_exchange(int listener) {
  while (true) {
    const Answer answer = calls_.accept(listener);
    if (take_state_request()) print_state("waiting for a connection");
    if (!answer.failed()) return exchange(answer.fd());
    // accept(2): errors that are the new connection's, not the listener's, are to be tried again.
    if (answer.error == EINTR || answer.error == ECONNABORTED) continue;
    complain("accept", answer.error);
    return kFailed;
  }
}

int Netcat::exchange(int socket) {
  if (options_.listen && !opening_.prepare_accepted(socket)) return kFailed;
  const Ending ending = Exchange(options_, recorder_, socket, input_).run();
  calls_.close(socket);
  return ending == Ending::finished || ending == Ending::idle ? kDone : kFailed;
}

int Netcat::wait_for_a_signal() {
  recorder_.note("never accepting: pausing until signal");
  while (true) {
    PollSet nothing;
    const Answer answer = calls_.poll(nothing, std::nullopt);
    if (take_state_request()) print_state("listening, never accepting");
    if (answer.failed() && answer.error != EINTR) return kFailed;
  }
}

}  // namespace tcplab::dnc
