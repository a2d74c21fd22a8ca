// Sums of the waits of programs, by all that a flame graph shows: stack, call, connection and end.
// 100,000 waits are a few sums, so that a browser can draw them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reports/waits/wait_words.hh"

namespace tcplab::reports {

/// What the waits of one sum have in common. Texts are indices into WaitSums::texts().
struct WaitKey {
  std::size_t program = 0;
  std::size_t stack = 0;       // an index into WaitSums::stacks()
  std::size_t call = 0;        // "recvfrom"
  std::size_t peer = 0;        // "10.0.0.2:5432"; of accept(2) "listens on port 80"
  std::size_t connection = 0;  // "10.0.0.1:45134 > 10.0.0.2:5432"
  std::size_t end = 0;         // "ETIMEDOUT"
  WaitOutcomeKind end_kind = WaitOutcomeKind::came;

  auto operator<=>(const WaitKey&) const = default;
};

struct WaitSum {
  WaitKey key;
  base::nanoseconds time{};  // from entry to return, exactly
  std::uint64_t count = 0;   // of waits
};

class WaitSums {
public:
  WaitSums();

  /// Adds a wait. Keeps the longest ones as they are.
  void add(const TraceWait& wait);

  base::nanoseconds time() const { return time_; }
  std::uint64_t count() const { return count_; }
  bool has_stacks() const { return has_stacks_; }

  /// Returns at most `most` sums, the longest time first. If there are more, the shortest ones
  /// have "other connections" in place of theirs, and if that is not enough, "[other stacks]"; then
  /// the sums of equal keys are one. The total never changes. The number of different calls and
  /// ends is not limited.
  std::vector<WaitSum> limited(std::size_t most) const;

  /// Returns the longest waits, the longest first: at most kListed.
  const std::vector<TraceWait>& longest() const { return longest_; }

  /// The frames of each stack, the outermost first, without addresses.
  const std::vector<std::vector<std::size_t>>& stacks() const { return stacks_; }
  const std::vector<std::string>& texts() const { return texts_; }

  static constexpr std::size_t kListed = 50;

private:
  struct Sum {
    base::nanoseconds time{};
    std::uint64_t count = 0;
  };
  using Sums = std::map<WaitKey, Sum>;

  std::size_t text(const std::string& text);
  std::size_t stack(const std::vector<std::string>& innermost_first);
  void keep(const TraceWait& wait);
  static void merge(Sums& sums, std::size_t keep, const std::function<void(WaitKey&)>& change);

  Sums sums_;
  base::nanoseconds time_{};
  std::uint64_t count_ = 0;
  bool has_stacks_ = false;
  std::vector<TraceWait> longest_;
  std::vector<std::string> texts_;
  std::map<std::string, std::size_t> text_indices_;
  std::vector<std::vector<std::size_t>> stacks_;
  std::map<std::vector<std::size_t>, std::size_t> stack_indices_;
  std::size_t other_connections_;  // a text
  std::size_t other_stacks_;       // a stack
};

}  // namespace tcplab::reports
