#include "uml/guest_time.hh"

#include <chrono>

namespace tcplab::uml {

namespace {

constexpr std::chrono::seconds kLongestMeasurement{60};

}  // namespace

void GuestTime::measure(GuestKernel& kernel) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestMeasurement;
  while (std::chrono::steady_clock::now() < deadline) {
    const base::Instant held = kernel.place().hold();
    const std::uint64_t guest_time = kernel.ask_number(Kind::read_clock, {});
    if (base::now() > held) continue;
    offset_ = held - base::from_nanoseconds(static_cast<std::int64_t>(guest_time));
    return;
  }
  throw base::LabError(kernel.host() + ": its agent never answers in time to measure its clock");
}

base::Instant GuestTime::instant_of(std::uint64_t guest_time) const {
  return base::from_nanoseconds(static_cast<std::int64_t>(guest_time)) + offset_;
}

}  // namespace tcplab::uml
