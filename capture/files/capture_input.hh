// A capture file, or one that comes through a pipe and can be read only once: its beginning is
// looked at, and then read by libpcap as if nobody had.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::capture {

class CaptureInput {
public:
  /// "-" is standard input. Throws base::UsageError for a file that cannot be opened, and for a
  /// terminal.
  explicit CaptureInput(const std::string& file);

  /// True for a pcapng file whose section describes more than one interface before its first packet
  /// (draft-ietf-opsawg-pcapng section 4.2). Waits for as much of it as that takes.
  bool has_several_interfaces();

  /// All of it, from its first octet; the stream takes the input with it.
  static std::FILE* stream(std::unique_ptr<CaptureInput> input);

  /// As read(2), for the stream.
  long read(char* buffer, std::size_t size);

private:
  bool has(std::size_t size);  // so many octets of it, read by now
  std::uint32_t number_at(std::size_t at) const;

  base::FileDescriptor file_;
  std::vector<char> head_;  // what was looked at
  std::size_t given_ = 0;   // of it, to the stream
  bool is_swapped_ = false;
};

}  // namespace tcplab::capture
