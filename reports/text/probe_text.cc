#include "reports/text/probe_text.hh"

#include <cstdint>
#include <fmt/format.h>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kTextShown = 64;  // columns

/// What does not fit into 32 bits is most likely an address, and so is what leads to text.
std::string number_text(const capture::ProbeArgument& argument) {
  const capture::WideNumber& number = argument.value;
  if (number.is_negative) return std::to_string(static_cast<std::int64_t>(number.bits));
  if (number.bits > UINT32_MAX || !argument.text.empty()) return fmt::format("{:#x}", number.bits);
  return std::to_string(number.bits);
}

std::string argument_text(const capture::ProbeArgument& argument) {
  if (!argument.unread.empty()) return "?";
  std::string number = number_text(argument);
  if (argument.text.empty()) return number;
  const std::string whole = printable(argument.text);
  const std::string_view shown = first_columns(whole, kTextShown);
  const bool is_cut = argument.is_cut || shown.size() < whole.size();
  return fmt::format("{} → \"{}\"{}", number, shown, is_cut ? ".." : "");
}

}  // namespace

StyledText probe_text(const capture::Probe& probe) {
  StyledText text(probe.provider + ":" + probe.name, Paint::strong);
  std::string arguments;
  for (const capture::ProbeArgument& argument : probe.arguments)
    arguments += (arguments.empty() ? "" : ", ") + argument_text(argument);
  return text.add("(" + arguments + ")");
}

}  // namespace tcplab::reports
