#include "capture/stacks/stack_names.hh"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "capture/memory/mapped_file.hh"
#include "capture/memory/process_image.hh"
#include "capture/stacks/frame_prologue.hh"
#include "capture/stacks/perf_map.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostFrames = 128;

// Numbers of registers in DWARF.
#if defined(__x86_64__)
constexpr std::size_t kFramePointer = 6;
constexpr std::size_t kStackPointer = 7;
constexpr std::size_t kRegisters = 17;
#else
constexpr std::size_t kFramePointer = 29;
constexpr std::size_t kStackPointer = 31;
constexpr std::size_t kRegisters = 32;
#endif

template <auto Release>
struct Releaser {
  void operator()(auto* owned) const { Release(owned); }
};

using Session = std::unique_ptr<Dwfl, Releaser<::dwfl_end>>;
using File = std::unique_ptr<std::FILE, Releaser<std::fclose>>;

/// The last stack given to a session: its callbacks read registers and memory there.
struct Unwound {
  const StackCopy* stack = nullptr;
  bool has_left_it = false;  // a frame would be outside of the copy
};

const StackCopy& stack_of(void* unwound) { return *static_cast<Unwound*>(unwound)->stack; }

pid_t next_thread(Dwfl* session, void* unwound, void** thread) {
  if (*thread != nullptr) return 0;  // there is only one
  *thread = unwound;
  return ::dwfl_pid(session);
}

bool get_thread(Dwfl* /*session*/, pid_t /*id*/, void* unwound, void** thread) {
  *thread = unwound;
  return true;
}

bool read_memory(Dwfl* /*session*/, Dwarf_Addr address, Dwarf_Word* into, void* unwound) {
  const StackCopy& stack = stack_of(unwound);
  const std::uint64_t offset = address - stack.stack_pointer;
  if (address < stack.stack_pointer || stack.memory.size() < sizeof *into ||
      offset > stack.memory.size() - sizeof *into) {
    static_cast<Unwound*>(unwound)->has_left_it = true;
    return false;
  }
  std::memcpy(into, stack.memory.data() + offset, sizeof *into);
  return true;
}

bool set_registers(Dwfl_Thread* thread, void* unwound) {
  const StackCopy& stack = stack_of(unwound);
  const std::vector<Dwarf_Word> values(stack.registers.begin(), stack.registers.end());
  ::dwfl_thread_state_register_pc(thread, stack.program_counter);
  return ::dwfl_thread_state_registers(thread, 0, static_cast<unsigned>(values.size()),
                                       values.data());
}

constexpr Dwfl_Thread_Callbacks kThreads = {.next_thread = next_thread,
                                            .get_thread = get_thread,
                                            .memory_read = read_memory,
                                            .set_initial_registers = set_registers,
                                            .detach = nullptr,
                                            .thread_detach = nullptr};

/// Whose stack is named. The files of a container are below its root folder.
thread_local pid_t named_process = 0;

int find_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, char** file,
              Elf** elf) {
  if (name[0] == '/') {
    const std::string path = "/proc/" + std::to_string(named_process) + "/root" + name;
    base::FileDescriptor opened = open_mapped(path);
    if (opened) {
      *file = ::strdup(name);
      return opened.release();
    }
  }
  return ::dwfl_linux_proc_find_elf(module, data, name, base, file, elf);
}

constexpr Dwfl_Callbacks kFiles = {.find_elf = find_file,
                                   .find_debuginfo = ::dwfl_standard_find_debuginfo,
                                   .section_address = nullptr,
                                   .debuginfo_path = nullptr};

/// The names of C++ functions as in its source; others as they are.
std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, Releaser<std::free>> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return status == 0 && text ? text.get() : name;
}

std::string module_name(Dwfl_Module* module) {
  const char* path =
      ::dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  if (path == nullptr) return "?";
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

/// ", file:line"; empty without debug information.
std::string place(Dwfl_Module* module, Dwarf_Addr address) {
  int line = 0;
  Dwfl_Line* found = ::dwfl_module_getsrc(module, address);
  const char* file = found == nullptr
                         ? nullptr
                         : ::dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
  return file == nullptr ? "" : fmt::format(", {}:{}", file, line);
}

/// `is_exact`: the frame stopped at this address. Else the address is the one that a call will
/// return to, and the instruction before belongs to the call.
std::string mapped_frame_text(Dwfl* session, Dwarf_Addr counter, bool is_exact) {
  const Dwarf_Addr address = counter - (is_exact ? 0 : 1);
  Dwfl_Module* module = ::dwfl_addrmodule(session, address);
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name =
      ::dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  const std::string where = place(module, address);
  if (name != nullptr) {
    const std::string distance =
        where.empty() ? fmt::format("+{:#x}", offset + (counter - address)) : "";
    return fmt::format("{}{} ({}{})", demangled(name), distance, module_name(module), where);
  }
  GElf_Addr bias = 0;
  ::dwfl_module_getelf(module, &bias);
  return fmt::format("{:#x} ({}{})", counter - bias, module_name(module), where);
}

/// By address; and whether that is exact.
using FrameTexts = std::map<std::pair<Dwarf_Addr, bool>, std::string>;

struct StackWalk {
  Dwfl* session;
  FrameTexts& known;
  PerfMap& compiled;
  const ProcessImage& image;
  std::vector<std::string> frames{};
  Dwarf_Addr last = 0;           // the address of the outermost frame
  Dwarf_Word stack_pointer = 0;  // in that frame
  bool is_complete = false;      // it ended where the thread begins
};

/// Code that was compiled at run time may have another name at the next stack.
std::string frame_text(StackWalk& walk, Dwarf_Addr counter, bool is_exact) {
  // A session stretches a module over all that is between two mappings of its file.
  const Mapping* mapping = walk.image.mapping(walk.last);
  if (mapping == nullptr || mapping->path.empty()) {
    const auto name = walk.compiled.name(walk.last);
    return name ? fmt::format("{} (perf map)", *name) : fmt::format("{:#x}", counter);
  }
  std::string& text = walk.known[{counter, is_exact}];
  if (text.empty()) text = mapped_frame_text(walk.session, counter, is_exact);
  return text;
}

int add_frame(Dwfl_Frame* frame, void* into) {
  StackWalk& walk = *static_cast<StackWalk*>(into);
  Dwarf_Addr counter = 0;
  bool is_exact = false;
  if (!::dwfl_frame_pc(frame, &counter, &is_exact)) return DWARF_CB_ABORT;
  walk.last = counter - (is_exact ? 0 : 1);
  if (::dwfl_frame_reg(frame, kStackPointer, &walk.stack_pointer) != 0) walk.stack_pointer = 0;
  walk.frames.push_back(frame_text(walk, counter, is_exact));
  return walk.frames.size() < kMostFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
}

}  // namespace

/// The files that a process has mapped, and what was read of them.
class StackNames::Process {
public:
  explicit Process(pid_t process)
      : process_(process), session_(::dwfl_begin(&kFiles)), compiled_(process) {}

  StackWalk walk(const StackCopy& stack) {
    named_process = process_;
    if (!has_reported(stack)) report(stack);
    unwound_ = {.stack = &stack};
    is_attached_ = is_attached_ || ::dwfl_attach_state(session_.get(), nullptr, stack.process,
                                                       &kThreads, &unwound_);
    StackWalk walk{
        .session = session_.get(), .known = texts_, .compiled = compiled_, .image = *image_};
    if (is_attached_)
      walk.is_complete =
          ::dwfl_getthread_frames(session_.get(), stack.process, add_frame, &walk) == 0 &&
          !unwound_.has_left_it;
    return walk;
  }

  /// Returns the frame pointer in the outermost frame of a walk, as its function has set it;
  /// nothing if that is not understood. Before the return address, which it points to, there must
  /// be a call.
  std::optional<Dwarf_Addr> frame_pointer(const StackCopy& stack, const StackWalk& walk) const {
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    Dwfl_Module* module = ::dwfl_addrmodule(session_.get(), walk.last);
    if (module == nullptr || ::dwfl_module_addrinfo(module, walk.last, &offset, &symbol, nullptr,
                                                    nullptr, nullptr) == nullptr)
      return std::nullopt;
    const auto code =
        read_values<std::uint8_t>(stack.process, walk.last - offset, kLongestPrologue);
    const auto size = frame_size(std::span(code).first(std::min<std::size_t>(code.size(), offset)));
    if (offset >= symbol.st_size || !size) return std::nullopt;
    const Dwarf_Addr pointer = walk.stack_pointer + *size;
    const auto returns = read_value<Dwarf_Addr>(stack.process, pointer + sizeof(Dwarf_Addr));
    if (!returns || !follows_call(stack.process, *returns)) return std::nullopt;
    return pointer;
  }

private:
  bool has_reported(const StackCopy& stack) const {
    return maps_ != nullptr && (maps_ == stack.maps || *maps_ == *stack.maps);
  }

  /// Files that are still mapped at the same addresses are not read again.
  void report(const StackCopy& stack) {
    maps_ = stack.maps;
    std::string text = *maps_;
    const File file(::fmemopen(text.data(), text.size(), "r"));
    image_.emplace(process_, *maps_);
    texts_.clear();
    ::dwfl_report_begin(session_.get());
    if (file) ::dwfl_linux_proc_maps_report(session_.get(), file.get());
    ::dwfl_report_end(session_.get(), nullptr, nullptr);
  }

  pid_t process_;
  Session session_;
  std::shared_ptr<const std::string> maps_;
  FrameTexts texts_;
  PerfMap compiled_;
  std::optional<ProcessImage> image_;
  Unwound unwound_;
  bool is_attached_ = false;
};

StackNames::StackNames() = default;
StackNames::~StackNames() = default;

StackNames::Process& StackNames::process_of(const StackCopy& stack) {
  // What was read of a program takes megabytes. A server may start many workers.
  constexpr std::size_t kMostProcesses = 16;
  if (processes_.size() >= kMostProcesses && !processes_.contains(stack.process))
    processes_.clear();
  std::unique_ptr<Process>& process = processes_[stack.process];
  if (!process) process = std::make_unique<Process>(stack.process);
  return *process;
}

std::vector<std::string> StackNames::frames(const StackCopy& stack) {
  return std::move(process_of(stack).walk(stack).frames);
}

std::vector<std::string> StackNames::frames_of_waiting(StackCopy stack) {
  Process& process = process_of(stack);
  stack.registers.assign(kRegisters, 0);
  stack.registers[kStackPointer] = stack.stack_pointer;
  StackWalk certain = process.walk(stack);
  if (certain.is_complete || certain.frames.empty()) return std::move(certain.frames);
  // The outermost frame needs the frame pointer.
  const auto pointer = process.frame_pointer(stack, certain);
  if (!pointer) return std::move(certain.frames);
  stack.registers[kFramePointer] = *pointer;
  StackWalk whole = process.walk(stack);
  return std::move(whole.is_complete ? whole.frames : certain.frames);
}

}  // namespace tcplab::capture
