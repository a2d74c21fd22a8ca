#include "capture/probes/probe_choice.hh"

#include <fnmatch.h>

#include <algorithm>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::capture {

namespace {

/// Names of probes are those of C. A blank would also end a word of a request to a tracer.
bool is_never_in_a_name(unsigned char letter) {
  constexpr unsigned char kDelete = 0x7f;
  return letter <= ' ' || letter == kDelete || letter == '=';
}

}  // namespace

ProbeChoice::ProbeChoice(std::string_view option, std::vector<std::string> patterns)
    : patterns_(std::move(patterns)) {
  for (const std::string& pattern : patterns_) {
    const auto colon = pattern.find(':');
    const bool is_whole = colon != std::string::npos && colon > 0 && colon + 1 < pattern.size();
    if (!is_whole || std::ranges::any_of(pattern, is_never_in_a_name))
      throw base::UsageError(std::string(option) + " \"" + base::c_escape(pattern) + "\"" +
                             ": write a probe as PROVIDER:NAME, such as libstdcxx:throw, or "
                             "PROVIDER:* for all; tcplab trace --probes PROGRAM lists them");
  }
}

bool ProbeChoice::match(const ProbeSite& site) const {
  const std::string name = site.full_name();
  return std::ranges::any_of(
      patterns_, [&name](const std::string& pattern) { return matches_probe(pattern, name); });
}

bool matches_probe(const std::string& pattern, const std::string& full_name) {
  return ::fnmatch(pattern.c_str(), full_name.c_str(), 0) == 0;
}

}  // namespace tcplab::capture
