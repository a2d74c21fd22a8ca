// --repl: reads commands from standard input. Each command makes one system call, so that a person
// or a script decides exactly which calls happen. It prints the result as one line on standard
// output: "read = 5 "hello"". The calls are recorded as usual; reading the commands is not.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "dnc/calls/calls.hh"
#include "dnc/log/console.hh"
#include "dnc/netcat/opening.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/connection_commands.hh"
#include "dnc/repl/descriptor_commands.hh"
#include "dnc/repl/option_commands.hh"
#include "dnc/repl/process_commands.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"
#include "dnc/repl/transfer_commands.hh"

namespace tcplab::dnc {

class Repl : Stateful {
public:
  struct Command {
    std::string_view name;
    std::string_view arguments;  // for help
    std::string_view help;
    std::size_t min_arguments = 0;
    std::size_t max_arguments = 0;
    std::string (*run)(Repl& repl, const Words& arguments);
  };
  static std::span<const Command> commands() { return kCommands; }

  Repl(const Options& options, Recorder& recorder);

  /// Makes the connection if the command line has an address, then runs commands until the end of
  /// input or `quit`. Returns the exit status: 2 if a command was wrong and standard input is not a
  /// terminal.
  int run();

  /// Runs one line. Returns what to print, with the newline. Throws base::UsageError.
  std::string execute(std::string_view line);

private:
  static const std::array<Command, 31> kCommands;  // in the order of the help

  void describe_state(ArgumentText& into) const override;
  bool set_up();
  void execute_and_print(const std::string& line);

  std::string do_help(const Words& arguments);
  std::string do_quit(const Words& arguments);

  const Options& options_;
  Recorder& recorder_;
  Calls calls_;
  Opening opening_;
  ReplSockets sockets_;
  ConnectionCommands connection_{options_, calls_, sockets_};
  TransferCommands transfer_{options_, calls_, MessageCalls(recorder_), sockets_};
  DescriptorCommands descriptors_{calls_, sockets_};
  ProcessCommands process_{options_, calls_, sockets_};
  OptionCommands socket_options_{calls_, sockets_};
  bool quit_ = false;
  int status_ = 0;  // of the commands so far
};

}  // namespace tcplab::dnc
