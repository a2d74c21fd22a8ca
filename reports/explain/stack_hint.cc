#include "reports/explain/stack_hint.hh"

#include <fmt/format.h>

#include "reports/explain/roles.hh"

namespace tcplab::reports {

namespace {

// The hop limits that systems begin with; each router on the path subtracts one.
constexpr std::uint8_t kUnix = 64;
constexpr std::uint8_t kWindows = 128;

/// Returns true if the end offered none of them, although it may: a SYN,ACK has only options that
/// the SYN had (RFC 7323 section 1.3, RFC 2018 section 2).
bool lacks_options(const capture::ConversationFacts& facts, std::size_t end) {
  const capture::SynOptions& own = facts.end(end).syn_options;
  const capture::SynOptions& asked = facts.end(1 - end).syn_options;
  const bool may_offer = facts.end(end).syns > 0 || (asked.sack && asked.timestamps);
  return may_offer && own.maximum_segment_size && !own.sack && !own.timestamps;
}

}  // namespace

std::string stack_hint(const capture::ConversationFacts& facts, std::size_t end,
                       const std::string& who) {
  const capture::EndFacts& own = facts.end(end);
  if (!own.hop_limit || (own.syns == 0 && own.syn_acks == 0)) return "";
  const unsigned hops = *own.hop_limit;
  const char* stack = nullptr;
  if (hops > kWindows && lacks_options(facts, end))
    stack = "lwIP or another small stack (a device, boot firmware)";
  else if (hops > kUnix && hops <= kWindows)
    stack = "Windows";
  else if (hops <= kUnix && lacks_options(facts, end) && !own.syn_options.window_scale)
    stack = "libslirp (QEMU's user network, a rootless container) or another old or small stack";
  if (stack == nullptr) return "";
  return fmt::format(
      "{} may run {}: its hop limit is {}{}. A proxy, or a device that rewrites segments, looks "
      "the same.",
      capitalized(who), stack, hops,
      lacks_options(facts, end) ? ", and it offers no SACK and no timestamps" : "");
}

}  // namespace tcplab::reports
