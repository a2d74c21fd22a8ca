// Firewalls and NATs are hosts with real nftables: a ruleset is loaded by nft(8) on that host.
#pragma once

#include <functional>
#include <string>

#include "netns/host.hh"

namespace tcplab::engine {

/// Runs `nft -f -` on the host and waits for its end; `meanwhile` is called every millisecond
/// until then. Throws base::UsageError with what nft says of the ruleset, in one line. nft must
/// be installed: find_program("nft").
void load_ruleset(netns::Host& host, const std::string& ruleset,
                  const std::function<void()>& meanwhile);

}  // namespace tcplab::engine
