// Versions of Linux, as people write them and as kernels report them.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace tcplab::base {

struct KernelVersion {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;  // of a stable kernel: 176 of "6.1.176"

  auto operator<=>(const KernelVersion&) const = default;
};

/// Parses "6.5" or "6.1.60". Returns nothing for any other text.
std::optional<KernelVersion> parse_kernel_version(std::string_view text);

/// Parses the beginning of a release as uname(2) gives it, "6.1.0-18-amd64". Parts that it does not
/// have are 0.
KernelVersion version_of_release(std::string_view release);

}  // namespace tcplab::base
