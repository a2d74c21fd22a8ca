#include "capture/memory/core_writer.hh"

#include <elf.h>
#include <fcntl.h>
#include <sys/procfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string_view>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "base/output_file.hh"
#include "capture/calls/tracee_memory.hh"
#include "capture/memory/process_image.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kPart = std::size_t{1} << 20;  // is copied at once

constexpr std::uint64_t whole_pages(std::uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

/// What the core file gets of a mapping.
struct DumpedMapping {
  Mapping mapping{};
  std::uint64_t used = 0;     // bytes that are in memory or swapped out, those of files, too
  std::uint64_t changed = 0;  // the same, without what is still as in the file
  bool is_left_out = false;   // the program or a driver wants so (madvise(2), MADV_DONTDUMP)
  std::uint64_t wanted = 0;   // from its start
  bool has_holes = false;     // pages that were never used are zeros
  std::uint64_t offset = 0;   // in the core file
  std::uint64_t has = 0;      // bytes there
  std::uint64_t size() const { return mapping.end - mapping.start; }
  std::uint64_t cost() const { return has_holes ? used : wanted; }
};

std::string text_of(pid_t process, std::string_view file) {
  std::ifstream input(fmt::format("/proc/{}/{}", process, file), std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

/// Takes a line below a mapping in /proc/PID/smaps (proc_pid_smaps(5)).
void take_detail(const std::string& line, DumpedMapping& segment) {
  std::istringstream words(line);
  std::string key;
  words >> key;
  if (key == "VmFlags:") {
    for (std::string flag; words >> flag;)
      if (flag == "dd" || flag == "io") segment.is_left_out = true;
    return;
  }
  constexpr std::uint64_t kUnit = 1024;
  std::uint64_t size = 0;
  words >> size;
  if (key == "Rss:" || key == "Swap:") segment.used += size * kUnit;
  if (key == "Anonymous:" || key == "Swap:") segment.changed += size * kUnit;
}

std::vector<DumpedMapping> segments_of(pid_t process) {
  std::vector<DumpedMapping> segments;
  std::istringstream lines(text_of(process, "smaps"));
  for (std::string line; std::getline(lines, line);) {
    if (auto mapping = parse_mapping(line))
      segments.push_back({.mapping = std::move(*mapping)});
    else if (!segments.empty())
      take_detail(line, segments.back());
  }
  constexpr std::size_t kMost = PN_XNUM - 2;  // and one for the notes
  if (segments.size() > kMost) segments.resize(kMost);
  return segments;
}

/// As the kernel does by default (coredump_filter in core(5)): what a file has is not copied, but
/// the first page of programs and libraries, by which readers recognize them.
void choose(pid_t process, DumpedMapping& segment) {
  constexpr Address kOfTheKernel = Address{1} << 63;
  const Mapping& mapping = segment.mapping;
  if (!mapping.is_readable || segment.is_left_out || mapping.start >= kOfTheKernel) return;
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 10;  // [vdso] has no pages of its own
  const bool is_of_file = !mapping.path.empty();
  if (!is_of_file || segment.changed > 0 || mapping.path.ends_with(" (deleted)")) {
    segment.wanted = segment.size();
    segment.has_holes = !is_of_file && segment.size() > kSmall;
    return;
  }
  std::array<std::byte, SELFMAG> magic{};
  if (mapping.offset == 0 && read_tracee(process, mapping.start, magic) == magic.size() &&
      std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0)
    segment.wanted = kPage;
}

/// The segment of notes.
class Notes {
public:
  template <typename Value>
  void add_value(std::uint32_t type, const Value& value) {
    add(type, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
  }

  void add(std::uint32_t type, std::string_view content) {
    constexpr std::string_view kOwner("CORE\0\0\0\0", 8);
    const Elf64_Nhdr header{
        .n_namesz = 5, .n_descsz = static_cast<std::uint32_t>(content.size()), .n_type = type};
    text_.append(reinterpret_cast<const char*>(&header), sizeof header);
    text_ += kOwner;
    text_ += content;
    while (text_.size() % 4 != 0) text_ += '\0';
  }

  const std::string& text() const { return text_; }

private:
  std::string text_;
};

template <typename Value>
requires std::is_trivially_copyable_v<Value>
void append(std::string& text, const Value& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// NT_FILE: see parse_core_notes().
std::string file_note(const std::vector<DumpedMapping>& segments) {
  std::string numbers;
  std::string paths;
  std::uint64_t count = 0;
  for (const DumpedMapping& segment : segments) {
    const Mapping& mapping = segment.mapping;
    if (mapping.path.empty()) continue;
    ++count;
    append(numbers, std::array{mapping.start, mapping.end, mapping.offset / kPage});
    paths += mapping.path;
    paths += '\0';
  }
  std::string note;
  append(note, std::array{count, kPage});
  return note + numbers + paths;
}

elf_prpsinfo process_note(const DumpedProcess& process) {
  elf_prpsinfo note{};
  note.pr_pid = process.own_process;
  std::string name = text_of(process.process, "comm");
  while (name.ends_with('\n')) name.pop_back();
  name.copy(note.pr_fname, sizeof note.pr_fname - 1);
  std::string command = text_of(process.process, "cmdline");
  std::ranges::replace(command, '\0', ' ');
  command.copy(note.pr_psargs, sizeof note.pr_psargs - 1);
  return note;
}

/// As the kernel orders them: a debugger takes the first thread for the one that ended.
std::string notes_of(const DumpedProcess& process, const std::vector<DumpedMapping>& segments) {
  Notes notes;
  bool is_first = true;
  for (const DumpedThread& thread : process.threads) {
    elf_prstatus status{};
    status.pr_pid = thread.id;
    status.pr_cursig = static_cast<short>(process.signal);
    status.pr_info.si_signo = process.signal;
    static_assert(sizeof status.pr_reg == sizeof thread.registers);
    std::memcpy(&status.pr_reg, &thread.registers, sizeof status.pr_reg);
    notes.add_value(NT_PRSTATUS, status);
    if (is_first) {
      notes.add_value(NT_PRPSINFO, process_note(process));
      notes.add(NT_AUXV, text_of(process.process, "auxv"));
      notes.add(NT_FILE, file_note(segments));
    }
    is_first = false;
  }
  return notes.text();
}

std::string headers_of(const std::vector<DumpedMapping>& segments, std::size_t notes_size) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_CORE;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#elif defined(__aarch64__)
  header.e_machine = EM_AARCH64;
#endif
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<Elf64_Half>(segments.size() + 1);
  std::string text;
  append(text, header);
  append(text, Elf64_Phdr{.p_type = PT_NOTE,
                          .p_flags = 0,
                          .p_offset = sizeof header + header.e_phnum * sizeof(Elf64_Phdr),
                          .p_vaddr = 0,
                          .p_paddr = 0,
                          .p_filesz = notes_size,
                          .p_memsz = 0,
                          .p_align = 4});
  for (const DumpedMapping& segment : segments) {
    const Mapping& of = segment.mapping;
    const unsigned int flags = (of.is_readable ? PF_R : 0U) | (of.is_writable ? PF_W : 0U) |
                               (of.is_executable ? PF_X : 0U);
    append(text, Elf64_Phdr{.p_type = PT_LOAD,
                            .p_flags = flags,
                            .p_offset = segment.offset,
                            .p_vaddr = of.start,
                            .p_paddr = 0,
                            .p_filesz = segment.has,
                            .p_memsz = segment.size(),
                            .p_align = kPage});
  }
  return text;
}

/// Copies memory into the file.
class Copy {
public:
  Copy(pid_t process, int file, std::string path, std::uint64_t begin, std::uint64_t most)
      : process_(process),
        file_(file),
        path_(std::move(path)),
        pages_(::open(fmt::format("/proc/{}/pagemap", process).c_str(), O_RDONLY | O_CLOEXEC)),
        end_(begin),
        most_(most) {}

  /// Copies as much of a segment as may still be written, and sets where it is.
  void take(DumpedMapping& segment) {
    segment.offset = end_;
    const std::uint64_t before = size_.written;
    for (std::uint64_t at = 0; at < segment.wanted && size_.written < most_; at += kPart)
      take_part(segment, at, std::min<std::uint64_t>(kPart, segment.wanted - at));
    end_ += whole_pages(segment.has);
    const std::uint64_t copied = size_.written - before;
    if (size_.written >= most_) size_.left_out += segment.cost() - std::min(copied, segment.cost());
  }

  DumpedSize size() const { return size_; }

  void write(std::uint64_t offset, std::string_view text) {
    while (!text.empty()) {
      const ssize_t size = ::pwrite(file_, text.data(), text.size(), static_cast<off_t>(offset));
      if (size == -1 && errno == EINTR) continue;
      base::check("write " + path_, size);
      text.remove_prefix(static_cast<std::size_t>(size));
      offset += static_cast<std::uint64_t>(size);
    }
  }

private:
  void take_part(DumpedMapping& segment, std::uint64_t at, std::uint64_t size) {
    const std::uint64_t end = at + size;
    if (!segment.has_holes) {
      copy(segment, at, end);
      segment.has = end;
      return;
    }
    const std::vector<bool> used = used_pages(segment.mapping.start + at, size / kPage);
    for (std::size_t page = 0; page < used.size(); ++page) {
      if (!used[page]) continue;
      std::size_t after = page;
      while (after < used.size() && used[after]) ++after;
      copy(segment, at + page * kPage, at + after * kPage);
      segment.has = at + after * kPage;
      page = after;
    }
  }

  /// Which pages are in memory or swapped out: bits 63 and 62 in proc_pid_pagemap(5). All, if that
  /// cannot be read.
  std::vector<bool> used_pages(Address from, std::size_t count) const {
    constexpr std::uint64_t kUsed = std::uint64_t{3} << 62;
    std::vector<std::uint64_t> entries(count, kUsed);
    [[maybe_unused]] const ssize_t size =
        ::pread(pages_.get(), entries.data(), count * sizeof entries[0],
                static_cast<off_t>(from / kPage * sizeof entries[0]));
    std::vector<bool> used(count);
    for (std::size_t i = 0; i < count; ++i) used[i] = (entries[i] & kUsed) != 0;
    return used;
  }

  /// What cannot be read, such as pages behind the end of a mapped file, stays a hole.
  void copy(const DumpedMapping& segment, std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      const std::size_t size =
          read_tracee(process_, segment.mapping.start + at, std::span(buffer_).first(end - at));
      const auto* const text = reinterpret_cast<const char*>(buffer_.data());
      write(segment.offset + at, std::string_view(text, size));
      size_.written += size;
      at += size;
      if (at < end) at = (at / kPage + 1) * kPage;
    }
  }

  pid_t process_;
  int file_;
  std::string path_;
  base::FileDescriptor pages_;
  std::uint64_t end_;  // of the file
  std::uint64_t most_;
  DumpedSize size_{};
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kPart);
};

DumpedSize write_to(int file, const DumpedProcess& process, const std::string& path,
                    std::uint64_t most) {
  std::vector<DumpedMapping> segments = segments_of(process.process);
  if (segments.empty())
    throw base::SystemError("read the memory of process " + std::to_string(process.process), ESRCH);
  for (DumpedMapping& segment : segments) choose(process.process, segment);
  const std::string notes = notes_of(process, segments);
  const std::uint64_t front = headers_of(segments, notes.size()).size() + notes.size();
  Copy copy(process.process, file, path, whole_pages(front), most);
  std::vector<DumpedMapping*> order;
  order.reserve(segments.size());
  for (DumpedMapping& segment : segments) order.push_back(&segment);
  std::ranges::stable_sort(order, {}, &DumpedMapping::cost);
  for (DumpedMapping* const segment : order) copy.take(*segment);
  copy.write(0, headers_of(segments, notes.size()) + notes);
  return copy.size();
}

}  // namespace

DumpedSize write_core(const DumpedProcess& process, const std::string& path, std::uint64_t most) {
  const base::FileDescriptor file = base::make_private_file(path);
  try {
    return write_to(file.get(), process, path, most);
  } catch (const base::SystemError&) {
    ::unlink(path.c_str());  // a part of it is no core file
    throw;
  }
}

}  // namespace tcplab::capture
