#include <fmt/format.h>

#include "audit/library.hh"
#include "audit/program_settings.hh"
#include "base/error.hh"
#include "reports/audit/audit_words.hh"

namespace tcplab::reports {

namespace {

/// ": --max-time 30", or without a spelling the general one.
std::string spelling(std::string_view own, std::string_view general) {
  if (!own.empty()) return ": " + std::string(own);
  return general.empty() ? "" : ": " + std::string(general);
}

using Setting = std::string_view audit::ProgramSettings::*;

/// What does not help. TCP_USER_TIMEOUT ends a closed window, although the probes are answered
/// (tcp_probe_timer(); since Linux 5.11).
std::string unheeded_words(const audit::Cell& cell) {
  if (cell.reason == audit::Reason::zero_window)
    return ". Keepalive does not notice a closed window; TCP_USER_TIMEOUT does, but also ends the "
           "connection to a server that is only slow";
  return ". Keepalive and TCP_USER_TIMEOUT do not notice a server whose kernel still answers";
}

/// How the client spells a setting: its library, or else its program.
std::string client_spelling(const audit::Cell& cell, Setting setting, std::string_view general) {
  const audit::Library* library = audit::library_named(cell.library);
  if (library != nullptr && (library->settings.*setting).empty()) return spelling("", general);
  if (library != nullptr)
    return fmt::format(", with {} (its traceback names it): {}; see {}", cell.library,
                       library->settings.*setting, library->documentation);
  const audit::ProgramSettings* known = audit::settings_of(cell.command);
  return spelling(known != nullptr ? known->*setting : "", general);
}

/// How the server spells a setting for the connections of its clients.
std::string server_spelling(const audit::Cell& cell, Setting setting, std::string_view general) {
  const audit::ProgramSettings* server = audit::settings_of(cell.server_command);
  if (server == nullptr) return spelling("", general);
  const bool is_proxy =
      setting == &audit::ProgramSettings::keepalive && !server->to_clients.empty();
  return spelling(is_proxy ? server->to_clients : server->*setting, general);
}

constexpr std::string_view kKeepalive =
    "setsockopt SO_KEEPALIVE = 1, TCP_KEEPIDLE = 10, TCP_KEEPINTVL = 5, TCP_KEEPCNT = 4";

std::string words_for(audit::Advice advice, const audit::Cell& cell) {
  using Settings = audit::ProgramSettings;
  switch (advice) {
    case audit::Advice::set_keepalive:
      return "set keepalive to 30 s" + client_spelling(cell, &Settings::keepalive, kKeepalive) +
             ". The client waits and everything is acknowledged, so only a probe finds out. Set "
             "TCP_USER_TIMEOUT, too: keepalive does not run while data is unacknowledged";
    case audit::Advice::set_user_timeout:
      return "set TCP_USER_TIMEOUT to 30 s" +
             client_spelling(cell, &Settings::user_timeout, "setsockopt TCP_USER_TIMEOUT = 30000") +
             ". Keepalive does not run while data is unacknowledged";
    case audit::Advice::set_application_timeout:
      return "give the program a timeout of its own" +
             client_spelling(cell, &Settings::application_timeout,
                             "`timeout 30` before the command") +
             unheeded_words(cell);
    case audit::Advice::set_connect_timeout:
      return "give connect a timeout" +
             client_spelling(cell, &Settings::connect_timeout, "setsockopt TCP_SYNCNT = 3");
    case audit::Advice::retry_once:
      return "try once more on a new connection, if the request may be repeated";
    case audit::Advice::make_repeatable:
      return "make the request safe to repeat, or do not retry it: the server read it twice";
    case audit::Advice::keep_first_error:
      return "report the first error, too: " + base::errno_name(cell.first_error.value_or(0)) +
             " was the cause";
    case audit::Advice::set_server_keepalive:
      return "set keepalive at the server, which keeps what the client had (locks, sessions)" +
             server_spelling(cell, &Settings::keepalive, kKeepalive);
    case audit::Advice::set_server_timeout:
      return "give the server a timeout for idle clients" +
             server_spelling(cell, &Settings::application_timeout, "") +
             ". The kernel of a frozen client answers every keepalive probe";
  }
  return "";
}

}  // namespace

std::vector<std::string> advice_words(const audit::Cell& cell) {
  std::vector<std::string> words;
  for (const audit::Advice advice : cell.advice) words.push_back(words_for(advice, cell));
  return words;
}

}  // namespace tcplab::reports
