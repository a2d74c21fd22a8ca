// The files that a process has mapped, and the addresses of their symbols.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

/// A mapping of /proc/PID/maps (proc_pid_maps(5)).
struct Mapping {
  Address start = 0;
  Address end = 0;
  std::uint64_t offset = 0;  // in the file
  bool is_executable = false;
  std::string path;  // empty: no file
  bool is_writable = false;
  bool is_readable = false;
};

/// Reads a line of /proc/PID/maps; nothing if it is none. A name in brackets is no path.
std::optional<Mapping> parse_mapping(const std::string& line);

/// Symbols by name, with their addresses in the process.
using Symbols = std::map<std::string, Address, std::less<>>;

/// Returns the address of a symbol; 0 if it is not there.
Address address_of(const Symbols& symbols, std::string_view name);

class ProcessImage {
public:
  /// `maps`: the text of /proc/PID/maps. Files are opened below /proc/PID/root, so that those of a
  /// container are found.
  ProcessImage(pid_t process, std::string_view maps);

  /// The files of a core file, which are opened where they were: `program` is its own.
  ProcessImage(std::vector<Mapping> mappings, std::string program)
      : mappings_(std::move(mappings)), program_(std::move(program)) {}

  const std::vector<Mapping>& mappings() const { return mappings_; }

  /// Returns the mapping of an address, or nullptr.
  const Mapping* mapping(Address address) const;

  /// Returns the path of the first mapped file whose name (without folders) begins like this; empty
  /// if none.
  std::string find_file(std::string_view name_begins) const;

  /// Returns the program's own file: the target of /proc/PID/exe. Empty if it is not mapped.
  const std::string& program() const { return program_; }

  /// Returns where to open a mapped file from outside of the process: "/proc/42/root/usr/lib/...".
  std::string place_of(const std::string& path) const;

  /// Returns the defined symbols of a mapped file whose names begin with `prefix`; empty if the
  /// file cannot be read or has none. Reads .dynsym and .symtab (elf(5)).
  Symbols symbols(const std::string& path, std::string_view prefix) const;

  /// Returns where a section of a mapped file is in the process; 0 if it has none of that name.
  Address section(const std::string& path, std::string_view name) const;

  /// Returns what to add to an address in this file to get the one in the process.
  std::optional<Address> load_bias(const std::string& path) const;

private:
  std::string root_;  // in front of each path
  std::vector<Mapping> mappings_;
  std::string program_;
};

}  // namespace tcplab::capture
