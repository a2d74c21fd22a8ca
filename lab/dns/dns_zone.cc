#include "lab/dns/dns_zone.hh"

#include <algorithm>
#include <cctype>
#include <tins/dns.h>
#include <tins/exceptions.h>

#include "base/error.hh"
#include "base/split.hh"

namespace tcplab::lab {

namespace {

constexpr std::size_t kLongestUdpReply = 512;  // RFC 1035, section 2.3.4; nobody negotiates more
constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;

// RFC 1035, section 4.1.1.
constexpr std::uint8_t kFormatError = 1;
constexpr std::uint8_t kServerFailure = 2;
constexpr std::uint8_t kNameError = 3;

/// Names are compared without regard to case (RFC 1035, section 2.3.3).
std::string plain(std::string name) {
  if (name.ends_with('.')) name.pop_back();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

void require_name(const std::string& name) {
  bool is_right = !name.empty() && name.size() <= kLongestName && !name.ends_with('.');
  for (const std::string& label : base::split(name, '.'))
    is_right = is_right && !label.empty() && label.size() <= kLongestLabel;
  if (!is_right)
    throw base::UsageError("\"" + name +
                           "\" is no name of DNS: its parts between the dots have 1 "
                           "to 63 characters, and all together at most 253");
}

std::string type_name(Tins::DNS::QueryType type) {
  if (type == Tins::DNS::A) return "A";
  if (type == Tins::DNS::AAAA) return "AAAA";
  return "type " + std::to_string(static_cast<unsigned>(type));
}

/// A reply to the query, without answers.
Tins::DNS reply_to(const Tins::DNS& query) {
  Tins::DNS reply;
  reply.id(query.id());
  reply.type(Tins::DNS::RESPONSE);
  reply.opcode(query.opcode());
  reply.authoritative_answer(1);
  reply.recursion_desired(query.recursion_desired());
  reply.recursion_available(1);
  return reply;
}

/// Adds the addresses of the asked family. Returns them as text.
std::string add_addresses(Tins::DNS& reply, const Tins::DNS::query& question,
                          const DnsAddresses& addresses, std::uint32_t ttl) {
  std::string list;
  const bool wants_ipv6 = question.query_type() == Tins::DNS::AAAA;
  if (!wants_ipv6 && question.query_type() != Tins::DNS::A) return "no records";
  for (const base::IpAddress& address : addresses) {
    if ((address.family == base::Family::ipv6) != wants_ipv6) continue;
    const std::string text = address.to_string();
    reply.add_answer({question.dname(), text, static_cast<std::uint16_t>(question.query_type()),
                      static_cast<std::uint16_t>(Tins::DNS::INTERNET), ttl});
    list += (list.empty() ? "" : ", ") + text;
  }
  return list.empty() ? "no records" : list;
}

/// Reads a query; empty if the bytes have no header or are a reply.
std::optional<Tins::DNS> read_query(std::span<const std::uint8_t> bytes) {
  try {
    Tins::DNS query(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    if (query.type() == Tins::DNS::QUERY) return query;
  } catch (const Tins::exception_base&) {
    // It is no DNS: nobody can answer it.
  }
  return std::nullopt;
}

/// Returns the question; empty unless it is one question of the class IN.
std::optional<Tins::DNS::query> read_question(const Tins::DNS& query) {
  try {
    const auto questions = query.queries();
    if (query.opcode() == 0 && questions.size() == 1 &&
        questions.front().query_class() == Tins::DNS::INTERNET)
      return questions.front();
  } catch (const Tins::exception_base&) {
    // The question is malformed.
  }
  return std::nullopt;
}

}  // namespace

void DnsZone::set(const std::string& name, const DnsAddresses& addresses) {
  const std::string key = plain(name);
  require_name(key);
  if (addresses.empty())
    names_.erase(key);
  else
    names_[key] = addresses;
}

void DnsZone::add(const DnsFault& fault) {
  DnsFault rule = fault;
  rule.name = plain(rule.name);
  std::erase_if(faults_, [&](const Fault& each) {
    return each.rule.kind == rule.kind && each.rule.name == rule.name;
  });
  faults_.push_back({rule, names_});
}

void DnsZone::clear_faults() { faults_.clear(); }

const DnsZone::Fault* DnsZone::find(DnsFaultKind kind, const std::string& name) const {
  const auto found = std::ranges::find_if(faults_, [&](const Fault& each) {
    return each.rule.kind == kind && (each.rule.name.empty() || each.rule.name == name);
  });
  return found == faults_.end() ? nullptr : &*found;
}

std::optional<DnsReply> DnsZone::answer(std::span<const std::uint8_t> query,
                                        DnsTransport transport) const {
  std::optional<Tins::DNS> asked = read_query(query);
  if (!asked) return std::nullopt;
  Tins::DNS reply = reply_to(*asked);
  const auto question = read_question(*asked);
  if (!question) {
    reply.rcode(kFormatError);
    return DnsReply{.bytes = reply.serialize(), .summary = "what is no query: FORMERR"};
  }
  reply.add_query(*question);
  const std::string name = plain(question->dname());
  DnsReply answer{.bytes = {}, .summary = name + " " + type_name(question->query_type()) + ": "};
  if (find(DnsFaultKind::silent, name) != nullptr) {
    answer.summary += "no reply";
    return answer;
  }
  if (const Fault* slow = find(DnsFaultKind::slow, name)) answer.delay = slow->rule.delay;
  const Fault* stale = find(DnsFaultKind::stale, name);
  const auto& names = stale != nullptr ? stale->before : names_;
  const auto known = names.find(name);
  if (find(DnsFaultKind::fails, name) != nullptr) {
    reply.rcode(kServerFailure);
    answer.summary += "SERVFAIL";
  } else if (known == names.end()) {
    reply.rcode(kNameError);
    answer.summary += "NXDOMAIN";
  } else {
    answer.summary += add_addresses(reply, *question, known->second, ttl_);
    if (stale != nullptr) answer.summary += ", stale";
  }
  answer.bytes = reply.serialize();
  if (transport == DnsTransport::udp && answer.bytes.size() > kLongestUdpReply) {
    Tins::DNS cut = reply_to(*asked);
    cut.add_query(*question);
    cut.truncated(1);
    answer.bytes = cut.serialize();
    answer.summary += ", cut for UDP";
  }
  return answer;
}

}  // namespace tcplab::lab
