// --repl: reads commands from standard input. Each command makes one system call, so that a person
// or a script decides exactly which calls happen. It prints the result as one line on standard
// output: "read = 5 "hello"". The calls are recorded as usual; reading the commands is not.
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
    std::size_t min_arguments = 0;
    std::size_t max_arguments = 0;
    std::string (Repl::*run)(const Words& arguments);
  };
  static std::span<const Command> commands();

  Repl(const Options& options, Recorder& recorder);

  /// Makes the connection if the command line has an address, then runs commands until the end of
  /// input or `quit`. Returns the exit status: 2 if a command was wrong and standard input is not a
  /// terminal.
  int run();

  /// Runs one line. Returns what to print, with the newline. Throws base::UsageError.
  std::string execute(std::string_view line);

private:
  void describe_state(ArgumentText& into) const override;
  bool set_up();
  void execute_and_print(const std::string& line);
  int socket() const;  // the selected socket, which commands act on
  void add(int fd);
  void remove(int fd);
  void select_last() { current_ = sockets_.empty() ? -1 : sockets_.back(); }
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
  std::atomic<int> current_ = -1;  // the selected socket, for describe_state()
  std::vector<int> sockets_;       // all that `use` or a call gave us; the last is selected
  std::vector<SocketAddress> last_address_;  // of the last connect
  std::vector<char> buffer_;
  std::vector<int> children_;              // from fork, until kill
  std::array<int, 2> channel_ = {-1, -1};  // the Unix socket pair of pass and take
  bool quit_ = false;
  int status_ = 0;  // of the commands so far
};

}  // namespace tcplab::dnc
