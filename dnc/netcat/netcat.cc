#include "dnc/netcat/netcat.hh"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

#include "base/error.hh"
#include "dnc/calls/sockets.hh"
#include "dnc/log/console.hh"

namespace tcplab::dnc {

namespace {

constexpr int kDone = 0;

int status(Ending ending) {
  return ending == Ending::finished || ending == Ending::idle ? kDone : kFailed;
}

}  // namespace

std::vector<SocketAddress> resolve_address(const Options& options, const std::string& port) {
  return resolve(
      {.host = options.host, .port = port, .family = options.family, .numeric = options.numeric});
}

std::optional<int> accept_connection(Calls& calls, int listener) {
  while (true) {
    const CallResult answer = calls.accept(listener);
    if (!answer.failed()) return answer.fd();
    // accept(2): try again after an error of the new connection rather than of the listener.
    if (answer.error == EINTR || answer.error == ECONNABORTED) continue;
    print_error("accept", answer.error);
    return std::nullopt;
  }
}

Netcat::Netcat(const Options& options, Recorder& recorder)
    : options_(options),
      recorder_(recorder),
      calls_(recorder),
      opening_(options, calls_),
      input_{.open = !options.exchange.no_stdin} {}

int Netcat::run() {
  const StateReportGuard guard(*this);
  if (options_.only_connect) return scan();
  return options_.listen ? serve() : dial();
}

void Netcat::describe_state(ArgumentText& into) const {
  if (!options_.listen)
    into << "connecting";
  else
    into << (options_.no_accept ? "listening, never accepting" : "waiting for a connection");
  into << "; " << static_cast<std::int64_t>(recorder_.calls()) << " calls";
}

int Netcat::dial() {
  const auto socket = opening_.connect(resolve_address(options_, options_.port));
  if (!socket) return kFailed;
  report(*socket, "connected");
  return status(exchange(*socket));
}

/// Returns 0 if at least one port is open, as nc does.
int Netcat::scan() {
  bool is_any_open = false;
  for (const std::string& port : options_.ports) is_any_open |= scan_port(port);
  return is_any_open ? kDone : kFailed;
}

bool Netcat::scan_port(const std::string& port) {
  const auto addresses = resolve_address(options_, port);
  const auto socket = opening_.try_to_connect(addresses);
  if (!socket) {
    const int error = opening_.last_failure().error;
    fmt::print("{} {}: {} ({})\n", options_.host, port, base::errno_name(error),
               std::strerror(error));
  } else {
    fmt::print("{} {}: open\n", options_.host, port);
    report(*socket, "connected");
    calls_.close(*socket);
  }
  std::fflush(stdout);
  return socket.has_value();
}

void Netcat::report(int socket, std::string_view what) const {
  if (!options_.reports_connections) return;
  const auto local = sockets().local(socket);
  const auto remote = sockets().remote(socket);
  std::string text(what);
  if (local) text += (remote ? ": " : " on ") + local->to_string();
  if (remote) text += " to " + remote->to_string();
  print_message(text);
}

int Netcat::serve() {
  const auto listener = opening_.listen(resolve_address(options_, options_.port));
  if (!listener) return kFailed;
  report(*listener, "listening");
  if (options_.no_accept) return wait_for_signal();
  Ending ending{};
  do {
    const auto socket = accept_connection(calls_, *listener);
    if (!socket) return kFailed;
    report(*socket, "accepted a connection");
    ending = opening_.prepare_accepted(*socket) ? exchange(*socket) : Ending::error;
  } while (options_.keep_listening && ending != Ending::stdout_failed);
  calls_.close(*listener);
  return status(ending);
}

Ending Netcat::exchange(int socket) {
  const Ending ending = Exchange(options_, recorder_, socket, input_).run();
  calls_.close(socket);
  return ending;
}

int Netcat::wait_for_signal() {
  recorder_.note("never accepting: pausing until signal");
  while (true) {
    PollSet nothing;
    const CallResult answer = calls_.poll(nothing, std::nullopt);
    if (answer.failed() && answer.error != EINTR) return kFailed;
  }
}

}  // namespace tcplab::dnc
