#include "app/script/set_options.hh"

#include <charconv>
#include <sstream>

namespace tcplab::app {

namespace {

void note(SetOptions& options, const std::string& name, std::string_view value) {
  long number = 0;
  const auto [end, error] = std::from_chars(value.begin(), value.end(), number);
  if (error == std::errc{} && end == value.end()) options[name] = number;
}

/// IDLE/INTERVAL/COUNT; an empty part is the host's setting.
void note_keepalive(SetOptions& options, const std::string& text) {
  std::istringstream parts(text);
  std::string part;
  for (const char* name : {"TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT"})
    if (std::getline(parts, part, '/')) note(options, name, part);
}

/// A number of milliseconds, or of "ms" or "s".
void note_user_timeout(SetOptions& options, const std::string& text) {
  const auto unit = text.find_first_not_of("0123456789.");
  const std::string suffix = unit == std::string::npos ? "ms" : text.substr(unit);
  if (suffix != "ms" && suffix != "s") return;
  const double number = std::strtod(text.c_str(), nullptr);
  options["TCP_USER_TIMEOUT"] = static_cast<long>(suffix == "s" ? number * 1000 : number);
}

}  // namespace

void note_option(SetOptions& options, const std::string& argument) {
  const auto sign = argument.find(" = ");
  if (sign != std::string::npos)
    note(options, argument.substr(0, sign), std::string_view(argument).substr(sign + 3));
}

void note_dnc_options(SetOptions& options, const std::string& command) {
  std::istringstream words(command);
  for (std::string word; words >> word;) {
    const auto sign = word.find('=');
    const std::string name = word.substr(0, sign);
    if (name != "--keepalive" && name != "--user-timeout") continue;
    std::string value;
    if (sign != std::string::npos)
      value = word.substr(sign + 1);
    else
      words >> value;
    name == "--keepalive" ? note_keepalive(options, value) : note_user_timeout(options, value);
  }
}

SetOptions set_options(lab::Timeline& timeline, const lab::LabProgram& program) {
  SetOptions options;
  timeline.visit_after(0, [&](const capture::Event& event) {
    if (const auto* start = std::get_if<capture::Program>(&event.body)) {
      if (start->host == program.host() && start->program == program.name() &&
          start->change == capture::ProgramChange::started && start->command.starts_with("dnc"))
        note_dnc_options(options, start->command);
    }
    const auto* call = std::get_if<capture::Call>(&event.body);
    if (call != nullptr && call->host == program.host() && call->program == program.name() &&
        call->phase == capture::CallPhase::leave && call->call == "setsockopt" && call->result == 0)
      note_option(options, call->arguments);
    return true;
  });
  return options;
}

}  // namespace tcplab::app
