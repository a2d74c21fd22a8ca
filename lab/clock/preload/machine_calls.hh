// The functions of the C library that the preload library replaces, and the machine's time.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <ctime>

namespace tcplab::lab {

inline constexpr std::int64_t kSecond = 1'000'000'000;

/// Returns the next definition of a function: that of the C library.
template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

inline std::int64_t nanoseconds_of(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}
inline timespec timespec_of(std::int64_t nanoseconds) {
  return {nanoseconds / kSecond, static_cast<long>(nanoseconds % kSecond)};
}

inline std::int64_t machine_time(clockid_t clock = CLOCK_MONOTONIC) {
  static auto* const kReal = next<int(clockid_t, timespec*)>("clock_gettime");
  timespec time{};
  kReal(clock, &time);
  return nanoseconds_of(time);
}

}  // namespace tcplab::lab
