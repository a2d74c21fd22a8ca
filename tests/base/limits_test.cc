#include "base/limits.hh"

#include <cerrno>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using Catch::Matchers::Contains;

TEST_CASE("an error of too many descriptors names the limit") {
  CHECK_THAT(base::SystemError("make a pipe", EMFILE).what(),
             Contains("(EMFILE); the limit of open files is ") && Contains("ulimit -n"));
  CHECK_THAT(base::SystemError("make a pipe", ENFILE).what(), Contains("fs.file-max"));
  CHECK(base::limit_of_files(EACCES).empty());
}

TEST_CASE("an error of too many processes names the limits") {
  CHECK_THAT(base::limit_of_processes(EAGAIN), Contains("ulimit -u") && Contains("pids.max"));
  CHECK(base::limit_of_processes(EPERM).empty());
}
