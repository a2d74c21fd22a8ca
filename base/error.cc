#include "base/error.hh"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/limits.hh"

namespace tcplab::base {

namespace {

constexpr int kHighestErrno = 200;  // the highest on Linux is 133 (EHWPOISON)

std::string describe(std::string_view attempt, int error) {
  return "cannot " + std::string(attempt) + ": " + strerrordesc_np(error) + " (" +
         errno_name(error) + ")" + limit_of_files(error);
}

}  // namespace

SystemError::SystemError(std::string_view attempt, int error)
    : LabError(describe(attempt, error)), error_(error) {}

int check(std::string_view attempt, int result) {
  if (result == -1) throw SystemError(attempt, errno);
  return result;
}

long check(std::string_view attempt, long result) {
  if (result == -1) throw SystemError(attempt, errno);
  return result;
}

std::string errno_name(int error) {
  if (const char* name = strerrorname_np(error)) return name;
  return "errno " + std::to_string(error);
}

int errno_number(std::string_view name) {
  if (name == "EWOULDBLOCK") return EWOULDBLOCK;
  for (int error = 1; error < kHighestErrno; ++error) {
    const char* candidate = strerrorname_np(error);
    if (candidate != nullptr && name == candidate) return error;
  }
  return 0;
}

std::string signal_name(int signal) {
  if (const char* name = sigabbrev_np(signal)) return std::string("SIG") + name;
  return "signal " + std::to_string(signal);
}

int signal_number(std::string_view name) {
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (int signal = 1; signal < NSIG; ++signal) {
    const char* candidate = sigabbrev_np(signal);
    if (candidate != nullptr && name == candidate) return signal;
  }
  return 0;
}

}  // namespace tcplab::base
