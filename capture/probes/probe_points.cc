#include "capture/probes/probe_points.hh"

#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>

#include "capture/calls/tracee_layout.hh"
#include "capture/memory/mapped_file.hh"
#include "capture/probes/mapped_code.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint8_t kNop = 0x90;
constexpr std::uint8_t kBreakpoint = 0xcc;  // int3

std::string maps_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// ptrace(2) writes whole words. Aligned, this one is in one page.
bool write_code(pid_t thread, Address address, std::uint8_t byte) {
  const Address place = address & ~Address{7};
  const auto word = read_value<std::uint64_t>(thread, place);
  if (!word) return false;
  constexpr unsigned kBits = 8;
  const auto shift = static_cast<unsigned>(address - place) * kBits;
  const std::uint64_t cleared = *word & ~(std::uint64_t{0xff} << shift);
  return write_word(thread, {place, cleared | std::uint64_t{byte} << shift});
}

/// Writes only these two bytes: other threads of the process may run.
void count_up(pid_t thread, Address semaphore) {
  auto count = read_value<std::uint16_t>(thread, semaphore);
  if (!count) return;
  ++*count;
  const iovec local{&*count, sizeof *count};
  const iovec remote{reinterpret_cast<void*>(semaphore), sizeof *count};
  ::process_vm_writev(thread, &local, 1, &remote, 1, 0);
}

/// Where to open the file of a part that is being mapped.
std::string place_of(const StoppedThread& thread, const MappedPart& part) {
  return fmt::format("/proc/{}/fd/{}", thread.process, part.descriptor);
}

std::optional<FileIdentity> identity_of(const std::string& place) {
  struct stat status {};
  if (::stat(place.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{.device = status.st_dev, .inode = status.st_ino};
}

std::chrono::nanoseconds duration_of(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Where the file has the byte of this address; nothing if it has not.
std::optional<std::uint64_t> offset_of(const ProbeFile& file, Address address) {
  const auto part = std::ranges::find_if(file.parts, [address](const LoadedPart& each) {
    return address >= each.address && address - each.address < each.size;
  });
  if (part == file.parts.end()) return std::nullopt;
  return address - part->address + part->offset;
}

/// The instruction int3, and nothing else, has this cause (arch/x86/kernel/traps.c). A program's
/// own int3 has it, too.
bool is_breakpoint(pid_t thread) {
  siginfo_t info{};
  return ::ptrace(PTRACE_GETSIGINFO, thread, nullptr, &info) == 0 && info.si_code == SI_KERNEL;
}

#if defined(__x86_64__)
/// The thread stops after the breakpoint.
std::optional<Address> breakpoint_of(pid_t thread, user_regs_struct& registers) {
  if (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0) return std::nullopt;
  return registers.rip - 1;
}
#else
std::optional<Address> breakpoint_of(pid_t, user_regs_struct&) { return std::nullopt; }
#endif

}  // namespace

std::shared_ptr<const ProbeFile> ProbeFiles::read(const std::string& place) {
  base::FileDescriptor opened = open_mapped(place);
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0) return nullptr;
  const auto [found, is_new] = files_.try_emplace({.device = status.st_dev,
                                                   .inode = status.st_ino,
                                                   .size = status.st_size,
                                                   .written = duration_of(status.st_mtim),
                                                   .changed = duration_of(status.st_ctim)});
  if (!is_new) return found->second;
  ProbeFile file = read_probes(ElfFile(std::move(opened)));
  file.identity = {.device = status.st_dev, .inode = status.st_ino};
  for (const ProbeSite& site : file.sites) names_.insert(site.full_name());
  if (!file.sites.empty()) found->second = std::make_shared<const ProbeFile>(std::move(file));
  return found->second;
}

void ProbePoints::at_exec(const StoppedThread& thread) {
  processes_.erase(thread.process);
  if (const auto chosen = chosen_.find(thread.program); chosen != chosen_.end())
    find_points(thread, chosen->second);
}

void ProbePoints::refuse(const StoppedThread& thread, const std::string& path,
                         const std::string& why) {
  if (refused_.emplace(thread.process, path + why).second)
    tell_(thread, fmt::format("the probes of {}: {}", path, why));
}

/// Looks at all that the process has mapped. A process that was forked has the breakpoints of its
/// parent, and its semaphores.
void ProbePoints::find_points(const StoppedThread& thread, Chosen& chosen) {
  const ProcessImage image(thread.process, maps_of(thread.process));
  Process& process = processes_[thread.process];
  const auto before = std::exchange(process.points, {});
  for (const Mapping& mapping : image.mappings()) {
    if (!mapping.is_executable || mapping.path.empty()) continue;
    if (const auto file = files_.read(image.place_of(mapping.path)))
      place_in(thread, mapping, file, process, chosen);
  }
  // Code that the program has moved to memory without a file: Node, with --use-largepages.
  for (const auto& [address, point] : before)
    if (read_value<std::uint8_t>(thread.thread, address) == kBreakpoint)
      process.points.emplace(address, point);
  std::erase_if(process.semaphores, [&](const auto& each) {
    const auto& [semaphore, wanted] = each;
    const Mapping* mapping = image.mapping(semaphore);
    const bool is_there = mapping != nullptr && mapping->is_writable &&
                          semaphore - mapping->start + mapping->offset == wanted.offset &&
                          identity_of(image.place_of(mapping->path)) == wanted.file;
    if (is_there) count_up(thread.thread, semaphore);
    return is_there;
  });
}

/// Counts up those that the part has. Others that it covers are gone: their library was unmapped
/// before its data was mapped, and this is something else.
void ProbePoints::count_semaphores(const StoppedThread& thread, const MappedPart& part,
                                   Process& process) {
  const auto first = process.semaphores.lower_bound(part.address);
  const auto last = process.semaphores.lower_bound(part.address + part.size);
  if (first == last) return;
  const auto file = identity_of(place_of(thread, part));
  for (auto each = first; each != last; ++each) {
    const auto& [semaphore, wanted] = *each;
    if (file == wanted.file && semaphore - part.address + part.offset == wanted.offset)
      count_up(thread.thread, semaphore);
  }
  process.semaphores.erase(first, last);
}

/// A loader maps the code of a library, then its data at a fixed address: the semaphores are there
/// only then.
void ProbePoints::at_mapping(const StoppedThread& thread, const MappedPart& part) {
  const auto chosen = chosen_.find(thread.program);
  if (chosen == chosen_.end()) return;
  Process& process = processes_[thread.process];
  const Address end = part.address + part.size;
  process.points.erase(process.points.lower_bound(part.address), process.points.lower_bound(end));
  count_semaphores(thread, part, process);
  if (!part.is_executable) return;
  const std::string place = place_of(thread, part);
  const auto file = files_.read(place);
  if (!file) return;
  std::error_code error;
  const Mapping mapping{.start = part.address,
                        .end = end,
                        .offset = part.offset,
                        .is_executable = true,
                        .path = std::filesystem::read_symlink(place, error).string()};
  place_in(thread, mapping, file, process, chosen->second);
}

void ProbePoints::place_in(const StoppedThread& thread, const Mapping& mapping,
                           const std::shared_ptr<const ProbeFile>& file, Process& process,
                           Chosen& chosen) {
  const auto code = mapped_code(mapping, *file);
  if (!code) return;
  for (const ProbeSite& site : file->sites) {
    if (!chosen.choice.match(site)) continue;
    if (!has_code(*file, site.address))
      refuse(thread, mapping.path, site.full_name() + ": the file has no code at its address");
    if (!code->has(site.address)) continue;
    const Address address = site.address + code->bias();
    chosen.used.insert(site.full_name());
    if (!file->is_native)
      return refuse(thread, mapping.path, "it is code for another kind of processor (32-bit?)");
    const Placed placed = place_at(thread, address, site, mapping.path);
    if (placed == Placed::refused) continue;
    process.points[address] = {file, &site};
    const auto offset = offset_of(*file, site.semaphore);
    if (placed == Placed::now && site.semaphore != 0 && offset)
      process.semaphores[site.semaphore + code->bias()] = {file->identity, *offset};
  }
}

ProbePoints::Placed ProbePoints::place_at(const StoppedThread& thread, Address address,
                                          const ProbeSite& site, const std::string& path) {
  const auto byte = read_value<std::uint8_t>(thread.thread, address);
  if (byte == kBreakpoint) return Placed::before;
  if (byte == kNop && write_code(thread.thread, address, kBreakpoint)) return Placed::now;
  refuse(thread, path,
         site.full_name() + (byte == kNop ? ": its code cannot be changed"
                                          : ": the instruction there is not a nop"));
  return Placed::refused;
}

/// A probe is a nop of one byte. The breakpoint that replaces it has one byte, too, and the thread
/// stops after it. So the thread just goes on: it has done what the nop would have done, and no
/// other thread can pass the probe unseen meanwhile.
bool ProbePoints::at_trap(const StoppedThread& thread) {
  user_regs_struct registers{};
  const auto chosen = chosen_.find(thread.program);
  if (chosen == chosen_.end() || !is_breakpoint(thread.thread)) return false;
  const auto address = breakpoint_of(thread.thread, registers);
  if (!address) return false;
  const base::Instant at = base::now();
  auto& points = processes_[thread.process].points;
  auto found = points.find(*address);
  if (found == points.end()) {
    find_points(
        thread,
        chosen->second);  // it was forked, or shares the memory of another process (vfork(2))
    found = points.find(*address);
  }
  if (found == points.end()) return false;  // the program's own
  const ProbeSite& site = *found->second.site;
  Probe probe{.host = "",
              .program = "",
              .pid = thread.process,
              .tid = thread.thread == thread.process ? 0 : thread.thread,
              .provider = site.provider,
              .name = site.name};
  for (const ProbeOperand& operand : site.operands)
    probe.arguments.push_back(read_argument(operand, thread.thread, registers));
  observer_.on_probe(thread.program, at, probe);
  return true;
}

std::vector<std::string> ProbePoints::unmatched(TracedProgram program) const {
  std::vector<std::string> patterns;
  const auto chosen = chosen_.find(program);
  if (chosen == chosen_.end()) return patterns;
  for (const std::string& pattern : chosen->second.choice.patterns())
    if (std::ranges::none_of(chosen->second.used, [&pattern](const std::string& name) {
          return matches_probe(pattern, name);
        }))
      patterns.push_back(pattern);
  return patterns;
}

}  // namespace tcplab::capture
