#include "lab/programs/host_machine.hh"

#include "base/error.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

netns::Machine& HostMachine::get() const {
  if (!machine_) {
    throw base::UsageError(name() + " has no power; " + name() + ":power_on() gives it back");
  }
  return *machine_;
}

netns::Machine& HostMachine::with_kernel_tcp(const std::string& what) const {
  netns::Machine& machine = get();
  require_kernel_tcp(machine, what);
  return machine;
}

void HostMachine::power_off() {
  machine_->power_off();
  machine_.reset();
}

}  // namespace tcplab::lab
