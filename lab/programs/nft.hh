// Loads nftables rulesets on a host with nft(8), for firewalls and NATs.
#pragma once

#include <functional>
#include <string>

#include "netns/machine.hh"

namespace tcplab::lab {

/// Runs `nft -f` on the host and waits until it ends; calls `meanwhile` every millisecond until
/// then. Throws base::UsageError if the ruleset has 128 KiB or more, or with nft's error message in
/// one line; Skip if the host is a kernel host without nftables. nft must be installed: see
/// find_program("nft").
void load_ruleset(netns::Machine& machine, const std::string& ruleset,
                  const std::function<void()>& meanwhile);

}  // namespace tcplab::lab
