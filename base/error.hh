// Exceptions for failures of the lab itself. Each names the attempt that failed, and main()
// catches it. A failure on the network under study is never an exception: it is a recorded value.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tcplab::base {

/// The lab broke: a missing privilege, a netlink error, a file that cannot be written.
class LabError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The user's input is wrong: an option, a script, a filter. The text is one line: what is wrong,
/// where, and how to fix it.
class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A system call of the lab itself failed.
class SystemError : public LabError {
public:
  SystemError(std::string_view attempt, int error);
  int error() const { return error_; }

private:
  int error_;
};

/// Returns `result`. Throws SystemError("cannot <attempt>: ... (ENAME)") if it is -1.
int check(std::string_view attempt, int result);
long check(std::string_view attempt, long result);

/// Returns the name of an errno (errno(3)): "ECONNRESET"; "0" for 0. Returns "errno 4711" for a
/// number without a name.
std::string errno_name(int error);

/// Returns the errno with this name; 0 if this system has none.
int errno_number(std::string_view name);

/// Returns the name of a signal (signal(7)): "SIGPIPE"; "signal 77" for a number without a name.
std::string signal_name(int signal);

/// Returns the signal named "SIGPIPE" or "PIPE"; 0 if this system has none.
int signal_number(std::string_view name);

}  // namespace tcplab::base
