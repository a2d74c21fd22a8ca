#include "lab/machine/perturbation.hh"

namespace tcplab::lab {

namespace {

/// FNV-1a.
std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char letter : text) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  return hash;
}

/// The finalizer of SplitMix64: all bits of the result depend on all bits of the number.
std::uint64_t scramble(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

Perturbation::Perturbation(std::optional<std::uint64_t> seed, std::string_view run) : seed_(seed) {
  if (seed_) seed_ = mix(scramble(*seed_ + 0x9e3779b97f4a7c15), run);
}

base::nanoseconds Perturbation::next(const std::string& kind, unsigned one_in,
                                     base::nanoseconds longest) {
  if (!seed_) return {};
  const std::uint64_t number = ++counts_[kind];
  const std::uint64_t drawn = scramble(mix(*seed_, kind) + number * 0x9e3779b97f4a7c15);
  if (drawn % one_in != 0) return {};
  constexpr double kRange = 1 << 20;
  const double share = static_cast<double>(scramble(drawn) >> 44) / kRange;  // from 0 to 1
  return base::from_seconds(base::in_seconds(longest) * share * share);
}

}  // namespace tcplab::lab
