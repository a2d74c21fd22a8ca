// The sysctls of the kernel of a machine that is on.
#pragma once

#include <string>

namespace tcplab::netns {

/// Names and errors are those of write_sysctl(), read_sysctl() and has_sysctl() (sysctl.hh).
class KernelSysctls {
public:
  virtual ~KernelSysctls() = default;

  virtual void write(const std::string& name, const std::string& value) = 0;
  virtual std::string read(const std::string& name) = 0;
  virtual bool has(const std::string& name) = 0;
};

}  // namespace tcplab::netns
