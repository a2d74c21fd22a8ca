#include "lab/hosts/kernel_choice.hh"

#include <sys/stat.h>

#include <string>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using lab::choose_kernel;
using lab::release_of_kernel;

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
  const lab::KernelChoice choice = choose_kernel(path);
  CHECK(choice.is_own());
  CHECK(choice.kernel == path);
  CHECK(choice.release == "6.1.176");
}

TEST_CASE("a kernel that nobody may execute is refused with the fix") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("linux", kText);
  CHECK(refusal(path) == "--kernel " + path + ": this file cannot be executed; chmod +x " + path);
}

TEST_CASE("--kernel refuses in one line what is no kernel") {
  CHECK(refusal("/nowhere/linux") ==
        "--kernel /nowhere/linux: no such file; give this, a version, or the path of a kernel (see "
        "tcplab kernels)");
  CHECK(refusal("/bin/true") == "--kernel /bin/true: this is not a User-mode Linux kernel");
  CHECK(refusal("/tmp") == "--kernel /tmp: this is not a User-mode Linux kernel");
  CHECK(refusal("1.2").starts_with("--kernel 1.2: no such kernel; there is this"));
  CHECK(refusal("6") == "--kernel 6: give two numbers, such as 6.1");
  const std::string long_name(300, 'x');
  CHECK(refusal(long_name + ",") == "--kernel " + long_name +
                                        ",: give one kernel; to compare several: tcplab matrix "
                                        "--kernel " +
                                        long_name + ",");
  CHECK(refusal("6.1,6.12") ==
        "--kernel 6.1,6.12: give one kernel; to compare several: tcplab matrix --kernel 6.1,6.12");
}
