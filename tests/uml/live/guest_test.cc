#include "uml/guest.hh"

#include <chrono>

#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using tests::GuestLab;
using namespace std::chrono_literals;

namespace {

const std::string kDnc = std::string(std::getenv("TCPLAB_BIN") ? std::getenv("TCPLAB_BIN") : "") + "/dnc";

}  // namespace

TEST_CASE("a guest runs a program, and tells its output and its end", "[guest]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run("kang", {"sh", "-c", "echo out; echo err >&2; read x; echo got $x; exit 7"});
  CHECK(lab.await_text("kang", program, "out\n"));
  lab.guest("kang").input(program, uml::as_bytes("hello\n"));
  CHECK(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 10s));
  CHECK(lab.witness("kang").outputs[{program, 1}] == "out\ngot hello\n");
  CHECK(lab.witness("kang").outputs[{program, 2}] == "err\n");
  CHECK(WEXITSTATUS(lab.witness("kang").ends[program]) == 7);
}
