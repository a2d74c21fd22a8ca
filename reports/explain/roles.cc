#include "reports/explain/roles.hh"

#include <optional>

namespace tcplab::reports {

using capture::Conversation;

namespace {

constexpr std::uint16_t kFirstUserPort = 1024;  // RFC 6335 section 6
// Linux chooses a client's port here: net.ipv4.ip_local_port_range, ip(7).
constexpr std::uint16_t kFirstEphemeralPort = 32768;

/// Returns the client by the ports: a server's is well-known, a client's is ephemeral.
std::optional<std::size_t> guess(const Conversation& talk) {
  const auto port = [&talk](std::size_t end) { return talk.end(end).address.port; };
  for (const std::uint16_t limit : {kFirstUserPort, kFirstEphemeralPort})
    if ((port(0) < limit) != (port(1) < limit)) return port(0) < limit ? 1 : 0;
  return std::nullopt;
}

bool both_sent_a_syn(const Conversation& talk) {
  return talk.states().end(0).sent_syn && talk.states().end(1).sent_syn;
}

}  // namespace

Roles::Roles(const Conversation& talk) : talk_(&talk) {
  std::optional<std::size_t> client = talk.states().client();
  if (!client && !both_sent_a_syn(talk)) {
    client = guess(talk);
    are_guessed_ = client.has_value();
  }
  are_known_ = client.has_value();
  first_ = client == 1U ? 1 : 0;
}

std::string Roles::name(std::size_t end) const {
  return are_known_ ? "the " + short_name(end) : short_name(end);
}

std::string Roles::short_name(std::size_t end) const {
  if (are_known_) return end == first_ ? "client" : "server";
  const base::Endpoint& address = talk_->end(end).address;
  const bool is_alone = address.address != talk_->end(1 - end).address.address;
  return is_alone ? address.address.to_string() : address.to_string();
}

std::string capitalized(std::string sentence) {
  if (!sentence.empty() && sentence.front() >= 'a' && sentence.front() <= 'z')
    sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return sentence;
}

}  // namespace tcplab::reports
