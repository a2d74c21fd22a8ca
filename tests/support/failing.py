"""Programs whose calls fail: for the records of `tcplab trace --abort-on`."""

# The peer resets `first` after 60 answers; another thread waits for `second`.
RESET = """\
import socket, struct, threading

def rest(peer):
    peer.recv(100)

def fetch(client):
    client.send(b"GET /orders\\n")
    return client.recv(4096)

def business(client):
    for _ in range(99):
        fetch(client)

def serve(listener):
    peer, _ = listener.accept()
    for _ in range(60):
        peer.recv(100)
        peer.send(b"ok")
    peer.recv(1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()

def echo(listener):
    peer, _ = listener.accept()
    while True:
        peer.send(peer.recv(100))

listeners = []  # they stay open when their threads end

def connected(serve):
    listener = socket.create_server(("127.0.0.1", 0))
    listeners.append(listener)
    threading.Thread(target=serve, args=[listener], daemon=True).start()
    return socket.create_connection(listener.getsockname())

first = connected(serve)
first.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
second = connected(echo)
for _ in range(70):
    second.send(b"abc")
    second.recv(3)
waiter = threading.Thread(target=rest, args=[second], daemon=True)
waiter.start()
task = f"/proc/self/task/{waiter.native_id}/syscall"
while open(task).read().split()[0] not in ("45", "207"):  # recvfrom on x86-64 and arm64
    pass
business(first)
"""
# Nothing arrives any more, so the kernel gives up.
TIMEOUT = """\
import os, socket
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000)
peer, _ = listener.accept()
os.system("nft 'add table inet f; add chain inet f o {type filter hook input priority 0;"
          " policy drop;}'")
client.send(b"0123456789")
client.recv(1)
"""
REFUSED = """\
import socket
owner = socket.socket()
owner.bind(("127.0.0.1", 0))
client = socket.socket()
print(client.connect_ex(owner.getsockname()), flush=True)
"""

# The first attempt is refused. The second one succeeds, and its peer resets the connection.
ATTEMPT = """\
import select, socket, struct
owner = socket.socket()
owner.bind(("127.0.0.1", 0))
listener = socket.create_server(("127.0.0.1", 0))
server = owner
client = socket.socket()
client.setblocking(False)
client.connect_ex(server.getsockname())
poll = select.poll()
poll.register(client, select.POLLOUT)
poll.poll()
if server is listener:
    peer, _ = listener.accept()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
"""
# A thread of its handler ends the program.
ABORTS_LATER = """\
import os, signal, threading, time
def handle(*_):
    threading.Thread(target=os.abort).start()
signal.signal(signal.SIGABRT, handle)
""" + REFUSED + """\
while True:
    signal.pause()
"""
# Its pages are in the core file, too, up to the end of the last one.
MAPS_DATA = """\
import mmap
with open("/proc/self/coredump_filter", "w") as filter: filter.write("0xff")
with open("data", "wb+") as file:
    file.write(b"data")
    file.flush()
    data = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
data[0]
"""
DIAL = """\
#include <netinet/in.h>
#include <sys/socket.h>
__attribute__((noinline)) static int NAME(struct sockaddr_in* to) {
  return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)to, sizeof *to) + 1;
}
int main(void) {
  struct sockaddr_in to = {.sin_family = AF_INET};
  socklen_t size = sizeof to;
  int owner = socket(AF_INET, SOCK_STREAM, 0);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(owner, (struct sockaddr*)&to, size);
  getsockname(owner, (struct sockaddr*)&to, &size);
  return NAME(&to);
}
"""
# SO_ERROR is 0 before there is an attempt.
ASKS_BEFORE = """\
import socket
client = socket.socket()
client.setblocking(False)
client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
client.connect_ex(("127.0.0.1", 1))
client.send(b"x")
"""
# A refused attempt shuts the socket down, so that recv(2) returns 0.
ASKS_AFTER = """\
import socket
client = socket.socket()
client.setblocking(False)
client.connect_ex(("127.0.0.1", 1))
client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
client.recv(10)
client.send(b"x")
"""
# Only poll(2) and the reset show the connection, and 60 calls lie between them.
POLLS_LONG_AGO = """\
import select, socket, struct
listener = socket.create_server(("127.0.0.1", 0))
client = socket.socket()
client.setblocking(False)
client.connect_ex(listener.getsockname())
poll = select.poll()
poll.register(client, select.POLLOUT)
poll.poll()
peer, _ = listener.accept()
for _ in range(60):
    try:
        client.recv(10)
    except BlockingIOError:
        pass
peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
peer.close()
client.recv(10)
"""
