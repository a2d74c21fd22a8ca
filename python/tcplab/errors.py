"""What can go wrong in a lab."""
from typing import Any, Mapping


class TcplabError(Exception):
    """The base of all errors of this package."""


class ExpectationFailed(TcplabError, AssertionError):
    """An expectation was not met. The text shows the last events of all hosts."""

    def __init__(self, message: str, expected: str = "", seen: str = "", nearest: str = "",
                 text: str = "") -> None:
        super().__init__(text.rstrip("\n") or message)
        self.message = message  # in one line
        self.expected = expected
        self.seen = seen
        self.nearest = nearest  # the event that came nearest; "" if none did
        self.text = text  # what `tcplab run` prints for such a failure


class UsageError(TcplabError, ValueError):
    """A verb refused its arguments, or what the script says makes no sense."""


class RequestError(UsageError):
    """There is no such verb, field or object in this lab."""


class Skipped(TcplabError):
    """What the lab needs is not there. The run has ended."""


class LabBroken(TcplabError):
    """The lab could not do its work, or the run has passed a limit. The run has ended."""


def error_of(error: Mapping[str, Any]) -> TcplabError:
    """Returns the exception for the `error` of an answer."""
    kind, message = error["kind"], error["message"]
    if kind == "expectation":
        return ExpectationFailed(message, error.get("expected", ""), error.get("seen", ""),
                                 error.get("nearest", ""), error.get("text", ""))
    kinds: dict[str, type[TcplabError]] = {
        "request": RequestError, "usage": UsageError, "bad_script": UsageError,
        "failed": ExpectationFailed, "skipped": Skipped}
    return kinds.get(kind, LabBroken)(message)
