// Checks which members of TCP_INFO a kernel has given.
#include <algorithm>
#include <optional>

#include "dnc/calls/tcp_info_text.hh"
#include "tests/catch.hh"

using namespace tcplab::dnc;

namespace {

std::optional<std::int64_t> value_of(const TcpInfoMembers& members, std::string_view name) {
  const auto values = members.values();
  const auto found = std::ranges::find(values, name, &MemberValue::name);
  return found == values.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

TEST_CASE("every member of TCP_INFO has the value of its bytes") {
  TcpInfo info{};
  info.wscales = 0xa7;
  info.flags = 0x05;
  info.tcpi_min_rtt = 12;
  info.tcpi_busy_time = 5'000'000'000;
  info.tcpi_total_rto = 3;
  info.tcpi_accecn_opt_seen = 9;
  const TcpInfoMembers members(info, sizeof info);
  CHECK(members.values().size() == 70);
  CHECK(value_of(members, "tcpi_snd_wscale") == 7);
  CHECK(value_of(members, "tcpi_rcv_wscale") == 10);
  CHECK(value_of(members, "tcpi_delivery_rate_app_limited") == 1);
  CHECK(value_of(members, "tcpi_fastopen_client_fail") == 2);
  CHECK(value_of(members, "tcpi_min_rtt") == 12);
  CHECK(value_of(members, "tcpi_busy_time") == 5'000'000'000);
  CHECK(value_of(members, "tcpi_total_rto") == 3);
  CHECK(value_of(members, "tcpi_accecn_opt_seen") == 9);
}

TEST_CASE("an older kernel gives fewer members") {
  constexpr std::size_t kLinux61 = 232;
  const TcpInfoMembers members(TcpInfo{}, kLinux61);
  CHECK(value_of(members, "tcpi_snd_wnd") == 0);
  CHECK_FALSE(value_of(members, "tcpi_rcv_wnd"));
  CHECK(TcpInfoMembers(TcpInfo{}, 104).values().back().name == "tcpi_total_retrans");
}
