// Asks another TCP stack for calls: one request per line, and one JSON object per line as its
// answer (docs/stacks.md, "The calls of a stack"). The answers may come in another order.
// Single-threaded.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::dnc {

/// The stack has ended, or has sent what is no answer.
class StackGone : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The answer to one call.
struct StackAnswer {
  std::int64_t result = -1;
  int error = 0;          // errno, if result is -1
  nlohmann::json fields;  // all that the answer has: "data", "revents", "value", "local", "remote"

  std::string text(const char* field) const;
};

class StackChannel {
public:
  using Id = std::uint64_t;

  /// `descriptor`: a stream socket to the stack.
  explicit StackChannel(base::FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  int descriptor() const { return descriptor_.get(); }

  /// Sends a request, which is given without its number: "read 5 100". `cancel` has no answer.
  Id send(const std::string& request);
  /// Waits for the answer. Throws StackGone.
  StackAnswer await(Id id);
  /// Returns whether the answer has come. Reads what is there, and does not wait.
  bool has(Id id);

private:
  void read_more(bool waits);
  void take_line(const std::string& line);

  base::FileDescriptor descriptor_;
  Id last_ = 0;
  std::string buffer_;
  std::map<Id, StackAnswer> answers_;
};

/// Returns bytes as a request has them: in quotes; \xHH for all but letters, digits and plain
/// signs.
std::string quoted_bytes(std::string_view bytes);
/// Returns the bytes of an answer's text, which has U+00HH for the byte HH.
std::string bytes_of(const std::string& text);

}  // namespace tcplab::dnc
