#include "base/limits.hh"

#include <sys/resource.h>

#include <cerrno>

namespace tcplab::base {

namespace {

std::string limit_now(__rlimit_resource resource) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur);
}

}  // namespace

std::string limit_of_files(int error) {
  if (error == EMFILE)
    return "; the limit of open files is " + limit_now(RLIMIT_NOFILE) +
           "; raise it with: ulimit -n 4096";
  if (error == ENFILE) return "; the machine's limit of open files is reached: sysctl fs.file-max";
  return "";
}

std::string limit_of_processes(int error) {
  if (error != EAGAIN) return "";
  return "; the limit of processes is reached: that of the user (ulimit -u) is " +
         limit_now(RLIMIT_NPROC) + ", and that of a container is pids.max of its control group; " +
         "end other processes, raise the limit, or run fewer at once: --jobs 1";
}

}  // namespace tcplab::base
