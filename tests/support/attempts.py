"""Runs on a host: tries to reach the machine, and to use what a server needs. Prints one JSON
object: for each attempt "done", or the name of the error. `target.json` beside it names what the
test has made on the machine. An argument chooses the attempts whose names end so.

To add an attempt, write one row. It counts as done if it raises no OSError. An attempt that works
must do no harm."""
import ctypes
import errno
import json
import os
import resource
import signal
import socket
import stat
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
from attempt_calls import (AT_FDCWD, CLONE_NEWCGROUP, CLONE_NEWUSER, HERE, MS_BIND, MS_REMOUNT,
                           ON_ARM, TARGET, as_another_root, by_handle, call, change_device,
                           clone3_flags, clone_flags, connect, device_at, get_descriptor,
                           in_cgroup_namespace, in_child, init_attribute, kernel_address,
                           make_cgroup, make_device, make_file, map_programs, message_queues,
                           mount, open_descriptors, other_devices, perf, process_memory, raw,
                           read_key, refuse, ring, see_keys, see_processes, see_secret,
                           semaphores, shared_memory, socketcall, type_into_terminal, unmount,
                           write_fifo, write_setting, write_to)

AUDIT, UEVENT, CONNECTOR = 9, 15, 11


def netlink(protocol):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()


def new_socket(family, kind=socket.SOCK_STREAM):
    socket.socket(family, kind).close()


FORBIDDEN = {
    # The machine's files.
    "write shadow": lambda: write_to("/etc/shadow"),
    "make a file in /etc": lambda: make_file("/etc"),
    "make a file in /usr": lambda: make_file("/usr/local"),
    "make a file in /": lambda: make_file("/"),
    "write to the output folder": lambda: make_file(TARGET["out"]),
    "write to the working folder": lambda: make_file("."),
    "write the resolver file": lambda: write_to("/etc/resolv.conf"),
    "write /etc/hosts": lambda: write_to("/etc/hosts"),
    "change a mode": lambda: os.chmod(TARGET["own"], 0o777),
    "change an owner": lambda: os.chown(TARGET["own"], 1, 1),
    "change a time": lambda: os.utime(TARGET["own"]),
    "set an attribute": lambda: os.setxattr(TARGET["own"], "user.attempt", b"x"),
    "truncate": lambda: os.truncate(TARGET["own"], 0),
    "remove": lambda: os.unlink(TARGET["own"]),
    "rename": lambda: os.rename(TARGET["own"], TARGET["own"] + "2"),
    "link": lambda: os.link(TARGET["own"], TARGET["own"] + "2"),
    "write through the root of the init": lambda: make_file("/proc/1/root/etc"),
    "write through the folder of the init": lambda: make_file("/proc/1/cwd/etc"),
    "read the machine's /tmp": lambda: Path(TARGET["file"]).read_text(encoding="utf-8"),
    "have descriptors of the lab": open_descriptors,
    # Mounts.
    "mount": lambda: mount(b"tmpfs", b"/mnt", b"tmpfs"),
    "mount the files of the machine": lambda: mount(b"none", b"/mnt", b"hostfs", 0, b"/"),
    "mount by a descriptor": lambda: raw("fsopen", b"tmpfs", 0),
    "copy a mount": lambda: raw("open_tree", AT_FDCWD, b"/", 1),
    "bind": lambda: mount(b"/etc", b"/tmp", None, MS_BIND),
    "remount": lambda: mount(None, b"/", None, MS_REMOUNT | MS_BIND),
    "remount the file system": lambda: mount(None, b"/", None, MS_REMOUNT),
    "change a mount": lambda: raw("mount_setattr", AT_FDCWD, b"/", 0, bytes(32), 32),
    "unmount": unmount,
    "enter the namespaces of the init": lambda: in_child(
        lambda: raw("setns", os.open("/proc/1/ns/mnt", os.O_RDONLY), 0)),
    # User and cgroup namespaces.
    "make a user namespace": lambda: in_child(lambda: call("unshare", CLONE_NEWUSER)),
    "clone into a user namespace": lambda: clone_flags(CLONE_NEWUSER),
    "clone3 into a user namespace": lambda: clone3_flags(CLONE_NEWUSER),
    "make a cgroup namespace": lambda: in_child(in_cgroup_namespace),
    "clone into a cgroup namespace": lambda: clone_flags(CLONE_NEWCGROUP),
    "mount cgroups": make_cgroup,
    "unmount as another root": lambda: as_another_root(unmount),
    "remount as another root": lambda: as_another_root(
        lambda: mount(None, b"/", None, MS_REMOUNT | MS_BIND)),
    "mount proc as another root": lambda: as_another_root(
        lambda: mount(b"proc", b"/proc", b"proc")),
    "mount cgroups as another root": lambda: as_another_root(
        lambda: [in_cgroup_namespace(), make_cgroup()]),
    # Settings of the kernel.
    "write core_pattern": lambda: write_setting("/proc/sys/kernel/core_pattern"),
    "write modprobe": lambda: write_setting("/proc/sys/kernel/modprobe"),
    "write uevent_helper": lambda: write_setting("/sys/kernel/uevent_helper"),
    "write a release agent": lambda: write_setting("/sys/fs/cgroup/release_agent",
                                                   "/sys/fs/cgroup/*/release_agent"),
    "write sysrq-trigger": lambda: write_setting("/proc/sysrq-trigger")
    if stat.S_ISREG(os.stat("/proc/sysrq-trigger").st_mode) else refuse(),
    "write a sysctl": lambda: write_setting("/proc/sys/vm/*", "/proc/sys/kernel/*",
                                            "/proc/sys/fs/*", "/proc/sys/net/ipv4/*"),
    "write a setting in /sys": lambda: write_setting("/sys/kernel/*", "/sys/module/*/parameters/*",
                                                     "/sys/devices/system/cpu/*/online"),
    "write a setting in /proc": lambda: write_setting("/proc/mtrr", "/proc/irq/*/smp_affinity",
                                                      "/proc/acpi/wakeup"),
    "write the boot id": lambda: write_setting("/proc/sys/kernel/random/boot_id"),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "set the host's name": lambda: call("sethostname", b"other", 5),
    "load a module": lambda: raw("finit_module", 0, b"", 0),
    "load a module from memory": lambda: raw("init_module", b"", 0, b""),
    "load another kernel": lambda: raw("kexec_load", 0, 17, 0, 0),
    "reboot": lambda: call("reboot", 0),
    "swap": lambda: call("swapoff", b"/swapfile"),
    # Devices.
    "use a device node of the machine": lambda: device_at(TARGET["node"]),
    "make a device node": make_device,
    "see other devices": other_devices,
    "change a device": change_device,
    "open the memory": lambda: device_at("/dev/mem"),
    "open the kernel's log": lambda: device_at("/dev/kmsg"),
    "open TUN": lambda: write_to("/dev/net/tun", os.O_RDWR),
    "use ports of the machine": lambda: call("iopl", 3) if not ON_ARM else refuse(),
    # Sockets, FIFOs, IPC and keys.
    "reach a UNIX socket in the working folder": lambda: connect(socket.AF_UNIX, "socket"),
    "reach a UNIX socket elsewhere": lambda: connect(socket.AF_UNIX, TARGET["server"]),
    "reach a datagram socket": lambda: connect(socket.AF_UNIX, TARGET["datagram"],
                                               socket.SOCK_DGRAM),
    "reach a UNIX socket in /tmp": lambda: connect(socket.AF_UNIX, TARGET["socket"]),
    "reach an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + TARGET["abstract"]),
    "write into a FIFO": write_fifo,
    "reach the machine's network": lambda: connect(socket.AF_INET, ("127.0.0.1", TARGET["port"])),
    "reach shared memory": shared_memory,
    "reach semaphores": semaphores,
    "reach a message queue": message_queues,
    "read a key": read_key,
    "add a key": lambda: raw("add_key", b"user", b"attempt", b"x", 1, ctypes.c_long(-4)),
    "see keys": see_keys,
    # Families of sockets.
    "use AF_VSOCK": lambda: new_socket(socket.AF_VSOCK),
    "use AF_VSOCK in 32 bits": lambda: in_child(socketcall),
    "use AF_ALG": lambda: new_socket(socket.AF_ALG, socket.SOCK_SEQPACKET),
    "use AF_BLUETOOTH": lambda: new_socket(31, socket.SOCK_RAW),
    "hear the audit": lambda: netlink(AUDIT),
    "hear of devices": lambda: netlink(UEVENT),
    "use the connector": lambda: netlink(CONNECTOR),
    # Processes of the lab.
    "see processes": see_processes,
    "see the secret in an environment": lambda: see_secret("environ"),
    "see the secret in a command line": lambda: see_secret("cmdline"),
    "trace the init": lambda: raw("ptrace", 16, 1, 0, 0),
    "seize the init": lambda: raw("ptrace", 0x4206, 1, 0, 0),
    "read the memory of the init": lambda: process_memory(1),
    "open the memory of the init": lambda: write_to("/proc/1/mem", os.O_RDONLY),
    "take a descriptor of the init": lambda: get_descriptor(1),
    "limit the init": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)),
    "schedule the init": lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
    "give the init attributes": lambda: raw("sched_setattr", 1, init_attribute(), 0),
    "pin the init": lambda: os.sched_setaffinity(1, {0}),
    "renice the init": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
    "slow the init's files": lambda: raw("ioprio_set", 1, 1, 3 << 13),
    "write to the init's files": lambda: write_setting("/proc/1/oom_score_adj", "/proc/1/comm"),
    # The kernel.
    "count events": perf,
    "use BPF": map_programs,
    "use io_uring": ring,
    "handle page faults": lambda: os.close(raw("userfaultfd", 1)),
    "read the kernel's log": lambda: raw("syslog", 3, ctypes.create_string_buffer(100), 100),
    "see the kernel's tables": kernel_address,
    "type into a terminal": type_into_terminal,
    "open by a handle": by_handle,
}
ALLOWED = {
    **{f"write to {each}": lambda folder=each: make_file(folder)
       for each in ("/tmp", "/var/tmp", "/run", "/dev/shm")},
    "use devices": lambda: [os.close(os.open(path, os.O_RDWR)) for path in (
        "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/ptmx")],
    "write to a device": lambda: Path("/dev/null").write_text("gone", encoding="utf-8"),
    "open a terminal": lambda: [os.close(each) for each in os.openpty()],
    "listen on a UNIX socket": lambda: socket.socket(socket.AF_UNIX).bind("/tmp/socket-of-attempt"),
    "make a FIFO": lambda: os.mkfifo("/tmp/fifo-of-attempt"),
    "read a file of the machine": lambda: Path("/etc/passwd").read_text(encoding="utf-8"),
    "read the working folder": lambda: (HERE / "target.json").read_text(encoding="utf-8"),
    "list the working folder": lambda: os.listdir("."),
    "change its own limits": lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    "schedule itself": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "ask the kernel for routes": lambda: netlink(0),
    "listen on port 80": lambda: socket.create_server(("", 80)).close(),
    "open a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW,
                                               socket.IPPROTO_ICMP).close(),
    "capture packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
    "start a thread": lambda: clone_flags(0),
    "have a secret of its own": lambda: os.environ["HOME"],
}


def outcome(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "done"


def signal_init():
    """Harmless: the init of a pid namespace ignores signals from inside (pid_namespaces(7))."""
    for each in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGHUP,
                 signal.SIGCHLD, signal.SIGIO, signal.SIGALRM):
        try:
            os.kill(1, each)
        except OSError:
            pass


signal_init()
chosen = [name for name in TARGET.get("only", FORBIDDEN) if name.endswith("".join(sys.argv[1:]))]
print(json.dumps({"forbidden": {name: outcome(FORBIDDEN[name]) for name in chosen},
                  "allowed": {name: outcome(each) for name, each in ALLOWED.items()}}), flush=True)
