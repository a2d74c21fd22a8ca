#include "capture/memory/core_file.hh"

#include <elf.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sys/user.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <map>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/memory/core_notes.hh"
#include "capture/memory/mapped_file.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostCopied = std::size_t{64} << 10;

base::UsageError core_error(const std::string& path, const std::string& why) {
  return base::UsageError(path + ": " + why);
}

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;

SyscallInfo call_info(const user_regs_struct& registers) {
  SyscallInfo info{};
  info.arch = AUDIT_ARCH_X86_64;
  info.entry.nr = registers.orig_rax;
  const std::uint64_t arguments[] = {registers.rdi, registers.rsi, registers.rdx,
                                     registers.r10, registers.r8,  registers.r9};
  std::ranges::copy(arguments, std::begin(info.entry.args));
  return info;
}

/// A call that a signal ended, and that would be made again, or whose result is EINTR
/// (include/linux/errno.h).
bool was_in_call(const user_regs_struct& registers) {
  constexpr long long kFirstRestart = -516;  // ERESTART_RESTARTBLOCK
  constexpr long long kLastRestart = -512;   // ERESTARTSYS
  const auto result = static_cast<long long>(registers.rax);
  const bool ended = result == -EINTR || (result >= kFirstRestart && result <= kLastRestart);
  return static_cast<long long>(registers.orig_rax) >= 0 && ended;
}
#else
constexpr Elf64_Half kMachine = EM_AARCH64;

SyscallInfo call_info(const user_regs_struct&) { return {}; }

/// The first register has the result, and no other the first argument.
bool was_in_call(const user_regs_struct&) { return false; }
#endif

user_regs_struct registers_of(const elf_prstatus& status) {
  user_regs_struct registers{};
  static_assert(sizeof registers <= sizeof status.pr_reg);
  std::memcpy(&registers, &status.pr_reg, sizeof registers);
  return registers;
}

}  // namespace

/// Memory that the core does not have is that of a mapped file: it was not changed.
class CoreFile::Memory final : public ProcessMemory {
public:
  explicit Memory(const std::string& path) : path_(path), file_(open_mapped(path)) {
    if (!file_) throw core_error(path, "cannot be read");
    Elf64_Ehdr header{};
    if (!read_at(0, std::as_writable_bytes(std::span(&header, 1))) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_CORE)
      throw core_error(path, "is no core file");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine)
      throw core_error(path, "is a core file of another kind of machine");
    segments_.resize(header.e_phnum == PN_XNUM ? 0 : header.e_phnum);
    if (!read_at(header.e_phoff, std::as_writable_bytes(std::span(segments_))))
      throw core_error(path, "is cut off");
  }

  std::vector<std::byte> notes() const {
    std::vector<std::byte> notes;
    for (const Elf64_Phdr& segment : segments_) {
      constexpr std::size_t kMost = std::size_t{64} << 20;
      if (segment.p_type != PT_NOTE || segment.p_filesz > kMost) continue;
      notes.resize(segment.p_filesz);
      if (!read_at(segment.p_offset, notes)) throw core_error(path_, "is cut off");
    }
    return notes;
  }

  /// The mappings, as /proc/PID/maps would have them (proc_pid_maps(5)).
  std::string take_files(std::vector<Mapping>& files) {
    std::string maps;
    std::map<std::string, std::size_t> inodes;  // made up: each file has another
    for (Mapping& file : files) {
      const std::size_t inode = inodes.emplace(file.path, inodes.size() + 1).first->second;
      const auto segment = std::ranges::find(segments_, file.start, &Elf64_Phdr::p_vaddr);
      file.is_executable = segment != segments_.end() && (segment->p_flags & PF_X) != 0;
      maps += fmt::format("{:x}-{:x} r-{}p {:08x} 00:01 {} {}\n", file.start, file.end,
                          file.is_executable ? 'x' : '-', file.offset, inode, file.path);
    }
    files_ = files;
    return maps;
  }

  /// Removes the mappings of files that are not those that the process had. Returns their paths.
  std::vector<std::string> remove_foreign(std::vector<Mapping>& files) const {
    std::vector<std::string> foreign;
    for (const Mapping& file : files)
      if (std::ranges::find(foreign, file.path) == foreign.end() && is_foreign(file))
        foreign.push_back(file.path);
    std::erase_if(files, [&foreign](const Mapping& file) {
      return std::ranges::find(foreign, file.path) != foreign.end();
    });
    return foreign;
  }

  std::size_t read(Address from, std::span<std::byte> into) const override {
    count_read();
    std::size_t done = 0;
    while (done < into.size()) {
      const std::size_t part = read_part(from + done, into.subspan(done));
      if (part == 0) break;
      done += part;
    }
    return done;
  }

private:
  /// Compares the first page of an ELF file. The kernel dumps it (coredump_filter in core(5)), and
  /// linkers put the build ID there. Other files have no code.
  bool is_foreign(const Mapping& file) const {
    constexpr std::uint64_t kPage = 4096;
    const auto segment = std::ranges::find(segments_, file.start, &Elf64_Phdr::p_vaddr);
    if (file.offset != 0 || segment == segments_.end() || (segment->p_flags & PF_W) != 0)
      return false;
    std::vector<std::byte> then(std::min(segment->p_filesz, kPage));
    std::vector<std::byte> now(then.size());
    if (then.size() < sizeof(Elf64_Ehdr) || !read_at(segment->p_offset, then) ||
        std::memcmp(then.data(), ELFMAG, SELFMAG) != 0)
      return false;
    const base::FileDescriptor opened = open_mapped(file.path);
    const ssize_t size = ::pread(opened.get(), now.data(), now.size(), 0);
    if (size < static_cast<ssize_t>(sizeof(Elf64_Ehdr))) return true;
    return !std::equal(now.begin(), now.begin() + size, then.begin());  // it may end in the page
  }

  bool read_at(std::uint64_t offset, std::span<std::byte> into) const {
    return ::pread(file_.get(), into.data(), into.size(), static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(into.size());
  }

  /// Reads up to the end of the segment or of the mapped file; 0 if there is nothing.
  std::size_t read_part(Address from, std::span<std::byte> into) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD || from < segment.p_vaddr ||
          from - segment.p_vaddr >= segment.p_filesz)
        continue;
      const std::uint64_t offset = from - segment.p_vaddr;
      const std::size_t size = std::min<std::uint64_t>(into.size(), segment.p_filesz - offset);
      return read_at(segment.p_offset + offset, into.first(size)) ? size : 0;
    }
    return read_of_file(from, into);
  }

  std::size_t read_of_file(Address from, std::span<std::byte> into) const {
    const auto found = std::ranges::find_if(
        files_, [from](const Mapping& file) { return file.start <= from && from < file.end; });
    if (found == files_.end()) return 0;
    const base::FileDescriptor file = open_mapped(found->path);
    const std::size_t size = std::min<std::uint64_t>(into.size(), found->end - from);
    const ssize_t done = ::pread(file.get(), into.data(), size,
                                 static_cast<off_t>(found->offset + (from - found->start)));
    return done > 0 ? static_cast<std::size_t>(done) : 0;
  }

  std::string path_;
  base::FileDescriptor file_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Mapping> files_;
};

CoreFile::CoreFile(const std::string& path) : memory_(std::make_unique<Memory>(path)) {
  read_notes(path);
}

CoreFile::~CoreFile() = default;

const ProcessMemory& CoreFile::memory() const { return *memory_; }

void CoreFile::read_notes(const std::string& path) {
  CoreNotes notes = parse_core_notes(memory_->notes());
  if (notes.threads.empty()) throw core_error(path, "has no thread");
  process_ = notes.process ? notes.process->pr_pid : notes.threads.front().pr_pid;
  if (notes.process) {
    const char* words = notes.process->pr_psargs;
    command_.assign(words, ::strnlen(words, sizeof notes.process->pr_psargs));
    while (command_.ends_with(' ')) command_.pop_back();  // the end of the last word
  }
  signal_ = notes.threads.front().pr_cursig;
  identity_ = program_identity(notes.vector, *memory_);
  // The kernel maps the program's own file first.
  const std::string program = notes.files.empty() ? "" : notes.files.front().path;
  foreign_ = memory_->remove_foreign(notes.files);
  const auto maps = std::make_shared<const std::string>(memory_->take_files(notes.files));
  for (const elf_prstatus& status : notes.threads) {
    const user_regs_struct registers = registers_of(status);
    CoreThread thread{.id = status.pr_pid, .stack = stack_of(registers)};
    thread.stack.maps = maps;
    thread.stack.memory.resize(kMostCopied);
    thread.stack.memory.resize(memory_->read(thread.stack.stack_pointer, thread.stack.memory));
    if (was_in_call(registers))
      thread.stop = call_stop(0, 0, call_info(registers));  // 0: the number may be another's now
    threads_.push_back(std::move(thread));
  }
  image_ = std::make_unique<ProcessImage>(std::move(notes.files), program);
}

}  // namespace tcplab::capture
