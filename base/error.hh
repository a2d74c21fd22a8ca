// How things go wrong in the lab itself. A LabError names the attempt that failed;
// it is caught once, in main. What goes wrong on the network under study is never an
// exception: it is a value, recorded unchanged.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tcplab::base {

/// The lab broke: no privilege, netlink refused, a file could not be written.
class LabError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The user's input is wrong: an option, a script, a filter. One line: what, where, the mend.
class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A system call that the lab itself needed has failed.
class SystemError : public LabError {
public:
  SystemError(std::string_view attempt, int error);
  int error() const { return error_; }

private:
  int error_;
};

/// Returns `result` unless it is -1, else throws SystemError("cannot <attempt>: ... (ENAME)").
/// `attempt` completes the sentence "cannot ...".
int check(std::string_view attempt, int result);
long check(std::string_view attempt, long result);

/// "ECONNRESET" for ECONNRESET (errno(3)); "errno 4711" for a number without a name; "0" for 0.
std::string errno_name(int error);

/// The number of "ECONNRESET"; 0 for a name that this system does not have.
int errno_number(std::string_view name);

/// "SIGPIPE" for SIGPIPE (signal(7)); "signal 77" for a number without a name.
std::string signal_name(int signal);

/// The number of "SIGPIPE" or "PIPE"; 0 for a name that this system does not have.
int signal_number(std::string_view name);

}  // namespace tcplab::base
