// Answers the queries of a resolver, from names with their addresses, and its faults. Pure: a
// query's bytes in, a reply's bytes out (RFC 1035), with libtins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::lab {

using DnsBytes = std::vector<std::uint8_t>;
using DnsAddresses = std::vector<base::IpAddress>;

enum class DnsTransport : std::uint8_t { udp, tcp };

enum class DnsFaultKind : std::uint8_t {
  slow,    // replies later
  silent,  // replies nothing
  fails,   // replies SERVFAIL
  stale,   // replies with the addresses from the time of the fault
};

struct DnsFault {
  DnsFaultKind kind = DnsFaultKind::silent;
  std::string name{};         // the name that it is about; empty: every name
  base::nanoseconds delay{};  // of `slow`
};

struct DnsReply {
  DnsBytes bytes;             // empty: nothing is sent
  base::nanoseconds delay{};  // before it is sent
  std::string summary;        // for the timeline: "db A: 10.0.0.2"
};

class DnsZone {
public:
  /// `ttl`: seconds for which others may keep an answer.
  explicit DnsZone(std::uint32_t ttl) : ttl_(ttl) {}

  /// Sets the addresses of a name; none: the name does not exist (NXDOMAIN). Throws
  /// base::UsageError for a name that DNS cannot have (RFC 1035, section 2.3.4).
  void set(const std::string& name, const DnsAddresses& addresses);

  /// Adds a fault. A later fault of the same kind about the same name replaces it.
  void add(const DnsFault& fault);
  /// Removes all faults.
  void clear_faults();

  /// Answers a query of the class IN: A and AAAA records of a known name (an empty answer for any
  /// other type), NXDOMAIN for an unknown one, FORMERR for what is no query. A reply of more than
  /// 512 bytes is cut for UDP, with the TC bit (RFC 1035, section 4.2.1). Returns nothing for bytes
  /// without a header, or for a reply.
  std::optional<DnsReply> answer(std::span<const std::uint8_t> query, DnsTransport transport) const;

private:
  struct Fault {
    DnsFault rule;
    std::map<std::string, DnsAddresses> before;  // the names, for `stale`
  };

  const Fault* find(DnsFaultKind kind, const std::string& name) const;

  std::uint32_t ttl_;
  std::map<std::string, DnsAddresses> names_;  // in lower case, without the last dot
  std::vector<Fault> faults_;
};

}  // namespace tcplab::lab
