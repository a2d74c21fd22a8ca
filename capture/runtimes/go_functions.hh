// The functions of a Go program, as its own runtime knows them: the section .gopclntab
// (runtime/symtab.go), which is in stripped programs, too. It has the sizes of their frames, their
// names and lines, and what was inlined into them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "capture/memory/process_memory.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// The code that a function executes.
struct GoCode {
  std::uint64_t frame_size = 0;      // without the return address
  std::vector<RuntimeFrame> frames;  // innermost first: inlined functions, then the function
};

/// Where the parts of the table are.
struct GoTables {
  Address functions = 0;  // .gopclntab
  Address text = 0;       // runtime.text, for a table that does not say it; 0: not known
  Address data = 0;       // go.func.*: what was inlined; 0: not known
};

class GoFunctions {
public:
  /// Throws UnreadableMemory if the format is not that of Go 1.18 and later, on a 64-bit machine.
  GoFunctions(const ProcessMemory& memory, const GoTables& tables);

  /// Returns the code before this address, to which a call returns. Throws UnreadableMemory if no
  /// function of Go is there.
  const GoCode& before(Address return_address) const;

private:
  struct Function;

  Function function_at(Address address) const;
  std::int32_t value_at(const Function& function, std::uint32_t table, Address address) const;
  GoCode code_at(Address address) const;
  RuntimeFrame frame(const Function& function, std::int32_t name, Address address) const;
  std::string name_at(std::int32_t offset) const;
  std::string file_of(const Function& function, Address address) const;

  const ProcessMemory& memory_;
  Address data_;
  Address text_ = 0;
  Address names_ = 0;
  Address units_ = 0;
  Address files_ = 0;
  Address values_ = 0;
  Address functions_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t smallest_instruction_ = 1;
  bool has_first_lines_ = false;               // of Go 1.20 and later
  mutable std::map<Address, GoCode> known_{};  // goroutines wait in few places
};

}  // namespace tcplab::capture
