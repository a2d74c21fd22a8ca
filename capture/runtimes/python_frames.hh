// Reads a frame of CPython 3.8 to 3.13: which function, and at which line it is.
#pragma once

#include <optional>
#include <vector>

#include "capture/runtimes/python_objects.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

class PythonFrames {
public:
  explicit PythonFrames(const PythonObjects& objects) : objects_(objects) {}

  /// Returns nothing for an entry from C, which is no function.
  std::optional<RuntimeFrame> read(Address frame) const;

  /// Returns the frame that has called this one; 0 if none has.
  Address caller(Address frame) const;

  /// Returns the first local variable: `self` of a method. 0 if it has no value.
  Address first_local(Address frame) const;

  /// Returns the frame of a generator or coroutine; 0 if it has ended.
  Address of_generator(Address generator) const;

  /// Returns what a suspended coroutine awaits: the value on top of its stack; 0 if it runs.
  Address awaited(Address frame) const;

private:
  int line(Address frame, Address code) const;
  std::uint64_t instruction(Address frame, Address code) const;

  const PythonObjects& objects_;
};

}  // namespace tcplab::capture
