// Lets User-mode Linux read and write the floating-point state of a process on a processor whose
// state is larger than its buffer, for example one with AMX. Its buffer has room for AVX-512
// (HOST_FP_SIZE). Reading a part succeeds, but the kernel refuses to write a part
// (xstateregs_set()): UML panics with "ptrace set fp regs failed".
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

namespace tcplab::uml {

/// ptrace(2) with PTRACE_GETREGSET or PTRACE_SETREGSET.
using RegisterSetCall = long (*)(int request, pid_t process, const void* kind, iovec* area);

/// Writes the state in `area`, with all else as it is. A program in a guest cannot change what is
/// beyond: it would need arch_prctl(ARCH_REQ_XCOMP_PERM), which UML does not have. Returns what
/// ptrace(2) returns.
long set_extended_state(RegisterSetCall call, pid_t process, const iovec& area);

}  // namespace tcplab::uml
