"""Runs on a host: tries to reach the machine, and to use what a server needs. Prints one JSON
object with the result of each attempt: true if it was possible. `target.json` beside it names what
the test has made on the machine."""
import ctypes
import glob
import json
import os
import socket
import stat
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
TARGET = json.loads(Path(__file__).with_name("target.json").read_text(encoding="utf-8"))
MS_REMOUNT_BIND = 32 | 4096
CLONE_NEWUSER_NEWNS = 0x10000000 | 0x00020000


def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), name)


def write_to(path):
    """Opens the file as a writer, and writes nothing."""
    os.close(os.open(path, os.O_WRONLY))


def make_file(folder):
    path = Path(folder, "made-by-probe")
    path.write_text("here", encoding="utf-8")
    path.unlink()


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(2)
        client.connect(address)


def remount():
    call("mount", None, b"/", None, MS_REMOUNT_BIND, None)


def in_new_namespaces(attempt):
    """Repeats the attempt as root of a user namespace of its own."""
    child = os.fork()
    if child == 0:
        try:
            call("unshare", CLONE_NEWUSER_NEWNS)
            attempt()
            os._exit(0)
        except OSError:
            os._exit(1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        raise OSError


def see_secret():
    """Looks for the test's secret in the environment of every process that it sees."""
    seen = [Path(f"/proc/{pid}/environ").read_bytes() for pid in ("self", *pids())
            if os.access(f"/proc/{pid}/environ", os.R_OK) and readable(pid)]
    if not any(TARGET["secret"].encode() in each for each in seen):
        raise OSError


def readable(pid):
    try:
        Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return True


def pids():
    return [entry for entry in os.listdir("/proc") if entry.isdigit()]


def see_processes():
    names = {Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() for pid in pids()}
    if all(name == "tcplab-kang" or name.startswith("python3") for name in names):
        raise OSError


def unmount():
    for path in ("/tmp", "/run", "/dev", "/proc/sys", "/proc", "/sys"):
        try:
            call("umount2", path.encode(), 2)
            return
        except OSError:
            pass
    raise OSError


def write_setting():
    """Tries each setting of the kernel that a program of the machine's root could change."""
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
                 "/proc/sys/kernel/modprobe", *glob.glob("/sys/kernel/*"), "/proc/mtrr",
                 *glob.glob("/proc/irq/*/smp_affinity")):
        if path.endswith("drop_caches") or not Path(path).is_file():
            continue
        try:
            write_to(path)
            return
        except OSError:
            pass
    raise OSError


def use_other_devices():
    usual = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"}
    found = [path for path in glob.glob("/dev/*") if not os.path.islink(path)
             and stat.S_IFMT(os.stat(path).st_mode) in (stat.S_IFBLK, stat.S_IFCHR)]
    if {os.path.basename(path) for path in found} <= usual:
        raise OSError


def use_devices():
    for path in ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/ptmx", "/dev/fd/1"):
        os.close(os.open(path, os.O_RDWR if path != "/dev/fd/1" else os.O_RDONLY))
    Path("/dev/null").write_text("gone", encoding="utf-8")


def open_terminal():
    for descriptor in os.openpty():
        os.close(descriptor)


def listen_low():
    with socket.socket() as server:
        server.bind(("", 80))
        server.listen()


def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


def make_device():
    os.mknod("/tmp/disk", stat.S_IFBLK | 0o600, os.makedev(254, 0))
    os.close(os.open("/tmp/disk", os.O_RDONLY))


FORBIDDEN = {
    "write shadow": lambda: write_to("/etc/shadow"),
    "make a file in /etc": lambda: make_file("/etc"),
    "make a file in /usr": lambda: make_file("/usr/local"),
    "write to the output folder": lambda: make_file(TARGET["out"]),
    "write to the working folder": lambda: make_file("."),
    "write a setting": write_setting,
    "mount": lambda: call("mount", b"tmpfs", b"/mnt", b"tmpfs", 0, None),
    "unmount": unmount,
    "remount": remount,
    "unmount as another root": lambda: in_new_namespaces(unmount),
    "remount as another root": lambda: in_new_namespaces(remount),
    "mount proc as another root": lambda: in_new_namespaces(
        lambda: call("mount", b"proc", b"/proc", b"proc", 0, None)),
    "make a device": make_device,
    "use other devices": use_other_devices,
    "see processes": see_processes,
    "see the secret": see_secret,
    "read the machine's /tmp": lambda: Path(TARGET["file"]).read_text(encoding="utf-8"),
    "read the kernel's memory": lambda: os.close(os.open("/proc/1/mem", os.O_RDONLY)),
    "reach an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + TARGET["abstract"]),
    "reach a socket in /tmp": lambda: connect(socket.AF_UNIX, TARGET["socket"]),
    "reach the machine's network": lambda: connect(socket.AF_INET, ("127.0.0.1", TARGET["port"])),
}
ALLOWED = {
    **{f"write to {each}": lambda folder=each: make_file(folder)
       for each in ("/tmp", "/var/tmp", "/run", "/dev/shm")},
    "use devices": use_devices,
    "open a terminal": open_terminal,
    "listen on port 80": listen_low,
    "open a raw socket": raw_socket,
    "read a file of the machine": lambda: Path("/etc/passwd").read_text(encoding="utf-8"),
    "read the working folder": lambda: os.listdir("."),
}


def possible(attempt):
    try:
        attempt()
    except OSError:
        return False
    return True


print(json.dumps({"forbidden": {name: possible(attempt) for name, attempt in FORBIDDEN.items()},
                  "allowed": {name: possible(attempt) for name, attempt in ALLOWED.items()}}))
