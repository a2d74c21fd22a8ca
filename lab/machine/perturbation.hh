// Random delays of what a busy machine may delay, to find races on purpose: `tcplab run --perturb`.
// It is the idea of rr's chaos mode.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hh"

namespace tcplab::lab {

class Perturbation {
public:
  /// `run` names the run, such as "power-cycle-ipv6": each run of a suite has its own delays, and
  /// the same ones if it runs alone. Without a seed there are no delays.
  Perturbation(std::optional<std::uint64_t> seed, std::string_view run);

  bool is_on() const { return seed_.has_value(); }

  /// Returns how long to delay the next event of this kind: zero, or up to `longest`, and more
  /// often a short than a long time. One in `one_in` is delayed. The delay depends only on the
  /// seed, the run, the kind and the number of earlier events of the kind. So a failure mostly
  /// comes back with its seed, although the order of events of different kinds may differ.
  base::nanoseconds next(const std::string& kind, unsigned one_in,
                         base::nanoseconds longest = std::chrono::milliseconds(300));

private:
  std::optional<std::uint64_t> seed_;
  std::map<std::string, std::uint64_t> counts_;  // by kind
};

}  // namespace tcplab::lab
