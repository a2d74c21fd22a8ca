// The names of functions that a program compiles while it runs, from its perf map:
// /tmp/perf-PID.map, which Node (--perf-basic-prof), Java (with perf-map-agent), .NET
// (DOTNET_PerfMapEnabled), PyPy and others write on request.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tcplab::capture {

class PerfMap {
public:
  explicit PerfMap(pid_t process) : process_(process) {}

  /// Returns the name of the function at this address; nothing if the program has no map, or if the
  /// map has no function there. Reads the lines that the program has added since the last call. Of
  /// a program that has ended, reads the map that it left in our /tmp.
  std::optional<std::string> name(std::uint64_t address);

private:
  struct Function {
    std::uint64_t size;
    std::string name;
  };

  void read_more();
  void add(const std::string& line);

  pid_t process_;
  std::size_t read_ = 0;                         // bytes of the file
  std::map<std::uint64_t, Function> functions_;  // by their first address
};

}  // namespace tcplab::capture
