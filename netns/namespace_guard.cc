#include "netns/namespace_guard.hh"

#include <fcntl.h>
#include <sched.h>

#include <exception>

#include "base/error.hh"

namespace tcplab::netns {

NamespaceGuard::NamespaceGuard(int network_namespace)
    : home_(base::check("open the network namespace",
                        open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC))) {
  base::check("enter a host's network namespace", setns(network_namespace, CLONE_NEWNET));
}

NamespaceGuard::~NamespaceGuard() {
  // Further calls would act on the wrong host.
  if (setns(home_.get(), CLONE_NEWNET) == -1) std::terminate();
}

}  // namespace tcplab::netns
