// Tells whether this process is in a chroot(2). setns(2) leaves one, so hosts made there would have
// the files outside it. A chroot may have no /proc, either.
#pragma once

namespace tcplab::netns {

/// Returns true if / is not the root of the mount namespace. Tries it in a child process, which
/// needs /proc and the privileges of a run. False if that cannot be tried.
bool is_in_chroot();

/// Throws base::LabError if no procfs is mounted on /proc.
void require_proc();

}  // namespace tcplab::netns
