// The sysctls of a guest.
#pragma once

#include <string>

#include "uml/guest_files.hh"

namespace tcplab::uml {

/// Names are as in sysctl(8): "net.ipv4.tcp_retries2", or with slashes if a part has dots. All
/// functions throw base::UsageError for a name outside "net."; the first two base::SystemError.
class GuestSysctls {
public:
  explicit GuestSysctls(GuestFiles& files) : files_(files) {}

  void write(const std::string& name, const std::string& value);
  std::string read(const std::string& name);
  bool has(const std::string& name);

private:
  GuestFiles& files_;
};

}  // namespace tcplab::uml
