// --repl: one command, one system call, so that a person or a script decides exactly which calls
// happen. Commands come on standard input; each prints its result on standard output, as one line
// "read = 5 "hello"", and is recorded like every other call. Reading commands is not recorded.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dnc/calls/calls.hh"
#include "dnc/log/console.hh"
#include "dnc/netcat/opening.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class Repl : Stateful {
public:
  struct Command {
    std::string_view name;
    std::string_view arguments;  // for help
    std::string_view help;
    std::size_t fewest = 0;  // arguments
    std::size_t most = 0;
    std::string (Repl::*run)(const Words& arguments);
  };
  static std::span<const Command> commands();

  Repl(const Options& options, Recorder& recorder);

  /// Set-up, if the command line names an address; then commands until the end or `quit`.
  /// Returns the exit status: 2 when a command was wrong and nobody was there to see it.
  int run();

  /// One line. Returns what to print, newline included. Throws base::UsageError.
  std::string execute(std::string_view line);

private:
  void describe_state(ArgumentText& into) const override;
  bool set_up();
  void execute_and_print(const std::string& line);
  int socket() const;  // the one that commands are about
  void add(int fd);
  void remove(int fd);
  void choose_last() { current_ = sockets_.empty() ? -1 : sockets_.back(); }
  std::vector<SocketAddress> resolve_for_socket(const Words& host_and_port) const;

  std::string do_socket(const Words& arguments);
  std::string do_bind(const Words& arguments);
  std::string do_listen(const Words& arguments);
  std::string do_accept(const Words& arguments);
  std::string do_connect(const Words& arguments);
  std::string do_poll(const Words& arguments);
  std::string do_read(const Words& arguments);
  std::string do_write(const Words& arguments);
  std::string do_fill(const Words& arguments);
  std::string do_recv(const Words& arguments);
  std::string do_send(const Words& arguments);
  std::string do_shutdown(const Words& arguments);
  std::string do_close(const Words& arguments);
  std::string do_dup(const Words& arguments);
  std::string do_pass(const Words& arguments);
  std::string do_take(const Words& arguments);
  std::string do_fork(const Words& arguments);
  std::string do_kill(const Words& arguments);
  std::string do_disconnect(const Words& arguments);
  std::string do_ioctl(const Words& arguments);
  std::string do_limit(const Words& arguments);
  std::string do_drop(const Words& arguments);
  std::string do_use(const Words& arguments);
  std::string do_getsockopt(const Words& arguments);
  std::string do_setsockopt(const Words& arguments);
  std::string do_nonblock(const Words& arguments);
  std::string do_info(const Words& arguments);
  std::string do_help(const Words& arguments);
  std::string do_quit(const Words& arguments);

  const Options& options_;
  Recorder& recorder_;
  Calls calls_;
  Opening opening_;
  std::atomic<int> current_ = -1;            // for describe_state()
  std::vector<int> sockets_;                 // and what is used as one; the last is the socket
  std::vector<SocketAddress> last_address_;  // that connect was given
  std::vector<char> buffer_;
  std::vector<int> children_;              // of fork, until they are killed
  std::array<int, 2> channel_ = {-1, -1};  // the Unix socket that descriptors are passed through
  bool quit_ = false;
  bool wrong_command_ = false;
};

}  // namespace tcplab::dnc
