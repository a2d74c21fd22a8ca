#include "capture/runtimes/python.hh"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "capture/runtimes/asyncio_tasks.hh"
#include "capture/runtimes/python_frames.hh"
#include "capture/runtimes/python_layout.hh"
#include "capture/runtimes/python_objects.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostFrames = 128;
constexpr std::size_t kMostWalked = 1024;
constexpr std::size_t kMostThreads = 10'000;

/// The addresses of what CPython exports.
struct PythonSymbols {
  Address runtime = 0;
  PythonTypes types;
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
      : memory_(memory),
        layout_(layout),
        symbols_(symbols),
        objects_(memory, layout, symbols.types),
        frames_(objects_) {}

  std::string name() const override { return "Python 3." + std::to_string(layout_.minor); }

  const ProcessMemory& memory() const override { return memory_; }

  std::vector<RuntimeFrame> frames(const ThreadPosition& position) const override {
    std::vector<RuntimeFrame> frames;
    const std::optional<Address> thread = state_of(position.thread);
    if (!thread) return frames;
    walk(*thread, [&frames](Address, RuntimeFrame& frame) {
      frames.push_back(std::move(frame));
      return frames.size() < kMostFrames;
    });
    return frames;
  }

  /// Of asyncio, those that wait for a descriptor of a loop that waits.
  std::vector<RuntimeTask> tasks() const override {
    std::vector<RuntimeTask> tasks;
    const PythonObjects objects(memory_, layout_, symbols_.types);  // it keeps what it reads
    const PythonFrames frames(objects);
    const AsyncioTasks asyncio(objects, frames);
    for_each_thread([&](Address thread) {
      try {
        if (const Address loop = loop_of(thread); loop != 0)
          std::ranges::move(asyncio.of_loop(loop), std::back_inserter(tasks));
      } catch (const UnreadableMemory&) {
        return false;  // the thread runs, or its loop is another than we know
      }
      return false;
    });
    return tasks;
  }

  bool is_interpreter(std::string_view native_frame) const override {
    return native_frame.starts_with("_PyEval_EvalFrame");
  }

private:
  /// The PyThreadState of a thread.
  std::optional<Address> state_of(pid_t id) const {
    std::optional<Address> found;
    for_each_thread([&](Address thread) {
      if (is_of(thread, id)) found = thread;
      return found.has_value();
    });
    return found;
  }

  /// Visits the PyThreadState of each thread until `visit` returns true.
  template <typename Visit>
  void for_each_thread(const Visit& visit) const {
    std::size_t count = 0;
    Address interpreter = memory_.pointer(symbols_.runtime + layout_.runtime_interpreters);
    while (interpreter != 0 && ++count <= kMostThreads) {
      Address thread = memory_.pointer(interpreter + layout_.interpreter_threads);
      while (thread != 0 && ++count <= kMostThreads) {
        if (visit(thread)) return;
        thread = memory_.pointer(thread + layout_.thread_next);
      }
      interpreter = memory_.pointer(interpreter + layout_.interpreter_next);
    }
  }

  /// Visits the frames of a thread, innermost first, until `visit` returns false.
  template <typename Visit>
  void walk(Address thread, const Visit& visit) const {
    Address frame = innermost(thread);
    for (std::size_t i = 0; frame != 0 && i < kMostWalked; ++i, frame = frames_.caller(frame))
      if (auto read = frames_.read(frame); read && !visit(frame, *read)) return;
  }

  /// The event loop of asyncio that a thread runs; 0 if it runs none.
  Address loop_of(Address thread) const {
    Address loop = 0;
    walk(thread, [&](Address frame, const RuntimeFrame& read) {
      if (!read.function.ends_with("_run_once") || !read.file.ends_with("asyncio/base_events.py"))
        return true;
      loop = frames_.first_local(frame);
      return false;
    });
    return loop;
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

  const ProcessMemory& memory_;
  PythonLayout layout_;
  PythonSymbols symbols_;
  PythonObjects objects_;
  PythonFrames frames_;
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
                      .types = {.code = address_of(symbols, "PyCode_Type"),
                                .text = address_of(symbols, "PyUnicode_Type"),
                                .bytes = address_of(symbols, "PyBytes_Type")},
                      .pthread_tid = pthread_tid_offset(image, memory)});
  }
  return nullptr;
}

}  // namespace tcplab::capture
