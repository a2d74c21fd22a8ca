#include "base/kernel_version.hh"

#include <array>
#include <charconv>

namespace tcplab::base {

namespace {

struct Parsed {
  KernelVersion version{};
  int parts = 0;
  std::string_view rest{};
};

/// Takes up to three numbers with dots between them.
Parsed parse(std::string_view text) {
  std::array<unsigned, 3> numbers{};
  Parsed parsed{.rest = text};
  for (unsigned& number : numbers) {
    std::string_view from = parsed.rest;
    if (parsed.parts > 0) {
      if (!from.starts_with('.')) break;
      from.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), number);
    if (error != std::errc{}) break;
    parsed.rest = from.substr(static_cast<std::size_t>(end - from.data()));
    ++parsed.parts;
  }
  parsed.version = {.major = numbers[0], .minor = numbers[1], .patch = numbers[2]};
  return parsed;
}

}  // namespace

std::optional<KernelVersion> parse_kernel_version(std::string_view text) {
  const Parsed parsed = parse(text);
  if (parsed.parts < 2 || !parsed.rest.empty()) return std::nullopt;
  return parsed.version;
}

KernelVersion version_of_release(std::string_view release) { return parse(release).version; }

}  // namespace tcplab::base
