// Which of the frames that match a fault's filter it acts on: all, the first n, the n-th, every
// n-th, or with a probability. Chance comes from a seed that can be told, so that a run can be had
// again. One object a fault: it counts.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace tcplab::engine {

/// Numbers from a seed; the same ones on every machine, which std's distributions do not promise.
class Chance {
public:
  /// Without a seed it draws one.
  explicit Chance(std::optional<std::uint32_t> seed = std::nullopt);

  double next();  // from 0 up to 1, without 1
  std::uint32_t seed() const { return seed_; }

private:
  std::uint32_t seed_;
  std::mt19937 numbers_;
};

struct SelectionOptions {
  int skip = 0;              // frames that pass first
  std::optional<int> count;  // frames that it acts on at most
  std::optional<int> nth;    // only that one, from 1
  std::optional<int> every;  // every so manieth
  std::optional<double> probability;
  std::optional<std::uint32_t> seed;
};

class FrameSelection {
public:
  /// Throws base::UsageError for options that contradict each other or are out of range.
  explicit FrameSelection(const SelectionOptions& options = {});

  /// Of the next frame that matches: is it one of them?
  bool picks();
  /// "2 of (after 1) ", to be followed by what the frames are; empty for all.
  std::string describe() const;

private:
  bool is_one(int number);

  SelectionOptions options_;
  Chance chance_;
  int seen_ = 0;
  int picked_ = 0;
};

}  // namespace tcplab::engine
