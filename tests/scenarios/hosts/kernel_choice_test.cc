#include "scenarios/engine/hosts/kernel_choice.hh"

#include <sys/stat.h>

#include <string>

#include "tests/catch.hh"
#include "tests/scenarios/workshop.hh"

using namespace tcplab;
using engine::choose_kernel;
using engine::release_of_kernel;

namespace {

const std::string kText =
    "Linux version %s (%s)\numl_dir=<directory>\nLinux version 6.1.176 (debian-kernel@x) #1\n";

std::string refusal(const std::string& on) {
  return tests::complaint([&] { choose_kernel(on); });
}

}  // namespace

TEST_CASE("the release of a kernel is in its banner, not in the text for a banner") {
  CHECK(release_of_kernel(kText) == "6.1.176");
}

TEST_CASE("a kernel that is not User-mode Linux has no release here") {
  CHECK(release_of_kernel("Linux version 6.1.176 (debian-kernel@x) #1\n").empty());
  CHECK(release_of_kernel("").empty());
}

TEST_CASE("a kernel with tracefs has tracepoints") {
  const tests::TemporaryFolder folder;
  const bool has_them = GENERATE(true, false);
  const std::string path =
      folder.write("linux", kText + (has_them ? std::string("trace_pipe_raw") : ""));
  ::chmod(path.c_str(), 0755);
  CHECK(choose_kernel(path).has_tracepoints == has_them);
}

TEST_CASE("the default is the running kernel") { CHECK(!choose_kernel("this").is_own()); }

TEST_CASE("a path names a kernel, and its text the release") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("linux", kText);
  ::chmod(path.c_str(), 0755);
  const engine::KernelChoice choice = choose_kernel(path);
  CHECK(choice.is_own());
  CHECK(choice.kernel == path);
  CHECK(choice.release == "6.1.176");
}

TEST_CASE("a kernel that nobody may execute is refused with the fix") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("linux", kText);
  CHECK(refusal(path) == "--on " + path + ": this file cannot be executed; chmod +x " + path);
}

TEST_CASE("--on refuses in one line what is no kernel") {
  CHECK(refusal("/nowhere/linux") ==
        "--on /nowhere/linux: no such file; give this, a version, or the path of a kernel (see "
        "tcplab kernels)");
  CHECK(refusal("/bin/true") == "--on /bin/true: this is not a User-mode Linux kernel");
  CHECK(refusal("/tmp") == "--on /tmp: this is not a User-mode Linux kernel");
  CHECK(refusal("1.2").starts_with("--on 1.2: no such kernel; there is this"));
  CHECK(refusal("6") == "--on 6: give two numbers, such as 6.1");
  const std::string long_name(300, 'x');
  CHECK(refusal(long_name + ",") == "--on " + long_name +
                                        ",: give one kernel; to compare several: tcplab matrix "
                                        "--on " +
                                        long_name + ",");
  CHECK(refusal("6.1,6.12") ==
        "--on 6.1,6.12: give one kernel; to compare several: tcplab matrix --on 6.1,6.12");
}
