#!/usr/bin/env python3
"""A TCP stack for tests that does one thing wrong: its argument says what. It has no TCP at all."""
import json
import os
import socket
import sys
import time

READY = json.dumps({"ready": "calls"})
BROADCAST = b"\xff" * 6


def say(line):
    print(line, flush=True)


def answer_all(answer):
    for line in sys.stdin:
        words = line.split()
        if words[1] != "cancel":
            say(answer(int(words[0])))


def main(fault):
    nic = socket.socket(fileno=3)
    mac = bytes.fromhex(os.environ["TCPLAB_MAC"].replace(":", ""))
    if fault == "exits":
        sys.exit("no memory for 3 buffers")
    if fault == "crashes":
        os.abort()
    levels = {"bad level": {"ready": "shop"}, "no port": {"ready": "echo"},
              "bad port": {"ready": "port", "port": 70000}, "frames": {"ready": "frames"}}
    if fault in levels:
        say(json.dumps(levels[fault]))
    elif fault != "silent":
        say(READY)
    if fault == "floods":
        nic.setblocking(True)
        while True:
            nic.send(BROADCAST + mac + b"\x88\xb5" + bytes(46))
    if fault == "long frames":
        nic.send(BROADCAST + mac + b"\x88\xb5" + bytes(3000))
    if fault == "floods with long frames":
        while True:
            nic.send(BROADCAST + mac + b"\x88\xb5" + bytes(3000))
    if fault == "garbage frames":
        nic.send(b"x")
        nic.send(BROADCAST + mac + b"\x08\x00" + b"\x4f" * 30)
        nic.send(BROADCAST + bytes(6) + b"\x08\x06" + bytes(5))
    if fault == "dies later":
        sys.stdin.readline()
        sys.exit("assertion failed: pcb != NULL")
    if fault == "garbage answers":
        answer_all(lambda number: "ok " + str(number))
    if fault == "odd errno":
        answer_all(lambda number: json.dumps({"id": number, "result": -1, "errno": "EODD"}))
    while True:  # it reads neither its NIC nor its requests
        time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])
