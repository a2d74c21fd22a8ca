// A copy of an input that can be read only once, such as a pipe.
#pragma once

#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::base {

class Spool {
public:
  Spool() = default;
  /// Copies the file, unless it is a regular file; "-" is standard input. The copy disappears with
  /// the spool. Throws UsageError if the file cannot be read, and LabError if it cannot
  /// be copied.
  explicit Spool(const std::string& file);

  /// Returns the name under which the copy can be opened, any number of times; empty if there is no
  /// copy.
  const std::string& name() const { return name_; }

private:
  FileDescriptor copy_;
  std::string name_;
};

}  // namespace tcplab::base
