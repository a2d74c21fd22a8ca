#include "lab/machine/perturbation.hh"

#include "base/fnv_hash.hh"

namespace tcplab::lab {

namespace {

/// The finalizer of SplitMix64: all bits of the result depend on all bits of the number.
std::uint64_t scramble(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

Perturbation::Perturbation(std::optional<std::uint64_t> seed, std::string_view run) : seed_(seed) {
  if (seed_) seed_ = base::fnv_hash(run, scramble(*seed_ + 0x9e3779b97f4a7c15));
}

base::nanoseconds Perturbation::next(const std::string& kind, unsigned one_in,
                                     base::nanoseconds longest) {
  if (!seed_) return {};
  const std::uint64_t number = ++counts_[kind];
  const std::uint64_t drawn = scramble(base::fnv_hash(kind, *seed_) + number * 0x9e3779b97f4a7c15);
  if (drawn % one_in != 0) return {};
  constexpr double kRange = 1 << 20;
  const double share = static_cast<double>(scramble(drawn) >> 44) / kRange;  // from 0 to 1
  return base::from_seconds(base::in_seconds(longest) * share * share);
}

}  // namespace tcplab::lab
