// Selects some of the frames that match a fault's filter: all, the first n, the n-th, every n-th,
// or each with a probability. A seed makes the choice repeatable. Each fault has its own object,
// because it counts.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace tcplab::lab {

/// Random numbers from a seed, the same on every machine. std's distributions do not promise that.
class Chance {
public:
  /// Without a seed, draws one.
  explicit Chance(std::optional<std::uint32_t> seed = std::nullopt);

  double next();  // at least 0, less than 1
  std::uint32_t seed() const { return seed_; }

private:
  std::uint32_t seed_;
  std::mt19937 numbers_;
};

struct SelectionOptions {
  int skip = 0;              // not the first n
  std::optional<int> count;  // at most n
  std::optional<int> nth;    // only that one, from 1
  std::optional<int> every;  // every n-th
  std::optional<double> probability;
  std::optional<std::uint32_t> seed;
};

class FrameSelection {
public:
  /// Throws base::UsageError for options that contradict each other or are out of range.
  explicit FrameSelection(const SelectionOptions& options = {});

  /// Counts a frame that matches; returns whether it is selected.
  bool picks();
  /// Returns "2 of (after 1) ", to be followed by a description of the frames; empty for all.
  std::string describe() const;

private:
  bool is_one(int number);

  SelectionOptions options_;
  Chance chance_;
  int seen_ = 0;
  int picked_ = 0;
};

}  // namespace tcplab::lab
