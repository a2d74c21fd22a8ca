// Which USDT probes a user wants to see: "python:function__entry", "postgresql:transaction__*".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capture/probes/probe_file.hh"

namespace tcplab::capture {

class ProbeChoice {
public:
  ProbeChoice() = default;
  /// Each pattern is PROVIDER:NAME, in which * and ? are those of a shell (glob(7)). `option` names
  /// the patterns in messages. Throws base::UsageError for any other text.
  ProbeChoice(std::string_view option, std::vector<std::string> patterns);

  bool is_empty() const { return patterns_.empty(); }
  bool match(const ProbeSite& site) const;
  const std::vector<std::string>& patterns() const { return patterns_; }

private:
  std::vector<std::string> patterns_;
};

/// Returns whether the pattern is that of the probe "python:function__entry".
bool matches_probe(const std::string& pattern, const std::string& full_name);

}  // namespace tcplab::capture
