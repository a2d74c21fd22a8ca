#include "capture/runtimes/v8.hh"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "capture/runtimes/v8_heap.hh"
#include "capture/runtimes/v8_layout.hh"
#include "capture/runtimes/v8_sockets.hh"
#include "capture/runtimes/v8_stack.hh"

namespace tcplab::capture {

namespace {

/// The machine code of V8's builtins, a part of Node's file: the interpreter is one of them. What
/// V8 compiles is outside of files.
class Builtins {
public:
  Builtins(const ProcessImage& image, std::string path) : image_(image), path_(std::move(path)) {}

  bool contain(Address address) const {
    const Mapping* here = image_.mapping(address);
    return here != nullptr && here->is_executable && here->path == path_;
  }

  /// Returns whether the address is in V8's second copy of the builtins, near the code that it
  /// compiles.
  bool is_in_copy(Address address) const {
    const Mapping* here = image_.mapping(address);
    if (here == nullptr || here->path != path_) return false;
    const auto& mappings = image_.mappings();
    const auto first = std::ranges::find_if(mappings, [&](const Mapping& each) {
      return each.path == path_ && each.is_executable && each.offset <= here->offset &&
             here->offset - each.offset < each.end - each.start;
    });
    return first != mappings.end() && first->start != here->start;
  }

private:
  const ProcessImage& image_;
  std::string path_;
};

class V8 final : public Runtime {
public:
  V8(const ProcessImage& image, const ProcessMemory& memory, V8Layout layout,
     const std::string& path, int version)
      : image_(image),
        heap_(memory, std::move(layout)),
        path_(path),
        builtins_(image, path),
        version_(version) {}

  std::string name() const override { return "Node " + std::to_string(version_); }

  const ProcessMemory& memory() const override { return heap_.memory(); }

  std::vector<RuntimeFrame> frames(const ThreadPosition& thread) const override {
    const V8Stack stack(image_, heap_, thread.stack_pointer);
    std::vector<RuntimeFrame> frames;
    for (const V8Frame& frame : stack.frames()) {
      std::string function = heap_.function_name(frame.function);
      if (function.empty()) continue;
      frames.push_back({.function = std::move(function),
                        .file = heap_.file_name(frame.function),
                        .line = line(stack, frame)});
    }
    return frames;
  }

  /// The sockets that the main thread's event loop waits for.
  std::vector<RuntimeTask> tasks() const override {
    constexpr std::string_view kLoop = "default_loop_ptr";  // of libuv, in Node's program
    const Address pointer = address_of(image_.symbols(path_, kLoop), kLoop);
    if (pointer == 0) return {};
    const Address loop = heap_.memory().pointer(pointer);
    return loop == 0 ? std::vector<RuntimeTask>{} : v8_sockets(heap_, loop);
  }

  /// The builtins of V8, and code outside of files: compiled JavaScript.
  bool is_interpreter(std::string_view native_frame) const override {
    constexpr std::string_view kNumber = "0x";
    if (native_frame.starts_with("Builtins_")) return true;
    if (!native_frame.starts_with(kNumber)) return false;
    if (native_frame.find(' ') == std::string_view::npos) return true;
    Address address = 0;
    const char* end = native_frame.data() + native_frame.size();
    std::from_chars(native_frame.data() + kNumber.size(), end, address, 16);
    return builtins_.is_in_copy(address);
  }

private:
  /// 0: not known. A frame that returns into a builtin is the interpreter's, or that of a function
  /// that is a builtin itself, which has no bytecodes.
  int line(const V8Stack& stack, const V8Frame& frame) const {
    if (!builtins_.contain(frame.program_counter)) return 0;
    const V8Layout& layout = heap_.layout();
    try {
      return heap_
          .line(frame.function, stack.word(frame, layout.frame_bytecodes),
                stack.word(frame, layout.frame_bytecode_offset))
          .value_or(0);
    } catch (const UnreadableMemory&) {
      return 0;
    }
  }

  const ProcessImage& image_;
  V8Heap heap_;
  std::string path_;
  Builtins builtins_;
  int version_;
};

/// The number before the first dot of process.version, which begins node::per_process::metadata: a
/// std::string.
std::optional<int> version_of(const ProcessImage& image, const ProcessMemory& memory,
                              const std::string& path) {
  constexpr std::string_view kMetadata = "_ZN4node11per_process8metadataE";
  constexpr std::size_t kLongest = 64;
  const Address metadata = address_of(image.symbols(path, kMetadata), kMetadata);
  if (metadata == 0) return std::nullopt;
  const auto length = memory.value<std::uint64_t>(metadata + sizeof(Address));
  if (length > kLongest) return std::nullopt;
  const std::string text = memory.text(memory.pointer(metadata), length);
  int major = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), major);
  if (read.ec != std::errc() || read.ptr == text.data() + text.size() || *read.ptr != '.')
    return std::nullopt;
  return major;
}

}  // namespace

std::unique_ptr<Runtime> find_v8(const ProcessImage& image, const ProcessMemory& memory) {
  constexpr int kFirst = 18;
  constexpr int kLast = 22;
  for (const std::string& path : {image.find_file("libnode.so"), image.program()}) {
    if (path.empty()) continue;
    const std::optional<int> version = version_of(image, memory, path);
    if (!version || *version < kFirst || *version > kLast) continue;
    if (auto layout = v8_layout(image.symbols(path, "v8dbg_"), memory))
      return std::make_unique<V8>(image, memory, std::move(*layout), path, *version);
  }
  return nullptr;
}

}  // namespace tcplab::capture
