#!/usr/bin/env python3
"""Looks at Java programs that wait for data that never comes: the methods that led there are named,
with their lines, whether HotSpot interprets or compiles them. jstack(1) says the same."""
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
import schemas

# fetch, parse, retry, handle and main call one another. Each line that calls ends with "// at".
PROGRAM = """
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;

public class Waiter {
  static class Client {
    int fetch(InputStream from) throws IOException {
      return from.read();  // at
    }
  }

  static class Other extends Client {
    @Override int fetch(InputStream from) throws IOException {
      return from.read() + 1;
    }
  }

  static int parse(Client client, InputStream from) throws IOException {
    int sum = 1;
    return sum + client.fetch(from);  // at
  }

  static int retry(Client client, InputStream from) throws IOException {
    for (int i = 0; i < 2; ++i) {
      int got = parse(client, from);  // at
      if (got > 0) return got;
    }
    return 0;
  }

  public static int handle(InputStream from) throws IOException {
    return retry(new Client(), from);  // at
  }

  static ServerSocket listener;
  static Object other;

  static String url() {
    return "http://127.0.0.1:" + listener.getLocalPort() + "/";
  }

  static void start(Runnable wait) {
    new Thread(wait).start();
  }

  static void use(String kind, Socket socket) throws Exception {
    InputStream from = socket.getInputStream();
    if (kind.equals("socket")) handle(from);  // at
    if (kind.equals("reflection")) Waiter.class.getMethod("handle", InputStream.class)
        .invoke(null, from);
    if (kind.equals("channel"))
      SocketChannel.open(listener.getLocalSocketAddress()).read(ByteBuffer.allocate(1));
    if (kind.equals("url")) URI.create(url()).toURL().openStream();
    if (kind.equals("http"))
      HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url())).build(),
                                      HttpResponse.BodyHandlers.ofString());
    if (kind.equals("timeout")) {
      socket.setSoTimeout(1_000_000);
      from.read();
    }
  }

  /** Reads as often as it takes for the methods to be compiled. */
  static void warm(Socket socket, Socket peer, int rounds) throws IOException {
    for (int i = 0; i < rounds; ++i) {
      if (i % 1000 == 0) peer.getOutputStream().write(new byte[1000]);
      handle(socket.getInputStream());
    }
  }

  public static void main(String[] arguments) throws Exception {
    listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
    Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
    Socket peer = listener.accept();
    warm(socket, peer, Integer.parseInt(arguments[1]));
    if (arguments.length > 2)
      start(() -> {
        try {
          System.in.read();
        } catch (IOException none) {
          return;
        }
        other = new Other();
        System.out.println("loaded");
      });
    System.out.println("ready");
    use(arguments[0], socket);  // at
  }
}
"""
OURS = ["Client.fetch", "parse", "retry", "handle", "use", "main"]
ROUNDS = 30_000  # HotSpot compiles a method with all optimizations after about 15,000 calls


def expected():
    """The frames of the program, with the lines that its text has."""
    lines = [number for number, line in enumerate(PROGRAM.splitlines(), 1)
             if line.endswith("// at")]
    names = [f"Waiter{'$' if '.' in name else '.'}{name}" for name in OURS]
    return [f"{name} (Waiter.java:{line})" for name, line in zip(names, lines)]


def of_jstack(programs, process, thread):
    """The frames of a thread as jstack(1) prints them, in our words."""
    text = subprocess.run([programs / "jstack", str(process)], capture_output=True, text=True,
                          check=True, timeout=60).stdout
    part = next(part for part in text.split("\n\n")
                if re.search(rf"nid=({thread}|{thread:#x})\s", part))
    frames = re.findall(r"^\s+at (.*)\((?:[^()/]*/)?([^()]*)\)$", part, re.M)
    return [f"{name} ({place})" for name, place in frames]


def without_file(frame):
    """The frame without a file that has no line: jstack does not say that of a native method."""
    return re.sub(r" \([^:]*\)$", "", frame)


def programs_of(version):
    """The folder with java, javac and jstack of that version, or None."""
    for java in sorted(lab.Path("/usr/lib/jvm").glob("*/bin/java")):
        if all((java.parent / name).exists() for name in ("javac", "jstack")):
            said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)
            if f' version "{version}.' in said.stderr:
                return java.parent
    return None


class Frames:
    """The tests of one version."""

    @classmethod
    def setUpClass(cls):
        cls.programs = programs_of(cls.VERSION)
        if cls.programs is None:
            raise unittest.SkipTest(f"there is no JDK {cls.VERSION} in /usr/lib/jvm")
        cls.folder = lab.Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        source = lab.Path(cls.folder.name) / "Waiter.java"
        source.write_text(PROGRAM, encoding="utf-8")
        subprocess.run([cls.programs / "javac", source], check=True, timeout=120)

    def start(self, kind, rounds=0, *more, options=()):
        process = subprocess.Popen(
            [self.programs / "java", *options, "-cp", self.folder.name, "Waiter", kind,
             str(rounds), *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, self.until(process, "ready")

    def until(self, process, word):
        """Returns the lines that the program prints before that one."""
        lines = []
        for line in process.stdout:
            if line == word + "\n":
                return lines
            lines.append(line)
        return self.fail("".join(lines))

    def waits_in(self, process, call):
        """Looks until a thread waits in the call. Returns it."""
        while True:  # ctest ends a test that hangs
            done = subprocess.run([lab.TCPLAB, "look", str(process.pid), "--json"], text=True,
                                  capture_output=True, check=False, timeout=60)
            found = schemas.checked(done.stdout)["processes"][0]
            for thread in found["threads"]:
                if thread.get("call") == call and "frames" in thread:
                    self.assertEqual(found["runtime"], f"Java {self.VERSION}")
                    return thread

    def check(self, process, call="read"):
        """Checks that all frames are those of jstack, and returns them."""
        thread = self.waits_in(process, call)
        theirs = of_jstack(self.programs, process.pid, thread["tid"])
        self.assertEqual([without_file(frame) for frame in thread["frames"]],
                         [without_file(frame) for frame in theirs])
        return thread["frames"]

    def check_ours(self, process):
        frames = self.check(process)
        self.assertEqual(frames[-len(OURS):], expected())
        self.assertEqual(frames[0], "sun.nio.ch.SocketDispatcher.read0 (SocketDispatcher.java)")

    def test_the_interpreter(self):
        process, _ = self.start("socket", options=["-Xint"])
        self.check_ours(process)

    def check_compiled(self, level, *options, more=()):
        process, printed = self.start("socket", ROUNDS, *more, options=[
            "-Xbatch", "-XX:+PrintCompilation", *options])
        compiled = rf"\d+\s+\d+\s.*\s{level}\s+Waiter::handle "
        self.assertTrue(any(re.search(compiled, line) for line in printed), "".join(printed))
        self.check_ours(process)
        return process

    def test_compiled_code(self):
        self.check_compiled(4)

    def test_code_of_the_first_compiler(self):
        self.check_compiled(1, "-XX:TieredStopAtLevel=1")

    def test_code_that_was_invalidated_while_it_waits(self):
        process = self.check_compiled(4, more=["loads"])
        process.stdin.write("\n")
        process.stdin.flush()
        printed = self.until(process, "loaded")  # a class that overrides fetch
        self.assertIn("made not entrant", "".join(printed))
        self.check_ours(process)

    def test_a_call_by_reflection(self):
        process, _ = self.start("reflection")
        frames = self.check(process)
        at = [frame.split(" ")[0] for frame in frames]
        self.assertLess(at.index("Waiter.handle"), at.index("java.lang.reflect.Method.invoke"))

    def check_has(self, kind, call, *functions):
        process, _ = self.start(kind)
        names = [frame.split(" ")[0] for frame in self.check(process, call)]
        for function in functions:
            self.assertIn(function, names)

    def test_a_channel(self):
        self.check_has("channel", "read", "sun.nio.ch.SocketChannelImpl.read", "Waiter.main")

    def test_a_socket_with_a_timeout_waits_in_poll(self):
        self.check_has("timeout", "poll", "sun.nio.ch.Net.poll", "Waiter.main")

    def test_a_url_connection(self):
        self.check_has("url", "read", "sun.net.www.protocol.http.HttpURLConnection.getInputStream",
                       "Waiter.main")

    def test_a_http_client(self):
        self.check_has("http", "epoll_wait", "sun.nio.ch.EPoll.wait",
                       "jdk.internal.net.http.HttpClientImpl$SelectorManager.run")


class Java17(Frames, unittest.TestCase):
    VERSION = 17


class Java25(Frames, unittest.TestCase):
    VERSION = 25


if __name__ == "__main__":
    lab.main()
