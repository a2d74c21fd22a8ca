#include "capture/runtimes/python.hh"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/utf8.hh"
#include "capture/runtimes/python_layout.hh"
#include "capture/runtimes/python_lines.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostFrames = 128;
constexpr std::size_t kMostThreads = 10'000;

// Members whose place is the same in all versions.
constexpr Address kObjectType = 8;     // PyObject.ob_type
constexpr Address kBytesSize = 16;     // PyVarObject.ob_size
constexpr Address kBytesValue = 32;    // PyBytesObject.ob_sval
constexpr Address kTextLength = 16;    // PyASCIIObject.length
constexpr Address kTextState = 32;     // PyASCIIObject.state
constexpr std::uint8_t kOfCStack = 3;  // FRAME_OWNED_BY_CSTACK: an entry from C, no function

/// The addresses of what CPython exports.
struct PythonSymbols {
  Address runtime = 0;
  Address code_type = 0;
  Address text_type = 0;
  Address bytes_type = 0;
  std::uint32_t pthread_tid = 0;  // where struct pthread has `tid`; 0: not known
};

/// What glibc tells libthread_db (nptl_db/structs.def): the size in bits, the count, and the offset
/// in bytes of pthread.tid.
std::uint32_t pthread_tid_offset(const ProcessImage& image, const ProcessMemory& memory) {
  constexpr std::string_view kName = "_thread_db_pthread_tid";
  constexpr std::uint32_t kBits = 8 * sizeof(pid_t);
  for (const char* library : {"libpthread", "libc.so.6", "libc-2."}) {
    const std::string path = image.find_file(library);
    const Address place = path.empty() ? 0 : address_of(image.symbols(path, kName), kName);
    if (place == 0 || memory.value<std::uint32_t>(place) != kBits) continue;
    return memory.value<std::uint32_t>(place + 2 * sizeof(std::uint32_t));
  }
  return 0;
}

class Python final : public Runtime {
public:
  Python(const ProcessMemory& memory, PythonLayout layout, PythonSymbols symbols)
      : memory_(memory), layout_(layout), symbols_(symbols) {}

  std::string name() const override { return "Python 3." + std::to_string(layout_.minor); }

  const ProcessMemory& memory() const override { return memory_; }

  std::vector<RuntimeFrame> frames(const ThreadPosition& position) const override {
    std::vector<RuntimeFrame> frames;
    const std::optional<Address> thread = state_of(position.thread);
    if (!thread) return frames;
    Address frame = innermost(*thread);
    while (frame != 0 && frames.size() < kMostFrames) {
      if (auto read = read_frame(frame)) frames.push_back(std::move(*read));
      frame = memory_.pointer(frame + layout_.frame_previous);
    }
    return frames;
  }

  bool is_interpreter(std::string_view native_frame) const override {
    return native_frame.starts_with("_PyEval_EvalFrame");
  }

private:
  /// The PyThreadState of a thread.
  std::optional<Address> state_of(pid_t id) const {
    std::size_t count = 0;
    Address interpreter = memory_.pointer(symbols_.runtime + layout_.runtime_interpreters);
    while (interpreter != 0) {
      Address thread = memory_.pointer(interpreter + layout_.interpreter_threads);
      while (thread != 0) {
        if (is_of(thread, id)) return thread;
        if (++count > kMostThreads) return std::nullopt;
        thread = memory_.pointer(thread + layout_.thread_next);
      }
      if (++count > kMostThreads) return std::nullopt;
      interpreter = memory_.pointer(interpreter + layout_.interpreter_next);
    }
    return std::nullopt;
  }

  bool is_of(Address thread, pid_t id) const {
    if (layout_.thread_native_id != PythonLayout::kNone)
      return memory_.value<std::uint64_t>(thread + layout_.thread_native_id) ==
             static_cast<std::uint64_t>(id);
    // Up to 3.10, it knows only pthread_self(3): the address of glibc's struct pthread, which has
    // the kernel's number.
    const Address self = memory_.pointer(thread + layout_.thread_id);
    return symbols_.pthread_tid != 0 && memory_.value<pid_t>(self + symbols_.pthread_tid) == id;
  }

  Address innermost(Address thread) const {
    if (layout_.thread_cframe == PythonLayout::kNone)
      return memory_.pointer(thread + layout_.thread_frame);
    return memory_.pointer(memory_.pointer(thread + layout_.thread_cframe) + layout_.cframe_frame);
  }

  void check_type(Address object, Address type) const {
    if (memory_.pointer(object + kObjectType) != type)
      throw UnreadableMemory("an object of another type");
  }

  std::optional<RuntimeFrame> read_frame(Address frame) const {
    if (layout_.frame_owner != PythonLayout::kNone &&
        memory_.value<std::uint8_t>(frame + layout_.frame_owner) == kOfCStack)
      return std::nullopt;
    const Address code = memory_.pointer(frame + layout_.frame_code);
    check_type(code, symbols_.code_type);
    return RuntimeFrame{.function = text(memory_.pointer(code + layout_.code_name)),
                        .file = text(memory_.pointer(code + layout_.code_file)),
                        .line = line(frame, code)};
  }

  int line(Address frame, Address code) const {
    const Address table = memory_.pointer(code + layout_.code_lines);
    check_type(table, symbols_.bytes_type);
    const std::vector<std::byte> bytes =
        memory_.bytes(table + kBytesValue, memory_.value<std::uint64_t>(table + kBytesSize));
    return python_line(layout_.lines, bytes, instruction(frame, code),
                       memory_.value<int>(code + layout_.code_first_line));
  }

  /// The offset of the instruction that a frame executes, in bytes.
  std::uint64_t instruction(Address frame, Address code) const {
    if (layout_.code_instructions != PythonLayout::kNone)
      return memory_.pointer(frame + layout_.frame_instruction) - code - layout_.code_instructions;
    const int index = memory_.value<int>(frame + layout_.frame_instruction);
    constexpr int kUnit = 2;  // 3.10 counts instructions, earlier versions bytes
    return static_cast<std::uint64_t>(index) * (layout_.lines == PythonLines::pairs ? kUnit : 1);
  }

  /// The characters of a str. They are 1, 2 or 4 bytes long each.
  std::string text(Address object) const {
    check_type(object, symbols_.text_type);
    const std::uint64_t length = memory_.value<std::uint64_t>(object + kTextLength);
    const std::uint32_t state = memory_.value<std::uint32_t>(object + kTextState);
    const std::uint32_t width = state >> 2 & 7;
    const bool is_compact = (state >> 5 & 1) != 0;
    const bool is_ascii = (state >> 6 & 1) != 0;
    if (!is_compact || length > 4096) throw UnreadableMemory("a text of another kind");
    if (is_ascii) return memory_.text(object + layout_.text_ascii, length);
    std::string text;
    for (std::uint64_t i = 0; i < length; ++i) {
      const Address at = object + layout_.text_compact + i * width;
      char32_t code = 0;
      if (width == 1) code = memory_.value<std::uint8_t>(at);
      if (width == 2) code = memory_.value<std::uint16_t>(at);
      if (width == 4) code = memory_.value<std::uint32_t>(at);
      base::append_utf8(text, code);
    }
    return text;
  }

  const ProcessMemory& memory_;
  PythonLayout layout_;
  PythonSymbols symbols_;
};

/// The minor version in "libpython3.9.so.1.0" or "python3.9".
std::optional<int> version_in(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  constexpr std::string_view kMajor = "python3.";
  const std::size_t at = name.find(kMajor);
  if (at == std::string::npos) return std::nullopt;
  int minor = 0;
  const char* begin = name.data() + at + kMajor.size();
  if (std::from_chars(begin, name.data() + name.size(), minor).ec != std::errc())
    return std::nullopt;
  return minor;
}

/// Py_Version (3.11 and later): 0x030b02f0 is 3.11.2.
std::optional<int> version_of(const ProcessMemory& memory, const Symbols& symbols,
                              const std::string& path) {
  const Address version = address_of(symbols, "Py_Version");
  if (version == 0) return version_in(path);
  const auto number = memory.value<std::uint64_t>(version);
  if (number >> 24 != 3) return std::nullopt;
  return static_cast<int>(number >> 16 & 0xff);
}

/// From 3.13 on, _PyRuntime begins with a table of offsets (_Py_DebugOffsets). It corrects the
/// layout for a patch release that moved something, and names builds without the GIL, whose objects
/// are others.
bool is_as_it_says(const ProcessMemory& memory, Address runtime, PythonLayout& layout) {
  if (layout.minor < 13) return true;
  if (memory.text(runtime, 8) != "xdebugpy") return false;
  const auto offset = [&](int index) {
    return static_cast<std::uint16_t>(memory.value<std::uint64_t>(runtime + 8U * index));
  };
  if (offset(2) != 0) return false;  // free_threaded
  layout.runtime_interpreters = offset(5);
  layout.interpreter_next = offset(8);
  layout.interpreter_threads = offset(9);
  return true;
}

}  // namespace

std::unique_ptr<Runtime> find_python(const ProcessImage& image, const ProcessMemory& memory) {
  for (const std::string& path : {image.find_file("libpython3."), image.program()}) {
    if (path.empty()) continue;
    const Address runtime = address_of(image.symbols(path, "_PyRuntime"), "_PyRuntime");
    if (runtime == 0) continue;
    const Symbols symbols = image.symbols(path, "Py");
    const std::optional<int> minor = version_of(memory, symbols, path);
    std::optional<PythonLayout> layout = minor ? python_layout(*minor) : std::nullopt;
    if (!layout || !is_as_it_says(memory, runtime, *layout)) return nullptr;
    return std::make_unique<Python>(
        memory, *layout,
        PythonSymbols{.runtime = runtime,
                      .code_type = address_of(symbols, "PyCode_Type"),
                      .text_type = address_of(symbols, "PyUnicode_Type"),
                      .bytes_type = address_of(symbols, "PyBytes_Type"),
                      .pthread_tid = pthread_tid_offset(image, memory)});
  }
  return nullptr;
}

}  // namespace tcplab::capture
