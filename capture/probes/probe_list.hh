// The probes of a program and of the libraries that it is linked with: `tcplab trace --probes`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tcplab::capture {

struct ProbesOfFile {
  std::string path;
  bool is_native = true;              // code of this machine's own ABI
  std::map<std::string, int> places;  // how many, by the signature of the probe
};

struct ProbeList {
  std::string program;               // its own file, absolute
  bool is_script = false;            // that is the interpreter of a script
  std::vector<ProbesOfFile> files;   // those that have probes
  std::vector<std::string> missing;  // libraries that were not found
  std::set<std::string> names;       // "python:function__entry"
};

/// Throws base::UsageError if the program cannot be read (program_files()).
ProbeList list_probes(const std::string& path);

}  // namespace tcplab::capture
