#!/usr/bin/env python3
"""Sends one byte to and fro over TCP. `ping_pong.py PORT` answers. `ping_pong.py HOST PORT ROUNDS`
asks, and prints the median round trip in microseconds. It pauses after each round trip, so that the
wire does not count it as a flood."""
import socket
import statistics
import sys
import time

PAUSE = 0.0003  # seconds


def answer(port):
    with socket.create_server(("", port)) as listener:
        connection = listener.accept()[0]
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := connection.recv(1):
            connection.sendall(data)


def ask(host, port, rounds):
    with socket.create_connection((host, port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        times = []
        for _ in range(rounds):
            start = time.monotonic_ns()
            connection.sendall(b"x")
            connection.recv(1)
            times.append((time.monotonic_ns() - start) / 1e3)
            time.sleep(PAUSE)
        print(f"median {statistics.median(times):.2f}", flush=True)


if len(sys.argv) == 2:
    answer(int(sys.argv[1]))
else:
    ask(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
