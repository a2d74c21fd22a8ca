// Creates processes in new namespaces, and prepares such a process: it resets signal handlers,
// closes inherited descriptors, and arranges to die with its parent. The caller must be
// single-threaded, because a copied process has only the thread that called clone(2).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// A child process. In the child itself, pid is 0, as with fork(2).
struct Child {
  pid_t pid = 0;
  base::FileDescriptor pidfd;  // close-on-exec; readable when the process has ended
};

/// Copies this process as fork(2) does, into new namespaces (CLONE_NEW... flags, clone(2)).
/// Throws base::SystemError, or base::LabError if this process has several threads.
Child clone_process(std::uint64_t namespaces);

/// Raises the priority of a process for which the caller waits, as long as this object lives: the
/// process gets the caller's real-time priority (sched(7)). With less, another run that is busy on
/// the same processor would hold up this one. Does nothing if the caller has no real-time priority,
/// or if it lacks the privilege.
class LentPriority {
public:
  explicit LentPriority(pid_t process);
  ~LentPriority();
  LentPriority(const LentPriority&) = delete;
  LentPriority& operator=(const LentPriority&) = delete;

  /// The process keeps the priority until it ends.
  void keep() { is_lent_ = false; }

private:
  pid_t process_;
  bool is_lent_ = false;
};

/// Opens a pidfd of the calling process. Its children pass it to die_with_parent().
base::FileDescriptor own_pidfd();

/// Makes the kernel kill the caller when its parent ends, or at once if it has ended already. Call
/// it after every change of credentials, which clears the setting (PR_SET_PDEATHSIG(2const)).
void die_with_parent(int parent_pidfd);

/// Resets every signal to its default disposition, and unblocks all.
void restore_signals();

/// Closes all descriptors except `keep`.
void close_all_except(std::span<const int> keep);

// Where the kernel releases a process that is reaped, it removes the entries of its threads from
// /proc, and spins while one of these threads is removing its own (shrink_dcache_parent()). So what
// reaps has an ordinary priority meanwhile.

/// Waits until a child ends and reaps it. Returns its status as a shell reports it: the exit
/// status, or 128 + the signal number.
int wait_for(const Child& child);

/// Reaps a child if it has ended. Returns false while it runs; true also if it was reaped before.
bool try_reap(int pidfd);

/// Returns true if the process has ended, whether it was reaped or not.
bool has_ended(int pidfd);

/// Waits until a descriptor can be read or is closed at its other end. Calls `meanwhile` at least
/// once, and then every millisecond. Returns at once if `meanwhile` is empty.
void await_readable(int descriptor, const std::function<void()>& meanwhile);

/// Duplicates a descriptor, close-on-exec.
base::FileDescriptor duplicate(int descriptor);

}  // namespace tcplab::netns
