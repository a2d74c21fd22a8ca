// Finds the frames of JavaScript functions on a thread's stack. V8 keeps a chain of frame pointers
// through its own frames; C++ functions keep none. So the walk has two kinds of steps:
//
//   C++, inside the system call
//   exit frame     V8's isolate says where the innermost one is (c_entry_fp)
//   functions      linked by frame pointers, up to an
//   entry frame    which has saved where the next exit frame is
//   C++            and so on
//
// Old words of the stack, and buffers of C++, can look like frames. The walk takes only frames that
// a link leads to.
#pragma once

#include <optional>
#include <vector>

#include "capture/memory/process_image.hh"
#include "capture/runtimes/v8_heap.hh"

namespace tcplab::capture {

struct V8Frame {
  Address pointer = 0;          // of the frame
  Address program_counter = 0;  // where the call that it makes returns to
  TaggedValue function = 0;
};

class V8Stack {
public:
  /// Both must outlive this. Empty if the stack cannot be read.
  V8Stack(const ProcessImage& image, const V8Heap& heap, Address stack_pointer);

  /// Returns the frames of functions, innermost first, at most 128; empty if the thread runs no
  /// JavaScript. Throws UnreadableMemory if a frame is not as expected.
  std::vector<V8Frame> frames() const;

  /// Returns a word of a frame, at a distance from its pointer.
  Address word(const V8Frame& frame, int offset) const;

private:
  std::optional<Address> at(Address address) const;
  /// The type of a frame that is no function's.
  std::optional<int> frame_type(Address frame) const;
  bool is_exit(Address frame) const;
  std::vector<Address> exits() const;
  std::optional<Address> current_exit(const std::vector<Address>& exits) const;
  std::optional<Address> current_exit(TaggedValue object, const std::vector<Address>& exits) const;
  std::optional<Address> first_of(Address from, std::size_t size,
                                  const std::vector<Address>& exits) const;
  /// The exit frame that an entry frame has saved.
  std::optional<Address> outer_exit(Address entry, const std::vector<Address>& exits) const;
  /// Adds the functions above an exit frame, and returns the entry frame behind them.
  Address walk(Address exit, std::size_t most, std::vector<V8Frame>& frames) const;

  const ProcessImage& image_;
  const V8Heap& heap_;
  Address start_ = 0;
  std::vector<Address> words_;
};

}  // namespace tcplab::capture
