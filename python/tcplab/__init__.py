"""Drives tcplab, a laboratory for failures of TCP, from Python.

    import tcplab

    with tcplab.Lab() as lab:
        client, server, kang, kodos = lab.connected()
        kodos.power_off()
        client.type("anybody there?\\n")
        lab.expect(client).within(lab.timer("r2", client) * 1.5 + 5).call("read").fails("ETIMEDOUT")

docs/python.md describes the package, docs/scenarios.md all verbs.
"""
from tcplab.errors import (ExpectationFailed, LabBroken, RequestError, Skipped, TcplabError,
                           UsageError)
from tcplab.events import Event
from tcplab.objects import Lab, Object

__all__ = ["Event", "ExpectationFailed", "Lab", "LabBroken", "Object", "RequestError", "Skipped",
           "TcplabError", "UsageError"]
