"""Runs programs in which the kernel refuses a system call, as in a container: seccomp(2)."""
import ctypes
import struct

PTRACE, PIDFD_GETFD, SECCOMP, LANDLOCK_CREATE_RULESET = 101, 438, 317, 444  # on x86-64
CLONE3 = 435
EPERM, ENOSYS = 1, 38


def refuse(call, error=EPERM):
    """Returns a preexec_fn of subprocess: in the program, the call fails with this error."""
    load, if_equal, answer = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ, BPF_RET
    program = b"".join(struct.pack("<HBBI", *one) for one in [
        (load, 0, 0, 0), (if_equal, 0, 1, call), (answer, 0, 0, 0x50000 | error),
        (answer, 0, 0, 0x7fff0000)])  # SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW
    code = ctypes.create_string_buffer(program)
    filter_of = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)

    def install(keep=code):
        del keep  # the buffer must live until now
        libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        libc.prctl(22, 2, filter_of)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
    return install
