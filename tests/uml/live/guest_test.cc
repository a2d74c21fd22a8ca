#include "uml/guest.hh"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using tests::GuestLab;
using namespace std::chrono_literals;

namespace {

const std::string kDnc = tests::guest_programs() + "/dnc";

// Of Debian's kernel. Each kernel begins to count 300 s before the count exceeds 32 bits.
constexpr int kTicksPerSecond = 100;
constexpr long long kFirstJiffies = (1LL << 32) - 300 * kTicksPerSecond;

/// A shell with a terminal.
uml::ProgramStart at_terminal(const std::string& script) {
  uml::ProgramStart start;
  start.command = {"sh", "-c", script};
  start.environment = {{"PATH", "/usr/bin:/bin"}};
  start.has_terminal = true;
  start.descriptors = {{0, uml::StreamKind::input}, {1, uml::StreamKind::output}};
  return start;
}

}  // namespace

TEST_CASE("a guest runs a program, and tells its output and its end", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program =
      lab.run("kang", {"sh", "-c", "echo out; echo err >&2; read x; echo got $x; exit 7"});
  CHECK(lab.await_text("kang", program, "out\n"));
  lab.guest("kang").programs().input(program, uml::as_bytes("hello\n"));
  CHECK(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(lab.witness("kang").outputs[{program, 1}] == "out\ngot hello\n");
  CHECK(lab.witness("kang").outputs[{program, 2}] == "err\n");
  CHECK(WEXITSTATUS(lab.witness("kang").ends[program]) == 7);
}

TEST_CASE("a guest's kernel knows its time before the first program runs", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang", "kodos", "lisa"});
  for (const char* name : {"kang", "kodos", "lisa"}) {
    const std::string text = lab.guest(name).files().read("/proc/timer_list");
    INFO(name << ": " << text);
    const auto number_after = [&](const char* word) {
      const auto at = text.find(word);
      return at == std::string::npos ? -1 : std::stoll(text.substr(at + std::strlen(word)));
    };
    const long long now = number_after("\nnow at ");
    const long long jiffies = number_after("\njiffies: ");
    REQUIRE(now > 0);
    REQUIRE(jiffies > 0);
    const auto ticks = static_cast<double>(jiffies - kFirstJiffies);
    CHECK(ticks / kTicksPerSecond == Approx(static_cast<double>(now) / 1e9).margin(0.1));
  }
}

TEST_CASE("a program that does not exist cannot start", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  CHECK_THROWS_WITH(lab.run("kang", {"no-such-program"}),
                    "kang: cannot run no-such-program: No such file or directory (ENOENT)");
  CHECK_THROWS_WITH(lab.guest("kang").sysctls().write("net.ipv4.no_such", "1"),
                    Catch::Matchers::Contains("cannot set sysctl net.ipv4.no_such to 1: "));
  CHECK(lab.guest("kang").sysctls().has("net.ipv4.tcp_retries2"));
  CHECK_FALSE(lab.guest("kang").sysctls().has("net.ipv4.no_such"));
  lab.guest("kang").sysctls().write("net.ipv4.tcp_retries2", "3");
  CHECK(lab.guest("kang").sysctls().read("net.ipv4.tcp_retries2") == "3");
}

TEST_CASE("what a kernel does can be said", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const std::string activity = lab.guest("kang").kernel().activity();
  CHECK_THAT(activity,
             Catch::Matchers::Matches(
                 "it (runs|sleeps, and its timer (is due in|was due) .*); process [0-9]+: "
                 "[A-Z] in [^ ]+, [0-9]+[.][0-9]{2} s(; process [0-9]+: [A-Za-z] in .*)?"));
  const std::string kernel = "process " + std::to_string(lab.guest("kang").kernel().pid()) + ":";
  CHECK_THAT(activity, Catch::Matchers::Contains(kernel));
}

TEST_CASE("a peer without power costs fifteen minutes, in seconds", "[guest]") {
  SKIP_IF(tests::no_guests());
  const auto family = GENERATE(base::Family::ipv4, base::Family::ipv6);
  GuestLab lab({"kang", "kodos", "idle"});
  const pid_t server = lab.run("kodos", {kDnc, "-l", "8080"});
  REQUIRE(lab.await_text("kodos", server, "listen"));
  const pid_t client = lab.run("kang", {kDnc, lab.address("kodos", family).to_string(), "8080"});
  REQUIRE(lab.await_text("kang", client, "connect"));
  lab.guest("kang").programs().input(client, uml::as_bytes("hello\n"));
  REQUIRE(lab.await_text("kodos", server, "hello"));
  lab.cut_power("kodos");
  const base::Instant cut = base::now();
  lab.guest("kang").programs().input(client, uml::as_bytes("anybody?\n"));
  const auto started = std::chrono::steady_clock::now();
  const bool timed_out = lab.await_text("kang", client, "ETIMEDOUT", 1200s);
  INFO(lab.text("kang", client));
  CHECK(timed_out);
  const auto lasted = std::chrono::duration<double>(base::now() - cut).count();
  const auto wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  CHECK(lasted > 924);  // tcp_retries2=15: RFC 1122's 924.6 s, and more
  // The connection ends when a timer expires after that time (retransmits_timed_out()), and timers
  // are at most TCP_RTO_MAX apart. The count begins with the first retransmission, whose RTO is 0.2
  // s, or more if a busy machine made the round trips long.
  constexpr double kRtoMax = 120;
  constexpr double kFirstRto = 3;
  CHECK(lasted < 924.6 + kRtoMax + kFirstRto);
  CHECK(wall < 60);  // a few on an idle machine
}

TEST_CASE("every state is seen with its frame, although the server closes at once", "[guest]") {
  SKIP_IF(tests::no_guests());
  constexpr int kTimeWait = 6;
  constexpr int kCloseWait = 8;
  constexpr int kLastAck = 9;
  GuestLab lab({"kang", "kodos"});
  lab.run("kodos", {"python3", "-c",
                    "import socket\n"
                    "s = socket.create_server(('', 8080))\n"
                    "print('listening', flush=True)\n"
                    "while True: s.accept()[0].recv(1)"});
  REQUIRE(
      lab.await([&] { return lab.all_text("kodos").find("listening") != std::string::npos; }, 60s));
  constexpr std::size_t kConnections = 30;
  for (std::size_t i = 0; i < kConnections; ++i) {
    const pid_t client = lab.run("kang", {"python3", "-c",
                                          "import socket\n"
                                          "socket.create_connection(('10.0.0.2', 8080)).close()"});
    REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(client); }, 60s));
    REQUIRE(lab.await([&] { return lab.connections_in("kodos", kLastAck) == i + 1; }, 5s));
    REQUIRE(lab.await([&] { return lab.connections_in("kang", kTimeWait) >= i + 1; }, 5s));
  }
  CHECK(lab.connections_in("kodos", kCloseWait) == kConnections);
}

TEST_CASE("a flood of output arrives whole", "[guest]") {
  SKIP_IF(tests::no_guests());
  constexpr std::size_t kSize = 20'000'000;
  GuestLab lab({"kang"});
  const pid_t program =
      lab.run("kang", {"sh", "-c", "head -c " + std::to_string(kSize) + " /dev/zero; sleep 1"});
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 60s));
  CHECK(lab.text("kang", program).size() == kSize);
}

TEST_CASE("a long input arrives whole, and its end too", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run("kang", {"sh", "-c", "sleep 1; wc -c"});
  const std::string text(1'000'000, 'x');
  lab.guest("kang").programs().input(program, uml::as_bytes(text));
  lab.guest("kang").programs().close_input(program);
  REQUIRE(lab.await_text("kang", program, "1000000\n"));
}

TEST_CASE("a program has a terminal of its guest", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  auto& guest = lab.guest("kang");
  const pid_t program =
      guest.programs().start(at_terminal("tty; test -t 2 && ps -o tty= -p $$; cat; echo gone >&2"));
  const std::string shown = "/dev/pts/0\r\npts/0\r\n";
  REQUIRE(lab.await_text("kang", program, shown));
  guest.programs().input(program, uml::as_bytes("are you there?\n"));
  const std::string twice = "are you there?\r\nare you there?\r\n";  // its echo, and cat
  REQUIRE(lab.await_text("kang", program, shown + twice));
  guest.programs().input(program, uml::as_bytes("\x04"));  // Ctrl-D
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(lab.await_text("kang", program, shown + twice + "gone\r\n"));
  CHECK(lab.await([&] { return lab.witness("kang").closed.size() == 1; }, 1s));
}

TEST_CASE("Ctrl-C at its terminal ends a program", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  auto& guest = lab.guest("kang");
  const pid_t program = guest.programs().start(at_terminal("echo ready; exec cat"));
  REQUIRE(lab.await_text("kang", program, "ready"));
  guest.programs().input(program, uml::as_bytes("\x03"));
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(WTERMSIG(lab.witness("kang").ends[program]) == SIGINT);
}

TEST_CASE("a guest answers at once while a program with a terminal is busy", "[guest]") {
  SKIP_IF(tests::no_guests());
  const std::string busy = GENERATE("while :; do echo $x; done", "echo $x; while :; do :; done");
  GuestLab lab({"kang"});
  auto& guest = lab.guest("kang");
  const pid_t program = guest.programs().start(at_terminal("echo ready; read x; " + busy));
  REQUIRE(lab.await_text("kang", program, "ready"));
  guest.programs().input(program, uml::as_bytes("busy\n"));
  for (int question = 0; question < 20; ++question) {
    const base::Instant asked = base::now();
    CHECK(guest.sysctls().has("net.ipv4.tcp_retries2"));
    CHECK(base::now() - asked < 300ms);  // of virtual time
  }
}

TEST_CASE("vector registers outlive page faults, signals and other programs", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  // A copy into new memory has its bytes in such registers when the page fault comes.
  const std::string copies =
      "import os, signal\n"
      "signal.signal(signal.SIGALRM, lambda *_: None)\n"
      "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n"
      "data = os.urandom(1 << 22)\n"
      "print(all(bytearray(data) == data for _ in range(20)))\n";
  std::vector<pid_t> programs;
  for (int i = 0; i < 3; ++i) programs.push_back(lab.run("kang", {"python3", "-c", copies}));
  for (const pid_t program : programs) CHECK(lab.await_text("kang", program, "True\n", 60s));
}

TEST_CASE("a program may reserve more memory than its guest has", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run(
      "kang", {"python3", "-c", "import mmap; mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE); print(1)"});
  REQUIRE(lab.await_text("kang", program, "1\n"));
}

TEST_CASE("a daemon's output is heard after its parent's end", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run("kang", {"sh", "-c", "(sleep 5; echo late) & echo early"});
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(lab.text("kang", program) == "early\n");
  CHECK(lab.await_text("kang", program, "early\nlate\n"));
  CHECK(lab.await([&] { return lab.witness("kang").closed.size() == 2; }, 1s));
}

TEST_CASE("signals reach a program, its descendants and every program", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  auto& guest = lab.guest("kang");
  const auto start = [&](std::uint64_t mark, const std::string& script) {
    uml::ProgramStart program;
    program.command = {"sh", "-c", script};
    program.environment = {{"PATH", "/usr/bin:/bin"}};
    program.descriptors = {{1, uml::StreamKind::output}};
    program.mark.number = mark;
    return guest.programs().start(program);
  };
  const pid_t tree = start(1, "sleep 1000 & sleep 1000 & echo ready; wait");
  REQUIRE(lab.await_text("kang", tree, "ready"));
  CHECK(guest.programs().processes({1}).size() == 3);
  CHECK(guest.programs().sleeps(tree));
  CHECK_FALSE(guest.programs().ignores(tree, SIGINT));
  CHECK(guest.programs().signal_all({1}, SIGKILL) == 3);
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(tree); }, 10s));
  CHECK(WTERMSIG(lab.witness("kang").ends[tree]) == SIGKILL);
  CHECK(guest.programs().processes({1}).empty());
  CHECK_FALSE(guest.programs().signal(tree, SIGTERM));

  const pid_t deaf = start(2, "trap '' INT; echo ready; exec sleep 1000");
  REQUIRE(lab.await_text("kang", deaf, "ready"));
  CHECK(guest.programs().ignores(deaf, SIGINT));
  CHECK(guest.programs().signal(deaf, SIGINT));
  guest.programs().signal_every(SIGTERM);
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(deaf); }, 10s));
  CHECK(WTERMSIG(lab.witness("kang").ends[deaf]) == SIGTERM);
}

TEST_CASE("a guest has its own names, and cannot change the machine's files", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang", "kodos"});
  lab.guest("kang").files().write_resolver_file("nameserver 10.0.0.2\n");
  const pid_t program = lab.run(
      "kang", {"sh", "-c",
               "hostname; getent hosts kodos; cat /etc/resolv.conf; echo x > /tmp/mine; cat "
               "/tmp/mine; touch /etc/x; mount -o remount,rw / ; touch /usr/x; echo end"});
  REQUIRE(lab.await_text("kang", program, "end"));
  const std::string text = lab.witness("kang").outputs[{program, 1}];
  CHECK(text.starts_with("kang\n"));
  CHECK(text.find("kodos\n") != std::string::npos);
  CHECK(text.find("nameserver 10.0.0.2\nx\nend") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists("/etc/x"));
  INFO(lab.text("kang", program));
  CHECK_FALSE(std::filesystem::exists("/usr/x"));
}

TEST_CASE("times of a guest are those of the lab's clock", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const auto ask = [&] {
    const base::Instant before = base::now();
    const pid_t program = lab.run(
        "kang", {"python3", "-c",
                 "import time\nprint('now', time.clock_gettime_ns(time.CLOCK_MONOTONIC), 'x')"});
    REQUIRE(lab.await_text("kang", program, "x\n"));
    const std::string text = lab.text("kang", program);
    const base::Instant there =
        base::from_nanoseconds(std::stoll(text.substr(4))) + lab.guest("kang").time().offset();
    CHECK(there > before);
    CHECK(there < base::now());
  };
  ask();
  lab.await([] { return false; }, 7200s);  // two hours
  ask();
}

TEST_CASE("a guest that has just started says that it has run for ten seconds", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run("kang", {"cat", "/proc/uptime"});
  REQUIRE(lab.await_text("kang", program, "\n"));
  const double uptime = std::stod(lab.text("kang", program));
  CHECK(uptime > 10);
  CHECK(uptime < 60);
}

// While the clock stands still, what waits for time in the guest must not wait for ever.
TEST_CASE("the clock of a guest can be measured at any time", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const base::nanoseconds first = lab.guest("kang").time().offset();
  for (int count = 0; count < 10'000; ++count) {
    lab.guest("kang").time().measure(lab.guest("kang").kernel());
    REQUIRE(std::chrono::abs(lab.guest("kang").time().offset() - first) < 1us);
  }
}
