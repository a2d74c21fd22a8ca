// Which socket options carry out the advice of an audit, for `tcplab audit --apply`.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.hh"

namespace tcplab::audit {

struct PlannedOption {
  std::string name;  // "TCP_USER_TIMEOUT"
  int value = 0;

  bool operator==(const PlannedOption&) const = default;
};

/// The options of every TCP socket of the client's and of the server's host.
struct OptionPlan {
  std::vector<PlannedOption> client{};
  std::vector<PlannedOption> server{};
};

/// Returns the options that the advice for the cells asks for, with which a kernel gives up
/// `within` this time: tcp(7). Below 6 s, the times are those for 6 s.
OptionPlan plan_options(const Audit& audit, base::nanoseconds within);

/// Returns "TCP_SYNCNT=3 TCP_USER_TIMEOUT=30000"; empty if there are none.
std::string option_words(const std::vector<PlannedOption>& options);

/// Whether a socket option can carry out the advice.
bool is_socket_option(Advice advice);

}  // namespace tcplab::audit
