#include "base/kernel_version.hh"

#include "tests/catch.hh"

using namespace tcplab::base;

TEST_CASE("a version of Linux has two or three numbers") {
  CHECK(parse_kernel_version("6.5") == KernelVersion{6, 5, 0});
  CHECK(parse_kernel_version("6.1.60") == KernelVersion{6, 1, 60});
  for (const char* wrong :
       {"", "6", "6.", "6.5.", "6.5.1.2", "v6.5", "6.5-rc1", " 6.5", "6,5", "99999999999.1"})
    CHECK(parse_kernel_version(wrong) == std::nullopt);
}

TEST_CASE("a release begins with a version") {
  CHECK(version_of_release("6.1.176") == KernelVersion{6, 1, 176});
  CHECK(version_of_release("6.12.0-18-amd64") == KernelVersion{6, 12, 0});
  CHECK(version_of_release("6.18-custom") == KernelVersion{6, 18, 0});
  CHECK(version_of_release("unknown") == KernelVersion{});
}

TEST_CASE("versions are compared as numbers, not as text") {
  CHECK(KernelVersion{6, 12} > KernelVersion{6, 5});
  CHECK(KernelVersion{6, 1, 60} > KernelVersion{6, 1});
  CHECK(KernelVersion{7, 0} > KernelVersion{6, 99, 99});
}
