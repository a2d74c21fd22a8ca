// Loads nftables rulesets on a host with nft(8): firewalls and NATs are real ones.
#pragma once

#include <functional>
#include <string>

#include "netns/machine.hh"

namespace tcplab::engine {

/// Runs `nft -f` on the host and waits until it ends; calls `meanwhile` every millisecond until
/// then. Throws base::UsageError if the ruleset has 128 KiB or more, or with nft's complaint about
/// it, in one line; Skip if the host has a kernel of its own without nftables. nft must be
/// installed: see find_program("nft").
void load_ruleset(netns::Machine& machine, const std::string& ruleset,
                  const std::function<void()>& meanwhile);

}  // namespace tcplab::engine
