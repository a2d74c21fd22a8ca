// dnc without --repl: connects or accepts a connection, copies the streams, and closes. With -k it
// then accepts the next connection.
#pragma once

#include <vector>

#include "dnc/log/console.hh"
#include "dnc/netcat/exchange.hh"
#include "dnc/netcat/opening.hh"

namespace tcplab::dnc {

/// The exit status if a network call failed, or a write to standard output.
inline constexpr int kFailed = 1;

class Netcat : Stateful {
public:
  Netcat(const Options& options, Recorder& recorder);

  /// Returns the exit status: 0, or 1 if a network call or a write to standard output failed.
  int run();

private:
  void describe_state(ArgumentText& into) const override;
  int dial();
  int scan();
  bool scan_port(const std::string& port);
  void report(int socket, std::string_view what) const;
  int serve();
  Ending exchange(int socket);
  int wait_for_signal();

  const Options& options_;
  Recorder& recorder_;
  Calls calls_;
  Opening opening_;
  StandardInput input_;
};

/// Resolves the address of the command line, with this port. Throws base::UsageError.
std::vector<SocketAddress> resolve_address(const Options& options, const std::string& port);

/// Waits for a connection and returns its socket. If accept(2) fails, prints the error on stderr
/// and returns nullopt.
std::optional<int> accept_connection(Calls& calls, int listener);

}  // namespace tcplab::dnc
