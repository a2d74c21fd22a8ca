#include "base/tcp_timeouts.hh"

#include <algorithm>
#include <bit>

namespace tcplab::base {

nanoseconds model_timeout(long retries, nanoseconds base, nanoseconds highest) {
  constexpr long kLongestBackoff = 40;
  const auto ratio = static_cast<unsigned long>(highest / base);
  const long doublings = ratio == 0 ? 0 : std::bit_width(ratio) - 1;  // ilog2()
  const long doubled = std::min({retries, doublings, kLongestBackoff});
  const nanoseconds geometric = base * ((2L << doubled) - 1);
  return geometric + highest * std::max(0L, retries - doublings);
}

}  // namespace tcplab::base
