#include "audit/option_plan.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace tcplab::audit {

namespace {

using namespace std::chrono_literals;

/// The kernel gives up after idle + interval x count.
void add_keepalive(std::vector<PlannedOption>& options, int seconds) {
  const int idle = seconds / 3;
  const int interval = std::max(1, seconds / 6);
  options.push_back({"SO_KEEPALIVE", 1});
  options.push_back({"TCP_KEEPCNT", (seconds - idle) / interval});
  options.push_back({"TCP_KEEPIDLE", idle});
  options.push_back({"TCP_KEEPINTVL", interval});
}

void add_user_timeout(std::vector<PlannedOption>& options, int seconds) {
  options.push_back({"TCP_USER_TIMEOUT", seconds * 1000});
}

/// With tcp_syn_linear_timeouts = 4, 1 SYN retransmission takes at most 7 s, 2 take 11 s, 3 take
/// 19 s (tcp_write_timeout() in net/ipv4/tcp_timer.c).
void add_syn_count(std::vector<PlannedOption>& options, int seconds) {
  options.push_back({"TCP_SYNCNT", seconds >= 20 ? 3 : seconds >= 12 ? 2 : 1});
}

}  // namespace

bool is_socket_option(Advice advice) {
  switch (advice) {
    case Advice::set_keepalive:
    case Advice::set_user_timeout:
    case Advice::set_connect_timeout:
    case Advice::set_server_keepalive:
      return true;
    case Advice::set_application_timeout:
    case Advice::retry_once:
    case Advice::make_repeatable:
    case Advice::keep_first_error:
    case Advice::set_server_timeout:
      return false;
  }
  return false;
}

OptionPlan plan_options(const Audit& audit, base::nanoseconds within) {
  const auto asks_for = [&audit](Advice wanted) {
    return std::ranges::any_of(audit.cells, [wanted](const Cell& cell) {
      return std::ranges::find(cell.advice, wanted) != cell.advice.end();
    });
  };
  const auto seconds = static_cast<int>(
      std::max(std::chrono::floor<std::chrono::seconds>(within), std::chrono::seconds(6s)).count());
  OptionPlan plan;
  const bool needs_keepalive = asks_for(Advice::set_keepalive);
  if (needs_keepalive) add_keepalive(plan.client, seconds);
  if (asks_for(Advice::set_connect_timeout)) add_syn_count(plan.client, seconds);
  // While data is unacknowledged, keepalive does not run.
  if (needs_keepalive || asks_for(Advice::set_user_timeout)) add_user_timeout(plan.client, seconds);
  if (asks_for(Advice::set_server_keepalive)) {
    add_keepalive(plan.server, seconds);
    add_user_timeout(plan.server, seconds);
  }
  return plan;
}

std::string option_words(const std::vector<PlannedOption>& options) {
  std::string words;
  for (const PlannedOption& option : options)
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", option.name, option.value);
  return words;
}

}  // namespace tcplab::audit
