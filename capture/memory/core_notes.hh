// The notes of a core file (core(5), fs/binfmt_elf.c): its threads, its command and its mapped
// files.
#pragma once

#include <sys/procfs.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/memory/process_image.hh"

namespace tcplab::capture {

struct CoreNotes {
  std::vector<elf_prstatus> threads{};    // NT_PRSTATUS
  std::optional<elf_prpsinfo> process{};  // NT_PRPSINFO
  std::vector<Mapping> files{};           // NT_FILE; is_executable is not known
  std::vector<std::byte> vector{};        // NT_AUXV: getauxval(3)
};

/// Reads a segment of notes. Notes of other kinds, and those that are cut off, are left out.
CoreNotes parse_core_notes(std::span<const std::byte> segment);

}  // namespace tcplab::capture
