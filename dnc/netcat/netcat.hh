// dnc without --repl: makes or awaits the connection, exchanges, closes, and with -k again.
#pragma once

#include <vector>

#include "dnc/log/console.hh"
#include "dnc/netcat/exchange.hh"
#include "dnc/netcat/opening.hh"

namespace tcplab::dnc {

/// Exit statuses besides those of DESIGN.md: 0 done, 1 a call on the network failed.
class Netcat : Stateful {
public:
  Netcat(const Options& options, Recorder& recorder);

  int run();

private:
  void describe_state(ArgumentText& into) const override;
  int dial();
  int serve();
  Ending exchange(int socket);
  int wait_for_a_signal();

  const Options& options_;
  Recorder& recorder_;
  Calls calls_;
  Opening opening_;
  StandardInput input_;
};

/// Where to: the command line's address, resolved. Throws base::UsageError.
std::vector<SocketAddress> resolve_address(const Options& options);

/// Waits for a connection; nothing when it cannot, which has been said on stderr.
std::optional<int> accept_connection(Calls& calls, int listener);

}  // namespace tcplab::dnc
