// A thread of a program has reached a USDT probe: an event of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::capture {

/// A whole number of 64 bits, with or without a sign.
struct WideNumber {
  std::uint64_t bits = 0;
  bool is_negative = false;  // the bits are those of a std::int64_t below 0

  bool operator==(const WideNumber&) const = default;
};

/// An argument that the program passes to a probe.
struct ProbeArgument {
  WideNumber value{};
  /// The text at that address, if it is the address of a plausible one. Nobody knows whether the
  /// program means it as text.
  std::string text{};
  bool is_cut = false;   // the text is longer
  std::string unread{};  // not empty: the operand, whose value could not be read

  bool operator==(const ProbeArgument&) const = default;
};

/// A probe that a thread of a program has reached (sys/sdt.h).
struct Probe {
  std::string host;
  std::string program;
  int pid = 0;
  int tid = 0;           // the thread; 0: the process's first
  std::string provider;  // "python"
  std::string name;      // "function__entry"
  std::vector<ProbeArgument> arguments{};
};

}  // namespace tcplab::capture
