// Enters the network namespace of a host, and returns.
#pragma once

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// Enters a network namespace for the lifetime of the guard. Sockets created meanwhile belong to
/// that namespace.
class NamespaceGuard {
public:
  explicit NamespaceGuard(int network_namespace);
  ~NamespaceGuard();
  NamespaceGuard(const NamespaceGuard&) = delete;
  NamespaceGuard& operator=(const NamespaceGuard&) = delete;

private:
  base::FileDescriptor home_;
};

}  // namespace tcplab::netns
