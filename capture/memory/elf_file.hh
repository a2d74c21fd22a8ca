// An ELF file that is open for reading (libelf).
#pragma once

#include <gelf.h>

#include <memory>
#include <string>
#include <utility>

#include "base/file_descriptor.hh"
#include "capture/memory/mapped_file.hh"

namespace tcplab::capture {

/// Empty if the file cannot be read, or is none.
class ElfFile {
public:
  explicit ElfFile(const std::string& path) : ElfFile(open_mapped(path)) {}
  explicit ElfFile(base::FileDescriptor file) : file_(std::move(file)) {
    ::elf_version(EV_CURRENT);
    if (file_) elf_.reset(::elf_begin(file_.get(), ELF_C_READ_MMAP, nullptr));
    if (elf_ && ::elf_kind(elf_.get()) != ELF_K_ELF) elf_.reset();
  }

  Elf* get() const { return elf_.get(); }
  explicit operator bool() const { return elf_ != nullptr; }

private:
  struct End {
    void operator()(Elf* elf) const { ::elf_end(elf); }
  };
  base::FileDescriptor file_;
  std::unique_ptr<Elf, End> elf_;
};

}  // namespace tcplab::capture
