#!/usr/bin/env python3
"""Opens TCP connections and keeps them. `connections.py PORT` accepts. `connections.py HOST PORT`
connects until that fails, and prints "COUNT SECONDS" after each 1,000 connections: how long they
took. Several processes share the connections, because each may open few descriptors. The client
takes one local port after the other. Once half of them are used, the kernel looks at 16,384 ports
to find a free one (inet_hash_connect()), which would take most of the time."""
import errno
import os
import resource
import socket
import sys
import time

LIMIT = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
EACH = min(16384, LIMIT - 100)  # connections of one process
BLOCK = 1000


def accept(port):
    with socket.create_server(("", port), backlog=4096) as listener:
        print("ready", flush=True)
        while True:
            kept = [listener.accept() for _ in range(EACH)]
            if os.fork():
                time.sleep(3600)
            for connection, _ in kept:
                connection.close()


def connect(host, port):
    kept, count, start = [], 0, time.monotonic()
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as text:
        first, last = map(int, text.read().split())
    while True:
        if len(kept) == EACH:
            if os.fork():
                time.sleep(3600)
            for connection in kept:
                connection.close()
            kept = []
        kept.append(socket.socket())
        if first + count <= last:  # then the kernel looks for a port: EADDRNOTAVAIL
            kept[-1].bind(("", first + count))
        kept[-1].connect((host, port))
        count += 1
        if count % BLOCK == 0:
            now = time.monotonic()
            print(count, f"{now - start:.4f}", flush=True)
            start = now


resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
if len(sys.argv) == 2:
    accept(int(sys.argv[1]))
try:
    connect(sys.argv[1], int(sys.argv[2]))
except OSError as error:
    print(errno.errorcode[error.errno], flush=True)
time.sleep(3600)
