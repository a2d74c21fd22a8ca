// Making processes inside new namespaces, and what such a process does first: forget its
// parent's signal handlers and descriptors, and see to it that it dies with its parent.
// The callers are single-threaded: a copied process has only the thread that made it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// A process that we made. pid is 0 in that process itself, as with fork(2).
struct Child {
  pid_t pid = 0;
  base::FileDescriptor pidfd;  // close-on-exec; readable when the process has ended
};

/// As fork(2), with new namespaces (CLONE_NEW... flags, clone(2)) and a pidfd.
/// Throws base::SystemError; base::LabError when this process has several threads.
Child clone_process(std::uint64_t namespaces);

/// A descriptor for the calling process, to be handed to die_with_parent().
base::FileDescriptor own_pidfd();

/// SIGKILL to the caller when its parent ends, also if that has happened already. To be called
/// after every change of credentials, since those undo it (PR_SET_PDEATHSIG(2const)).
void die_with_parent(int parent_pidfd);

/// Every signal to its default disposition, and none blocked.
void restore_signals();

/// Closes all descriptors but those named.
void close_others(std::span<const int> keep);

/// Waits for the end of a child and returns its status as a shell would have it: the exit
/// status, or 128 + the signal.
int wait_for(const Child& child);

/// Forgets a child that has ended; false while it lives. True too when somebody else reaped it.
bool try_reap(int pidfd);

/// Whether it has ended, reaped or not.
bool has_ended(int pidfd);

/// Another descriptor for the same thing, close-on-exec.
base::FileDescriptor duplicate(int descriptor);

}  // namespace tcplab::netns
