#include "lab/programs/host_machine.hh"

#include "base/error.hh"

namespace tcplab::lab {

netns::Machine& HostMachine::get() const {
  if (!machine_) {
    throw base::UsageError(name() + " has no power; " + name() + ":power_on() gives it back");
  }
  return *machine_;
}

void HostMachine::power_off() {
  machine_->power_off();
  machine_.reset();
}

}  // namespace tcplab::lab
