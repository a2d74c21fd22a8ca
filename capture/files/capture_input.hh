// The input of a capture: a file, or a pipe, which can be read only once; gzip is decompressed. It
// lets us inspect the beginning, and then passes libpcap the whole capture, from its first byte on.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "capture/files/gzip_input.hh"

namespace tcplab::capture {

class CaptureInput {
public:
  /// Opens a file, gzip or not; "-" is standard input. Throws base::UsageError if the file cannot
  /// be opened, or if standard input is a terminal.
  explicit CaptureInput(const std::string& file);

  /// Returns true if the input has no byte. Waits until the first has arrived.
  bool is_empty() { return !read_ahead(1); }

  /// Returns true for a pcapng file. Waits until its first bytes have arrived.
  bool is_pcapng();
  /// Returns true for a pcapng file that describes more than one interface before its first packet
  /// (draft-ietf-opsawg-pcapng section 4.2). Waits until enough of the input has arrived.
  bool has_several_interfaces();

  /// Returns a stream of the whole input. The stream owns `input`.
  static std::FILE* stream(std::unique_ptr<CaptureInput> input);

  /// Reads from the input as read(2) does. For the stream.
  long read(char* buffer, std::size_t size);

private:
  void detect_gzip();
  long read_input(char* buffer, std::size_t size);  // after head_
  bool read_ahead(std::size_t size);  // until head_ has this many bytes; false if it cannot
  std::uint32_t number_at(std::size_t at) const;

  base::FileDescriptor file_;
  std::unique_ptr<GzipInput> gzip_;  // if the input is compressed
  std::vector<char> head_;           // the bytes that were inspected
  std::size_t head_position_ = 0;    // how much of head_ the stream has read
  bool is_swapped_ = false;
};

}  // namespace tcplab::capture
