"""Runs the tests of a file. If some are skipped, prints them for ./test, and exits with 4."""
import sys
import unittest


def main():
    program = unittest.main(module="__main__", exit=False)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id().removeprefix('__main__.')}: {reason}")
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(4 if program.result.skipped else 0)
