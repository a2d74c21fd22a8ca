"""Core files of programs that tests end."""
import pathlib
import re
import resource
import unittest


def allow_cores():
    """For preexec_fn: the program may leave a core file."""
    resource.setrlimit(resource.RLIMIT_CORE, [resource.getrlimit(resource.RLIMIT_CORE)[1]] * 2)


def forbid_cores():
    """For preexec_fn: the program leaves no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def require_core_files():
    """Skips the tests where the kernel writes no core file into a program's folder."""
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii")
    if not re.fullmatch(r"core[\w.%-]*", pattern.strip()):
        raise unittest.SkipTest(f"core files go elsewhere (kernel.core_pattern = {pattern})")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        raise unittest.SkipTest("core files are not allowed (ulimit -Hc)")
