// Explains a capture in words: an overview of its connections, the worst first, and for the bad
// ones what happened, which scenario they look like, and their ladders.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "reports/explain/diagnosis.hh"
#include "reports/explain/followed_capture.hh"
#include "reports/explain/overview.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct CaptureStoryOptions {
  std::optional<std::size_t> only;  // the number of one connection, from 1
  std::optional<std::size_t> most;  // connections to describe in full; else the bad ones, up to 10
  /// Returns true if the catalogue has a scenario of that name.
  std::function<bool(const std::string&)> is_scenario = [](const std::string&) { return true; };
};

class CaptureStory {
public:
  /// The capture must be finished. Throws base::UsageError if it has no connection with the number
  /// in the options.
  CaptureStory(const FollowedCapture& capture, CaptureStoryOptions options);

  void write(std::ostream& out, const Style& style) const;

  /// Returns all connections, the worst first.
  const std::vector<RankedConnection>& entries() const { return ranking_.entries(); }
  const Ranking& ranking() const { return ranking_; }
  /// Returns those to describe in full, the worst first.
  std::vector<const RankedConnection*> chosen() const;
  /// Returns the diagnoses of a connection whose scenarios exist.
  std::vector<Diagnosis> diagnoses_of(const RankedConnection& entry) const;
  /// Returns what happened in a connection, in sentences.
  std::string words_of(const RankedConnection& entry) const;
  /// Returns the diagnosis in words, "power-off: the client ..."; empty if there is none.
  std::string opinion_of(const RankedConnection& entry) const;

private:
  void write_entry(std::ostream& out, const Style& style, const RankedConnection& entry) const;

  const FollowedCapture& capture_;
  CaptureStoryOptions options_;
  Ranking ranking_;
};

}  // namespace tcplab::reports
