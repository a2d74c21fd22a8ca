// The sysctls of a guest.
#pragma once

#include <string>

#include "netns/kernel_sysctls.hh"
#include "uml/guest_files.hh"

namespace tcplab::uml {

class GuestSysctls : public netns::KernelSysctls {
public:
  explicit GuestSysctls(GuestFiles& files) : files_(files) {}

  void write(const std::string& name, const std::string& value) override;
  std::string read(const std::string& name) override;
  bool has(const std::string& name) override;

private:
  GuestFiles& files_;
};

}  // namespace tcplab::uml
