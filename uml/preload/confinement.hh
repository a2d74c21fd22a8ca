// Confines the process of a guest's kernel on the machine, before that kernel starts. So a program
// that takes over the kernel of its guest does not reach the machine. The process sees the
// machine's files read-only and has hardly any privileges. The machine's kernel refuses calls that
// User-mode Linux does not make.
#pragma once

namespace tcplab::uml {

/// Confines this process, and all that it starts, for good:
/// - with `view` (the descriptor of a mount namespace of netns/machine_view.hh; -1 for none): to a
///   copy of these mounts, read-only but for a tmpfs at kOwnPlace (uml/clock_page.hh);
/// - as root: to an unprivileged user; with a view, new files on disks still belong to root;
/// - to the capabilities that the files of disks need; without a view, to none but reading;
/// - by Landlock (landlock(7)), where the kernel has it: it writes only to kOwnPlace, and without a
///   view nowhere, sends signals only to its own processes, and traces no others;
/// - by a filter of system calls (seccomp(2)).
/// Ends the process with a line on stdout, which is the kernel's console, if the kernel refuses
/// what it has.
void confine(int view);

}  // namespace tcplab::uml
