#!/usr/bin/env python3
"""Follows the advice of `tcplab audit`: each client hangs, gets exactly the code that is printed
for its program or library, and then notices. The printed times are 30 s, so audits run side by
side."""
import re
import shutil
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import lab
import schemas
from audits import SERVER, Audit

LIMIT = 38
KEEPALIVE, USER_TIMEOUT, TIMEOUT, CONNECT, AT_SERVER = (
    "set keepalive to 30 s", "set TCP_USER_TIMEOUT", "give the program a timeout of its own",
    "give connect a timeout", "set keepalive at the server")
ENDS = r"(?:; see https://\S+?)?(?:\. (?:The client|Keepalive) .*)?$"

JAVA = """
import java.io.*;
import java.net.*;
import jdk.net.ExtendedSocketOptions;
class Client {
  public static void main(String[] arguments) throws Exception {
    Socket socket = new Socket(arguments[0], 7000);
    %s;
    socket.getOutputStream().write("hello\\n".getBytes());
    System.out.println(socket.getInputStream().read());
  }
}
"""
GO = """
package main
import ("fmt"; "net"; "net/http"; "os"; "syscall"; "time")
var _ = []interface{}{http.Get, syscall.Getpid, time.Second, net.Dial}
func main() {
  %s
  if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
}
"""
GO_DIALS = """dialer := %s
  connection, err := dialer.Dial("tcp", os.Args[1] + ":7000")
  if err == nil { _, err = connection.Write([]byte("hello\\n")) }
  if err == nil { _, err = connection.Read(make([]byte, 9)) }"""
GO_GETS = """client := %s
  _, err := client.Get("http://" + os.Args[1] + ":7000/")"""
C = """
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
static void set(int fd, int level, int option, int value) {
  if (setsockopt(fd, level, option, &value, sizeof value) != 0) perror("setsockopt");
}
int main(int count, char** arguments) {
  struct addrinfo* found;
  if (count < 2 || getaddrinfo(arguments[1], "7000", 0, &found) != 0) return 2;
  int fd = socket(found->ai_family, SOCK_STREAM, 0);
  %s
  char byte;
  if (connect(fd, found->ai_addr, found->ai_addrlen) != 0 || write(fd, "hello\\n", 6) != 6 ||
      read(fd, &byte, 1) != 1) {
    perror("client");
    return 1;
  }
  return 0 * sizeof(set);
}
"""
NODE = """
const socket = require("net").connect(7000, process.argv[2]);
%s
socket.write("hello\\n");
socket.on("data", () => process.exit(0)).on("end", () => process.exit(1));
"""
WS = """
const WebSocket = require("/usr/share/nodejs/ws");
const ws = new WebSocket("ws://" + process.argv[2] + ":7000/");
ws.on("open", () => { ws.send("hello"); %s });
ws.on("message", () => process.exit(0)).on("close", () => process.exit(1));
"""
WS_SERVER = """
import asyncio, websockets
async def silent(client):
    await asyncio.sleep(999)
async def main():
    async with websockets.serve(silent, "", 7000, ping_interval=None):
        await asyncio.sleep(999)
asyncio.run(main())
"""
REDIS = "import redis, socket, sys\n" \
        "print(redis.Redis(host=sys.argv[1], port=7000%s).blpop('queue'))\n"
REQUESTS = "import requests, sys\nprint(requests.get(f'http://{sys.argv[1]}:7000/'%s))\n"
# It leaves its request unfinished, so that the server waits for the rest.
UNFINISHED = "import socket, sys\ns = socket.create_connection((sys.argv[1], 7000))\n" \
             "s.sendall(b'GET / HTTP/1.1\\r\\n')\ns.recv(1)\n"
NGINX = """daemon off; error_log stderr; pid /tmp/nginx.pid; user root;
events {{}}
http {{ access_log off; client_header_timeout 1h; client_body_temp_path /tmp/b;
proxy_temp_path /tmp/p; fastcgi_temp_path /tmp/f; uwsgi_temp_path /tmp/u; scgi_temp_path /tmp/s;
server {{ listen 7000 {code}; }} }}
"""
HAPROXY = """defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  {code}
listen web
  bind :7000
  server one 127.0.0.1:9
"""


def in_file(name, text, *start):
    """A client whose program is a file; `start` comes before it."""
    def command(out, code):
        (out / name).write_text(text % code)
        return [*start, str(out / name), "SERVER"]
    return command


# These compile before the audit, which measures how long the client takes to begin.
def in_java(out, code):
    (out / "Client.java").write_text(JAVA % code)
    subprocess.run(["javac", "-d", out, out / "Client.java"], check=True)
    return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(out), "Client",
            "SERVER"]


def in_go(text):
    def command(out, code):
        (out / "client.go").write_text(GO % (text % code))
        settings = [f"GOCACHE={out / 'go'}", "GO111MODULE=off"]
        subprocess.run(["env", *settings, "go", "build", "-o", out / "client", out / "client.go"],
                       check=True)
        # The audit knows Go by `go run`, which finds all but the link in the cache.
        return ["env", *settings, "go", "run", str(out / "client.go"), "SERVER"]
    return command


def in_c(out, code):
    calls = "".join(f"set(fd, {'SOL_SOCKET' if name.startswith('SO_') else 'IPPROTO_TCP'}, {name}, "
                    f"{value});" for name, value in re.findall(r"([A-Z_]+) = (\d+)", code))
    (out / "client.c").write_text(C % calls)
    subprocess.run(["gcc", "-o", out / "client", out / "client.c"], check=True)
    return [str(out / "client"), "SERVER"]


def with_curl(out, code):
    del out
    return ["curl", "-sS", *code.split(", or")[0].split(), "http://SERVER:7000/"]


def unfinished(out, code):
    del out, code
    return ["python3", "-c", UNFINISHED, "SERVER"]


def answers_late(out, code):
    del code
    (out / "server.py").write_text(SERVER)
    return f"python3 {out}/server.py 99"


def websockets(out, code):
    del code
    (out / "server.py").write_text(WS_SERVER)
    return f"/usr/bin/python3 {out}/server.py"


def configured(command, text, joint):
    def server(out, code):
        file = out / "server.conf"
        file.write_text(text.format(out=out, code=joint.join(code.split("; "))))
        return f"{command} {file}"
    return server


class Case:
    def __init__(self, advice, cell, client, before="", after="{}", server=answers_late,
                 library=None, outcome="error", traceback="path.reset.waiting"):
        self.advice, self.cell, self.client, self.server = advice, cell, client, server
        self.before, self.after, self.library, self.outcome = before, after, library, outcome
        self.traceback = traceback  # the cell in which the client prints one

    def run(self, code):
        """Returns the outcome of the cell, its advice, and what the audit said."""
        with lab.Folder() as out:
            out = Path(out)
            cells = [self.cell] + ([self.traceback] if self.library else [])
            options = [word for cell in cells for option, word in zip(
                ("--failure", "--moment"), cell.split(".")[1:]) for word in (option, word)]
            audit = Audit(out, "--limit", f"{LIMIT}s", "--ready", "120s", *options, "--json",
                          "audit.json", "--server", self.server(out, code), "--port", "7000", "--",
                          *self.client(out, code))
            if audit.status != 0:
                return None, [], audit.said()
            cells = schemas.checked((out / "audit.json").read_text())["cells"]
            advice = [text for cell in cells for text in cell.get("advice", [])
                      if f"{cell['side']}.{cell['failure']}.{cell['moment']}" == self.cell]
            return audit.outcome(self.cell), advice, audit.said()

    def code_in(self, advice):
        """The code of the advice: what comes after its colon, without what explains it."""
        named = rf", with {self.library} \(its traceback names it\)" if self.library else ""
        for text in advice:
            found = re.match(rf"{self.advice}[^:]*?{named}: (.*?){ENDS}", text)
            if found:
                return found[1]
        return None

    def follow(self):
        """Returns the outcomes without and with the code, the code, and what the audits said."""
        before, advice, said = self.run(self.before)
        code = self.code_in(advice)
        if code is None:
            return before, None, f"no code in {advice}", said
        after, _, said = self.run(self.after.format(code.split("; with ")[0]
                                                    .split(" in the listen")[0]))
        return before, after, code, said


CASES = {
    "java": [Case(KEEPALIVE, "server.power-off.waiting", in_java),
             Case(TIMEOUT, "server.frozen.waiting", in_java)],
    "go": [Case(USER_TIMEOUT, "server.power-off.request-sent", in_go(GO_DIALS),
                before="net.Dialer{}"),
           Case(TIMEOUT, "server.frozen.waiting", in_go(GO_GETS), before="http.Client{}")],
    "curl": [Case(TIMEOUT, "server.frozen.waiting", with_curl),
             Case(CONNECT, "server.power-off.before-connect", with_curl)],
    "gcc": [Case(KEEPALIVE, "server.power-off.waiting", in_c),
            Case(USER_TIMEOUT, "server.power-off.request-sent", in_c)],
    "node": [Case(KEEPALIVE, "server.power-off.waiting", in_file("client.js", NODE, "node"))],
    "nginx": [Case(AT_SERVER, "client.power-off.waiting", unfinished, outcome="recovered",
                   server=configured("nginx -c", NGINX, " "))],
    "haproxy": [Case(AT_SERVER, "client.power-off.waiting", unfinished, outcome="recovered",
                     server=configured("haproxy -db -f", HAPROXY, "\n  "))],
}
LIBRARIES = {
    "redis-py": ("redis", "redis-server", [
        Case(KEEPALIVE, "server.power-off.waiting",
             in_file("client.py", REDIS, "/usr/bin/python3"), after=", {}", library="redis-py",
             server=lambda out, code: "redis-server --port 7000 --protected-mode no")]),
    "requests": ("requests", "python3", [
        Case(TIMEOUT, "server.frozen.waiting", in_file("client.py", REQUESTS, "/usr/bin/python3"),
             after=", {}", library="requests")]),
    "ws": ("websockets", "node", [
        Case(TIMEOUT, "server.frozen.waiting", in_file("client.js", WS, "node"), library="ws",
             traceback="path.refused.before-connect", server=websockets)]),
}


def has_module(name):
    done = subprocess.run(["/usr/bin/python3", "-c", f"import {name}"], capture_output=True,
                          check=False)
    return done.returncode == 0


class PrintedCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.missing = {name: f"{name} is not installed" for name in CASES if not shutil.which(name)}
        for name, (module, program, _) in LIBRARIES.items():
            if not shutil.which(program) or not has_module(module):
                cls.missing[name] = f"{module} for Python, or {program}, is not installed"
        if not Path("/usr/share/nodejs/ws").exists():
            cls.missing["ws"] = "node-ws is not installed"
        cases = {**CASES, **{name: row[2] for name, row in LIBRARIES.items()}}
        with ThreadPoolExecutor(16) as pool:
            cls.followed = {name: [(case, pool.submit(case.follow)) for case in of_name]
                            for name, of_name in cases.items() if name not in cls.missing}

    def check(self, name):
        if name in self.missing:
            self.skipTest(self.missing[name])
        for case, followed in self.followed[name]:
            with self.subTest(case.advice):
                before, after, code, said = followed.result()
                self.assertEqual(before, "hangs", said)
                self.assertEqual(after, case.outcome, f"{code}\n{said}")

    def test_java(self):
        self.check("java")

    def test_go(self):
        self.check("go")

    def test_curl(self):
        self.check("curl")

    def test_c(self):
        self.check("gcc")

    def test_node(self):
        self.check("node")

    def test_nginx_as_the_server(self):
        self.check("nginx")

    def test_haproxy_as_the_server(self):
        self.check("haproxy")

    def test_redis_py(self):
        self.check("redis-py")

    def test_requests(self):
        self.check("requests")

    def test_ws(self):
        self.check("ws")


if __name__ == "__main__":
    lab.main()
