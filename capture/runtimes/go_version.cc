#include "capture/runtimes/go_version.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

constexpr std::string_view kInformationMagic = "\xff Go buildinf:";
constexpr Address kInformationFlags = 15;
constexpr std::uint8_t kTextFollows = 2;  // from 1.18 on
constexpr Address kVersionText = 32;
constexpr std::uint64_t kMostVersionBytes = 127;  // its length fits in one byte

std::string text_in(const ProcessMemory& memory, Address information, Address variable) {
  if (information != 0 && memory.text(information, kInformationMagic.size()) == kInformationMagic &&
      (memory.value<std::uint8_t>(information + kInformationFlags) & kTextFollows) != 0) {
    const auto size = memory.value<std::uint8_t>(information + kVersionText);
    if (size <= kMostVersionBytes) return memory.text(information + kVersionText + 1, size);
  }
  if (variable == 0) return "";
  const auto size = memory.value<std::uint64_t>(variable + sizeof(Address));
  return size == 0 || size > kMostVersionBytes ? "" : memory.text(memory.pointer(variable), size);
}

}  // namespace

std::string go_version(const ProcessMemory& memory, Address information, Address variable) {
  std::string text = text_in(memory, information, variable);
  constexpr std::string_view kGo = "go";
  if (!text.starts_with(kGo)) return "";
  text.erase(0, kGo.size());
  const auto is_number = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  text.erase(std::ranges::find_if_not(text, is_number), text.end());
  return text;
}

std::string short_go_version(std::string_view version) {
  const std::size_t first = version.find('.');
  if (first == std::string_view::npos) return std::string(version);
  return std::string(version.substr(0, version.find('.', first + 1)));
}

}  // namespace tcplab::capture
