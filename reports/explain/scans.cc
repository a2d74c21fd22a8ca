#include "reports/explain/scans.hh"

#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

namespace {

constexpr std::size_t kMany = 15;  // ports of a host, or hosts

/// A capture filter, or the capture itself, has dropped data of the end.
bool lacks_octets(const capture::Conversation& talk, std::size_t end) {
  return talk.missing(end).below + talk.missing(end).above > 0;
}

/// Asked for by the client's SYN, and without data, as far as the capture shows.
bool is_asked_in_vain(const RankedConnection& entry) {
  const auto& talk = entry.followed->conversation;
  return entry.roles.are_known() && entry.facts().end(entry.roles.first()).syns > 0 &&
         talk.end(0).octets == 0 && talk.end(1).octets == 0 && !lacks_octets(talk, 0) &&
         !lacks_octets(talk, 1) && !entry.facts().around.lacks_plain_segments;
}

struct Group {
  std::vector<const RankedConnection*> members;
  std::set<base::Endpoint> targets;
};

/// The client, and the host or the port that all connections of a group have.
using GroupKey = std::pair<base::IpAddress, base::Endpoint>;

Scan scan_of(const Group& group) {
  Scan scan{.first = group.members.front(), .connections = group.members.size()};
  for (const base::Endpoint& target : group.targets) {
    scan.port_numbers.insert(target.port);
    scan.addresses.insert(target.address);
  }
  scan.ports = scan.port_numbers.size();
  scan.hosts = scan.addresses.size();
  for (const RankedConnection* member : group.members) {
    const std::size_t server = 1 - member->roles.first();
    if (member->facts().end(server).syn_acks > 0) {
      ++scan.open;
      scan.open_at.insert(member->followed->conversation.end(server).address);
    } else if (member->followed->conversation.reset().kind == capture::ResetKind::refused) {
      ++scan.refused;
    }
  }
  return scan;
}

}  // namespace

Scans::Scans(const std::vector<RankedConnection>& entries) {
  for (const bool of_ports : {true, false}) {
    std::map<GroupKey, Group> groups;
    for (const RankedConnection& entry : entries) {
      if (!is_asked_in_vain(entry) || of(entry) != nullptr) continue;
      const auto& client = entry.followed->conversation.end(entry.roles.first()).address;
      const auto& server = entry.followed->conversation.end(1 - entry.roles.first()).address;
      const base::Endpoint common =
          of_ports ? base::Endpoint{server.address, 0} : base::Endpoint{{}, server.port};
      Group& group = groups[{client.address, common}];
      group.members.push_back(&entry);
      group.targets.insert(server);
    }
    for (const auto& [key, group] : groups) {
      if (group.targets.size() < kMany) continue;
      for (const RankedConnection* member : group.members) index_[member->followed] = scans_.size();
      scans_.push_back(scan_of(group));
    }
  }
}

const Scan* Scans::of(const RankedConnection& entry) const {
  const auto found = index_.find(entry.followed);
  return found == index_.end() ? nullptr : &scans_.at(found->second);
}

bool Scans::stands_alone(const RankedConnection& entry) const {
  const Scan* scan = of(entry);
  return scan == nullptr || scan->first->followed == entry.followed;
}

std::string target_of(const Scan& scan) {
  return scan.hosts > 1 ? counted(scan.hosts, "host") : counted(scan.ports, "port");
}

std::string text_of_ports(const std::set<std::uint16_t>& ports) {
  std::string text;
  for (auto first = ports.begin(); first != ports.end();) {
    auto last = first;
    while (std::next(last) != ports.end() && *std::next(last) == *last + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", *first);
    if (last != first) text += fmt::format("-{}", *last);
    first = std::next(last);
  }
  return text;
}

std::string words_of(const Scan& scan) {
  return fmt::format("port scan: {} in {}, {} open, {} refused, {} without an answer",
                     target_of(scan), counted(scan.connections, "connection"), scan.open,
                     scan.refused, scan.connections - scan.open - scan.refused);
}

}  // namespace tcplab::reports
