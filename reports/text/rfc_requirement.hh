// A requirement on a TCP stack that a scenario tests: `requires` in its table (tcplab conform).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::reports {

/// How much an RFC demands it. A behaviour is what no RFC fixes, but programs depend on.
enum class RequirementLevel : std::uint8_t { must, should, may, behaviour };

/// "MUST", "SHOULD", "MAY" or "behaviour".
std::string_view name(RequirementLevel level);
std::optional<RequirementLevel> requirement_level(std::string_view name);

struct RfcRequirement {
  std::string id;  // "MUST-58" of RFC 9293 Appendix B, or an id of ours: "RFC5961-3.2-a"
  RequirementLevel level = RequirementLevel::must;
  std::string rfc;   // "RFC 9293 section 3.10.7.4"
  std::string says;  // what the RFC says, in our words
  std::string met;   // what counts as met
};

/// Returns whether the first comes before the second in a table: by level, then by RFC and number:
/// MUST-2 comes before MUST-10, and both before RFC5961-3.2-a.
bool comes_before(const RfcRequirement& one, const RfcRequirement& other);

}  // namespace tcplab::reports
