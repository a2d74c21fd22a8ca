// A pipe with the calls of one program, from the watcher to the run. Writing never blocks: a
// watcher that waits for the run would stop the program.
#pragma once

#include <cstddef>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::lab {

class CallPipe {
public:
  /// `descriptor`: the end to write to, non-blocking.
  explicit CallPipe(base::FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  /// Where lines are added. Above kMostWaiting, they are dropped: see is_full().
  std::string& text() { return text_; }
  bool is_full() const { return text_.size() > kMostWaiting; }
  bool is_empty() const { return text_.empty(); }

  /// Writes what the pipe takes. Returns false if text remains.
  bool flush();

private:
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20;  // bytes

  base::FileDescriptor descriptor_;
  std::string text_;
};

}  // namespace tcplab::lab
