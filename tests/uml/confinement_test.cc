// The filter of system calls by itself. The machine's kernel asks it before Landlock, whose error
// is EACCES: so an EPERM here holds on machines whose Landlock is older than this one's, or absent.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/catch.hh"
#include "tests/workshop.hh"
#include "uml/clock_page.hh"

using namespace tcplab;

namespace {

enum Attempt : std::uint8_t { read_it, truncate_it, empty_it, change_flags, open_by_struct, count };
using Errors = std::array<int, Attempt::count>;

int error_of(long result) { return result == -1 ? errno : 0; }

/// Confines this process without a view, as on a machine without namespaces, and tries each.
void try_all(const std::string& library, const char* path, Errors& errors) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  ::setenv(uml::kConfinedVariable, "1", 1);
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) return;
  int flags = FS_NOATIME_FL;
  // From Linux 5.6: struct open_how (linux/openat2.h).
  const std::array<std::uint64_t, 3> how = {O_RDONLY | O_TRUNC, 0, 0};
  errors[read_it] = error_of(::open(path, O_RDONLY | O_CLOEXEC));
  errors[truncate_it] = error_of(::truncate(path, 0));
  errors[empty_it] = error_of(::open(path, O_RDONLY | O_TRUNC | O_CLOEXEC));
  errors[change_flags] = error_of(::ioctl(file, FS_IOC_SETFLAGS, &flags));
  errors[open_by_struct] = error_of(::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

/// Returns the errno of each attempt; 0 if it succeeded, -1 if it was not made.
Errors errors_of_confined(const std::string& path) {
  const std::string library = std::string(std::getenv("TCPLAB_RELEASE_BIN")) + "/tcplab-guest.so";
  void* memory =
      ::mmap(nullptr, sizeof(Errors), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  Errors& errors = *static_cast<Errors*>(memory);
  errors.fill(-1);
  const pid_t child = ::fork();
  if (child == 0) {
    try_all(library, path.c_str(), errors);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const Errors result = errors;
  ::munmap(memory, sizeof(Errors));
  return result;
}

}  // namespace

TEST_CASE("the filter keeps a kernel without mounts of its own from emptying files") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("kept", "of the machine");
  ::chmod(path.c_str(), 0666);
  ::chmod(folder.path().c_str(), 0755);
  const Errors errors = errors_of_confined(path);
  CHECK(errors[read_it] == 0);
  CHECK(errors[truncate_it] == EPERM);
  CHECK(errors[empty_it] == EPERM);
  CHECK(errors[change_flags] == ENOTTY);
  CHECK(errors[open_by_struct] == ENOSYS);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK(status.st_size == 14);
}
