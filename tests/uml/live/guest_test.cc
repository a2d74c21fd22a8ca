#include "uml/guest.hh"

#include <chrono>

#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using tests::GuestLab;
using namespace std::chrono_literals;

namespace {

const std::string kDnc =
    std::string(std::getenv("TCPLAB_BIN") ? std::getenv("TCPLAB_BIN") : "") + "/dnc";

}  // namespace

TEST_CASE("a guest runs a program, and tells its output and its end", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program =
      lab.run("kang", {"sh", "-c", "echo out; echo err >&2; read x; echo got $x; exit 7"});
  CHECK(lab.await_text("kang", program, "out\n"));
  lab.guest("kang").input(program, uml::as_bytes("hello\n"));
  CHECK(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(lab.witness("kang").outputs[{program, 1}] == "out\ngot hello\n");
  CHECK(lab.witness("kang").outputs[{program, 2}] == "err\n");
  CHECK(WEXITSTATUS(lab.witness("kang").ends[program]) == 7);
}

TEST_CASE("a program that does not exist cannot start", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  CHECK_THROWS_WITH(lab.run("kang", {"no-such-program"}),
                    "kang: cannot run no-such-program: No such file or directory (ENOENT)");
  CHECK_THROWS_WITH(lab.guest("kang").write_sysctl("net.ipv4.no_such", "1"),
                    Catch::Matchers::Contains("cannot set sysctl net.ipv4.no_such to 1: "));
  CHECK(lab.guest("kang").has_sysctl("net.ipv4.tcp_retries2"));
  CHECK_FALSE(lab.guest("kang").has_sysctl("net.ipv4.no_such"));
  lab.guest("kang").write_sysctl("net.ipv4.tcp_retries2", "3");
  CHECK(lab.guest("kang").read_sysctl("net.ipv4.tcp_retries2") == "3");
}

TEST_CASE("a peer without power costs fifteen minutes, in seconds", "[guest]") {
  SKIP_IF(tests::no_guests());
  const auto family = GENERATE(base::Family::ipv4, base::Family::ipv6);
  GuestLab lab({"kang", "kodos", "idle"});
  const pid_t server = lab.run("kodos", {kDnc, "-l", "8080"});
  REQUIRE(lab.await_text("kodos", server, "listen"));
  const pid_t client = lab.run("kang", {kDnc, lab.address("kodos", family).to_string(), "8080"});
  REQUIRE(lab.await_text("kang", client, "connect"));
  lab.guest("kang").input(client, uml::as_bytes("hello\n"));
  REQUIRE(lab.await_text("kodos", server, "hello"));
  lab.cut_power("kodos");
  const base::Instant cut = base::now();
  lab.guest("kang").input(client, uml::as_bytes("anybody?\n"));
  const auto started = std::chrono::steady_clock::now();
  const bool timed_out = lab.await_text("kang", client, "ETIMEDOUT", 1200s);
  INFO(lab.text("kang", client));
  CHECK(timed_out);
  const auto lasted = std::chrono::duration<double>(base::now() - cut).count();
  const auto wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  CHECK(lasted > 924);  // tcp_retries2=15: RFC 1122's 924.6 s, and more
  CHECK(lasted < 924.6 * 1.125);
  CHECK(wall < 30);
  WARN(lasted << " s in " << wall << " s, " << lab.skips << " skips");
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
  const int n = 30;
  for (int i = 0; i < n; ++i) {
    const pid_t client = lab.run("kang", {"python3", "-c",
                                          "import socket\n"
                                          "socket.create_connection(('10.0.0.2', 8080)).close()"});
    REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(client); }, 60s));
    REQUIRE(lab.await([&] { return lab.times_seen("kodos", kLastAck) == i + 1; }, 5s));
    REQUIRE(lab.await([&] { return lab.times_seen("kang", kTimeWait) >= i + 1; }, 5s));
  }
  CHECK(lab.times_seen("kodos", kCloseWait) == n);
}
