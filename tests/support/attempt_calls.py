"""The calls of attempts.py: how a program on a host tries to reach the machine. An attempt that is
refused raises OSError."""
import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import platform
import signal
import socket
import stat
import struct
import termios
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
TARGET = json.loads(Path(__file__).with_name("target.json").read_text(encoding="utf-8"))
HERE = Path(__file__).resolve().parent
# asm/unistd.h: of x86-64 and of arm64.
CALLS = {"process_vm_readv": (310, 270), "perf_event_open": (298, 241), "bpf": (321, 280),
         "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "add_key": (248, 217),
         "keyctl": (250, 219), "clone3": (435, 435), "setns": (308, 268), "syslog": (103, 116),
         "open_by_handle_at": (304, 265), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
         "open_tree": (428, 428), "fsopen": (430, 430), "finit_module": (313, 273),
         "kexec_load": (246, 104), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
         "prlimit64": (302, 261), "ptrace": (101, 117), "init_module": (175, 105),
         "mount_setattr": (442, 442)}
ON_ARM = platform.machine() == "aarch64"
MS_BIND, MS_REMOUNT = 4096, 32
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWCGROUP = 0x10000000, 0x00020000, 0x02000000
AT_FDCWD = -100


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def raw(name, *arguments):
    """Makes a system call that the C library may lack. Returns its result."""
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = LIBC.syscall(ctypes.c_long(CALLS[name][ON_ARM]), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def refuse(why=errno.EPERM):
    raise OSError(why, "not there")


def write_to(path, flags=os.O_WRONLY):
    """Opens the file as a writer, and writes nothing."""
    os.close(os.open(path, flags))


def make_file(folder):
    path = Path(folder, "made-by-attempt")
    path.write_text("here", encoding="utf-8")
    path.unlink()


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(2)
        client.connect(address)


def mount(source, target, kind, flags=0, data=None):
    call("mount", source, target, kind, flags, data)


def any_of(*attempts):
    """Done if one of them is."""
    last = OSError(errno.EPERM, "none")
    for attempt in attempts:
        try:
            return attempt()
        except OSError as error:
            last = error
    raise last


def in_child(attempt):
    """Makes the attempt in a child, which it may change."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            attempt()
        except OSError as error:
            code = error.errno or errno.EPERM
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        refuse(code if code > 0 else errno.EPERM)


def as_another_root(attempt):
    """Repeats the attempt as root of a user namespace of its own."""
    def enter():
        call("unshare", CLONE_NEWUSER | CLONE_NEWNS)
        attempt()
    in_child(enter)


def clone_flags(flags):
    """fork(2) with flags; the child ends at once."""
    number = (56, 220)[ON_ARM]
    child = LIBC.syscall(ctypes.c_long(number), ctypes.c_long(flags | signal.SIGCHLD), 0, 0, 0, 0)
    if child == -1:
        refuse(ctypes.get_errno())
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def clone3_flags(flags):
    arguments = struct.pack("=8Q", flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    child = raw("clone3", arguments, len(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def pids():
    return [entry for entry in os.listdir("/proc") if entry.isdigit()]


def read_bytes(path):
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def see_secret(file):
    """Looks for the test's secret in that file of every process that it sees, but of its own."""
    others = [pid for pid in pids() if pid != str(os.getpid())]
    secrets = (TARGET["secret"].encode(), TARGET["parameter"].encode())
    if not any(each in read_bytes(f"/proc/{pid}/{file}") for pid in ["self", *others]
               for each in secrets):
        refuse()


def see_processes():
    """Threads of a kernel have no command line, and a kernel host has them."""
    usual = ("tcplab-kang", "tcplab-agent", "python3", "sh")
    for pid in pids():
        line = read_bytes(f"/proc/{pid}/cmdline")
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        if line and not name.startswith(usual):
            return
    refuse()


def unmount():
    """A mount that another user namespace has locked gives EINVAL (mount_namespaces(7))."""
    for path in ("/tmp", "/run", "/dev", "/proc/sys", "/proc", "/sys", "/etc/hosts", "/"):
        try:
            return call("umount2", path.encode(), 2)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EINVAL):
                raise
    return refuse()


def write_setting(*patterns):
    paths = [path for pattern in patterns for path in glob.glob(pattern) if Path(path).is_file()]
    any_of(*[lambda path=path: write_to(path) for path in paths])


def device_at(path):
    """Opens a device node, and reads from it."""
    with open(path, "rb", buffering=0) as device:
        device.read(1)


def make_device():
    path = "/tmp/device-of-attempt"
    os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(*TARGET["device"]))
    try:
        device_at(path)
    finally:
        os.unlink(path)


def other_devices():
    usual = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"}
    found = [path for path in glob.glob("/dev/*") if not os.path.islink(path)
             and stat.S_IFMT(os.stat(path).st_mode) in (stat.S_IFBLK, stat.S_IFCHR)]
    if {os.path.basename(path) for path in found} <= usual:
        refuse()


def change_device():
    os.chmod("/dev/null", stat.S_IMODE(os.stat("/dev/null").st_mode))


def write_fifo():
    descriptor = os.open(TARGET["fifo"], os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.write(descriptor, b"from a program")
    finally:
        os.close(descriptor)


def open_descriptors():
    """What the lab has left open: no program gets more than 0, 1 and 2."""
    own = f"/proc/{os.getpid()}/fd"  # as long as it is listed
    links = {number: os.readlink(f"{own}/{number}") for number in os.listdir(own)
             if os.path.islink(f"{own}/{number}")}
    if all(int(number) <= 2 or link == own for number, link in links.items()):
        refuse()


def shared_memory():
    call("shmget", TARGET["ipc_key"], 0, 0)


def semaphores():
    call("semget", TARGET["ipc_key"], 0, 0)


def message_queues():
    call("msgget", TARGET["ipc_key"], 0)


def read_key():
    """A key of the user's keyring: the test has made one."""
    key = raw("keyctl", 10, ctypes.c_long(-4), b"user", TARGET["key"].encode(), 0)
    raw("keyctl", 11, key, ctypes.create_string_buffer(100), 100)


def see_keys():
    if TARGET["key"].encode() not in read_bytes("/proc/keys"):
        refuse()


def process_memory(pid):
    local = ctypes.create_string_buffer(8)
    vector = struct.pack("=2Q", ctypes.addressof(local), 8)
    raw("process_vm_readv", pid, vector, 1, vector, 1, 0)


def get_descriptor(pid):
    handle = raw("pidfd_open", pid, 0)
    raw("pidfd_getfd", handle, 0, 0)


def perf():
    attributes = struct.pack("=IIQ", 1, 112, 0) + bytes(112 - 16)  # a software clock
    raw("perf_event_open", attributes, -1, 0, -1, 0)


def map_programs():
    raw("bpf", 0, struct.pack("=5I", 2, 4, 4, 1, 0) + bytes(100), 120)


def ring():
    os.close(raw("io_uring_setup", 1, ctypes.create_string_buffer(120)))


def type_into_terminal():
    terminal = os.open("/dev/tty", os.O_RDWR)
    fcntl.ioctl(terminal, termios.TIOCSTI, b"x")


def by_handle():
    handle = struct.pack("=Ii", 8, 1) + struct.pack("=Q", 2)
    raw("open_by_handle_at", os.open("/", os.O_RDONLY), handle, os.O_RDONLY)


def kernel_address():
    """Addresses of the kernel's functions, or its tables."""
    any_of(*[lambda path=path: None if read_bytes(path) else refuse() for path in (
        "/proc/kallsyms", "/proc/timer_list", "/proc/vmallocinfo", "/proc/slabinfo", "/proc/kcore",
        "/proc/kmsg", "/proc/kpagecount", "/sys/kernel/debug/gpio", "/sys/kernel/tracing/README")])


def init_attribute(size=48):
    return struct.pack("=IIQiIQQQ", size, 0, 0, 0, 0, 0, 0, 0)


def make_cgroup():
    place = "/tmp/cgroups"
    os.makedirs(place, exist_ok=True)
    any_of(lambda: mount(b"none", place.encode(), b"cgroup2"),
           lambda: mount(b"none", place.encode(), b"cgroup", 0, b"memory"))


def in_cgroup_namespace():
    call("unshare", CLONE_NEWCGROUP)


def socketcall():
    """A 32-bit call of 64-bit code creates an AF_VSOCK socket, past filters of 64-bit calls."""
    if ON_ARM:
        refuse()
    low = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40,  # MAP_32BIT
                    mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    place = ctypes.addressof(ctypes.c_char.from_buffer(low))
    low[64:76] = struct.pack("=3I", socket.AF_VSOCK, socket.SOCK_STREAM, 0)
    code = (b"\x53\xb8" + struct.pack("=I", 102) + b"\xbb" + struct.pack("=I", 1) + b"\xb9"
            + struct.pack("=I", place + 64) + b"\xcd\x80\x5b\xc3")
    low[:len(code)] = code
    result = ctypes.CFUNCTYPE(ctypes.c_int)(place)()
    if result < 0:
        refuse(-result)
    if result < 3 or not stat.S_ISSOCK(os.fstat(result).st_mode):
        refuse(errno.ENOSYS)  # User-mode Linux has no 32-bit calls: it takes the number for another
