// What a resolver of a run answers, byte for byte and with its faults.
#include "lab/dns/dns_zone.hh"

#include <chrono>
#include <tins/dns.h>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using lab::DnsFaultKind;
using lab::DnsTransport;
using Tins::DNS;

namespace {

base::IpAddress address(const std::string& text) { return *base::IpAddress::parse(text); }

lab::DnsBytes query(const std::string& name, DNS::QueryType type = DNS::A) {
  DNS asked;
  asked.id(4711);
  asked.recursion_desired(1);
  asked.add_query({name, type, DNS::INTERNET});
  return asked.serialize();
}

DNS reply(const lab::DnsZone& zone, const lab::DnsBytes& asked,
          DnsTransport transport = DnsTransport::udp) {
  const auto answer = zone.answer(asked, transport);
  REQUIRE(answer);
  return {answer->bytes.data(), static_cast<std::uint32_t>(answer->bytes.size())};
}

std::vector<std::string> addresses(const DNS& reply) {
  std::vector<std::string> found;
  for (const DNS::resource& record : reply.answers()) found.push_back(record.data());
  return found;
}

lab::DnsZone zone() {
  lab::DnsZone zone(5);
  zone.set("db.example", {address("10.0.0.2"), address("10.0.0.3"), address("fd00::2")});
  return zone;
}

}  // namespace

TEST_CASE("a resolver answers A and AAAA with the addresses of that family, and their TTL") {
  const DNS ipv4 = reply(zone(), query("DB.Example"));
  CHECK(ipv4.id() == 4711);
  CHECK(ipv4.type() == DNS::RESPONSE);
  CHECK(ipv4.rcode() == 0);
  CHECK(ipv4.recursion_available() == 1);
  CHECK(ipv4.queries().front().dname() == "DB.Example");  // as it was asked (RFC 5452)
  CHECK(addresses(ipv4) == std::vector<std::string>{"10.0.0.2", "10.0.0.3"});
  CHECK(ipv4.answers().front().ttl() == 5);
  CHECK(addresses(reply(zone(), query("db.example", DNS::AAAA))) ==
        std::vector<std::string>{"fd00::2"});
}

TEST_CASE("another type of a known name has no records, and an unknown name does not exist") {
  const DNS mail = reply(zone(), query("db.example", DNS::MX));
  CHECK(mail.rcode() == 0);
  CHECK(mail.answers_count() == 0);
  CHECK(reply(zone(), query("www.example")).rcode() == 3);
}

TEST_CASE("a name without addresses exists no longer") {
  lab::DnsZone changed = zone();
  changed.set("db.example.", {});
  CHECK(reply(changed, query("db.example")).rcode() == 3);
}

TEST_CASE("a reply that is too long for UDP is cut there, and whole over TCP") {
  lab::DnsZone large(5);
  lab::DnsAddresses many;
  for (int last = 1; last <= 40; ++last) many.push_back(address("10.0.0." + std::to_string(last)));
  large.set("db", many);
  const DNS cut = reply(large, query("db"));
  CHECK(cut.truncated() == 1);
  CHECK(cut.answers_count() == 0);
  CHECK(reply(large, query("db"), DnsTransport::tcp).answers_count() == 40);
}

TEST_CASE("what is no query gets FORMERR, or nothing without a header") {
  DNS two;
  two.add_query({"a", DNS::A, DNS::INTERNET});
  two.add_query({"b", DNS::A, DNS::INTERNET});
  CHECK(reply(zone(), two.serialize()).rcode() == 1);
  CHECK_FALSE(zone().answer(lab::DnsBytes{1, 2, 3}, DnsTransport::udp));
  CHECK_FALSE(zone().answer(reply(zone(), query("db.example")).serialize(), DnsTransport::udp));
  lab::DnsBytes broken = query("db.example");
  broken.resize(14);
  const auto answer = zone().answer(broken, DnsTransport::udp);
  CHECK((!answer || answer->bytes.size() >= 12));
}

TEST_CASE("faults of a resolver act on one name or on all") {
  lab::DnsZone faulty = zone();
  faulty.set("www.example", {address("10.0.0.4")});
  faulty.add({.kind = DnsFaultKind::silent, .name = "DB.example"});
  CHECK(faulty.answer(query("db.example"), DnsTransport::udp)->bytes.empty());
  CHECK(addresses(reply(faulty, query("www.example"))) == std::vector<std::string>{"10.0.0.4"});
  faulty.clear_faults();
  faulty.add({.kind = DnsFaultKind::fails});
  CHECK(reply(faulty, query("db.example")).rcode() == 2);
  faulty.clear_faults();
  faulty.add({.kind = DnsFaultKind::slow, .delay = 3s});
  CHECK(faulty.answer(query("db.example"), DnsTransport::udp)->delay == 3s);
}

TEST_CASE("a stale resolver answers with the addresses of before") {
  lab::DnsZone stale = zone();
  stale.add({.kind = DnsFaultKind::stale});
  stale.set("db.example", {address("10.0.0.9")});
  CHECK(addresses(reply(stale, query("db.example"))) ==
        std::vector<std::string>{"10.0.0.2", "10.0.0.3"});
  stale.clear_faults();
  CHECK(addresses(reply(stale, query("db.example"))) == std::vector<std::string>{"10.0.0.9"});
}

TEST_CASE("a name that DNS cannot have is refused") {
  lab::DnsZone refusing(5);
  for (const std::string& name :
       {std::string(), std::string("a..b"), std::string(64, 'a'), std::string(300, '.')})
    CHECK_THROWS_AS(refusing.set(name, {address("10.0.0.1")}), base::UsageError);
}
