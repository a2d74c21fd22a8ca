// The USDT probes in an ELF file: the notes in its section .note.stapsdt (sys/sdt.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/memory/elf_file.hh"
#include "capture/memory/process_memory.hh"
#include "capture/probes/probe_operand.hh"

namespace tcplab::capture {

/// A place in the code of a file where a probe is: a nop.
struct ProbeSite {
  std::string provider;
  std::string name;
  Address address = 0;    // in the file's own addresses
  Address semaphore = 0;  // a counter of 16 bits: the program prepares arguments if it is not 0
  std::vector<ProbeOperand> operands{};

  std::string full_name() const { return provider + ":" + name; }
};

/// A part of the file that is mapped (PT_LOAD).
struct LoadedPart {
  Address address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // in the file
  bool is_executable = false;
};

/// Which file a process has mapped.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const FileIdentity&) const = default;
};

struct ProbeFile {
  FileIdentity identity{};
  bool is_native = false;  // code of this machine's own ABI
  std::vector<LoadedPart> parts{};
  std::vector<ProbeSite> sites{};
};

/// Returns what the file has; nothing without sections, as in a file that is no ELF file.
ProbeFile read_probes(const ElfFile& file);

/// "python:function__entry(uint64, uint64, int32)"
std::string signature(const ProbeSite& site);

}  // namespace tcplab::capture
