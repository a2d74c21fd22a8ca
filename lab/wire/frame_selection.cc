#include "lab/wire/frame_selection.hh"

#include <cmath>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

std::string ordinal(int number) {
  const int ten = number / 10 % 10;
  const int one = number % 10;
  const char* ending = "th";
  if (ten != 1 && one == 1) ending = "st";
  if (ten != 1 && one == 2) ending = "nd";
  if (ten != 1 && one == 3) ending = "rd";
  return std::to_string(number) + ending;
}

void refuse_contradictions(const SelectionOptions& options) {
  const bool has_others = options.skip > 0 || options.count || options.every || options.probability;
  if (options.nth && has_others) {
    throw base::UsageError(
        "option `nth` picks one frame; it does not go with `skip`, `count`, `every` or "
        "`probability`");
  }
  if (options.every && options.probability)
    throw base::UsageError("options `every` and `probability` do not go together: choose one");
}

void refuse_ranges(const SelectionOptions& options) {
  if (options.nth && *options.nth < 1) throw base::UsageError("option `nth` counts from 1");
  if (options.every && *options.every < 1)
    throw base::UsageError("option `every` is 1 (each frame), 2 (every second one), or more");
  if (options.probability && !(*options.probability >= 0 && *options.probability <= 1))
    throw base::UsageError("option `probability` is a number from 0 to 1");
}

}  // namespace

Chance::Chance(std::optional<std::uint32_t> seed)
    : seed_(seed ? *seed : std::random_device()()), numbers_(seed_) {}

double Chance::next() { return std::ldexp(double(numbers_()), -32); }

FrameSelection::FrameSelection(const SelectionOptions& options)
    : options_(options), chance_(options.probability ? options.seed : 0) {
  refuse_contradictions(options);
  refuse_ranges(options);
}

bool FrameSelection::is_one(int number) {
  if (options_.nth) return number == *options_.nth;
  if (options_.every) return number % *options_.every == 0;
  if (options_.probability) return chance_.next() < *options_.probability;
  return true;
}

bool FrameSelection::picks() {
  if (options_.count && picked_ >= *options_.count) return false;
  if (++seen_ <= options_.skip || !is_one(seen_ - options_.skip)) return false;
  ++picked_;
  return true;
}

std::string FrameSelection::describe() const {
  if (options_.nth) return "the " + ordinal(*options_.nth) + " of ";
  std::string text;
  if (options_.count) text += std::to_string(*options_.count) + " of ";
  if (options_.skip > 0) text += "(after " + std::to_string(options_.skip) + ") ";
  if (options_.every && *options_.every > 1) text += "every " + ordinal(*options_.every) + " of ";
  if (options_.probability)
    text += fmt::format("{:g} % (seed {}) of ", *options_.probability * 100, chance_.seed());
  return text;
}

}  // namespace tcplab::lab
