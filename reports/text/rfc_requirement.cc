#include "reports/text/rfc_requirement.hh"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::array<std::pair<RequirementLevel, std::string_view>, 4> kLevels = {
    {{RequirementLevel::must, "MUST"},
     {RequirementLevel::should, "SHOULD"},
     {RequirementLevel::may, "MAY"},
     {RequirementLevel::behaviour, "behaviour"}}};

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// Compares texts, but numbers in them by their value.
bool comes_before(std::string_view one, std::string_view other) {
  while (!one.empty() && !other.empty()) {
    if (is_digit(one.front()) && is_digit(other.front())) {
      const auto length = [](std::string_view text) {
        return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
      };
      const std::string_view left = one.substr(0, length(one));
      const std::string_view right = other.substr(0, length(other));
      if (left != right)
        return std::pair(left.size(), left) < std::pair(right.size(), right);  // no leading zeros
      one.remove_prefix(left.size());
      other.remove_prefix(right.size());
    } else {
      if (one.front() != other.front()) return one.front() < other.front();
      one.remove_prefix(1);
      other.remove_prefix(1);
    }
  }
  return one.size() < other.size();
}

/// The ids of RFC 9293 are those of the standard, so they come first.
bool is_of_another_rfc(const RfcRequirement& requirement) {
  return requirement.id.starts_with("RFC");
}

}  // namespace

std::string_view name(RequirementLevel level) {
  return std::ranges::find(kLevels, level, &std::pair<RequirementLevel, std::string_view>::first)
      ->second;
}

std::optional<RequirementLevel> requirement_level(std::string_view name) {
  for (const auto& [level, word] : kLevels)
    if (word == name) return level;
  return std::nullopt;
}

bool comes_before(const RfcRequirement& one, const RfcRequirement& other) {
  const auto rank = [](const RfcRequirement& requirement) {
    return std::pair(requirement.level, is_of_another_rfc(requirement));
  };
  if (rank(one) != rank(other)) return rank(one) < rank(other);
  return comes_before(std::string_view(one.id), std::string_view(other.id));
}

}  // namespace tcplab::reports
