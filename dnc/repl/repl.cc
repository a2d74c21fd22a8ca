#include "dnc/repl/repl.hh"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "base/error.hh"
#include "dnc/netcat/netcat.hh"
#include "dnc/repl/line_reader.hh"

namespace tcplab::dnc {

namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

const Repl::Command& find_command(const std::string& name) {
  const auto commands = Repl::commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&name](const auto& command) { return command.name == name; });
  if (found == commands.end())
    throw base::UsageError("no command '" + name + "'; 'help' lists the commands");
  return *found;
}

std::string usage(const Repl::Command& command) {
  return fmt::format("{}{}{}", command.name, command.arguments.empty() ? "" : " ",
                     command.arguments);
}

constexpr int kWrongCommand = 2;

}  // namespace

Repl::Repl(const Options& options, Recorder& recorder)
    : options_(options), recorder_(recorder), calls_(recorder), opening_(options, calls_) {}

int Repl::run() {
  if (!set_up()) return kFailed;
  const bool person = ::isatty(STDIN_FILENO) != 0;
  const StateReportGuard guard(*this);
  LineReader lines(STDIN_FILENO);
  while (!quit_) {
    if (person) print("dnc> ");
    recorder_.flush();
    const auto line = lines.next();
    if (!line) break;
    execute_and_print(*line);
  }
  return person ? 0 : status_;
}

void Repl::describe_state(ArgumentText& into) const {
  into << "reading commands";
  if (const int fd = sockets_.selected_now(); fd >= 0) into << " for fd " << fd;
  into << "; " << static_cast<std::int64_t>(recorder_.calls()) << " calls";
}

bool Repl::set_up() {
  if (!options_.has_address()) return true;
  const auto address = resolve_address(options_, options_.port);
  connection_.set_last_address(address);
  const auto first = options_.listen ? opening_.listen(address) : opening_.connect(address);
  if (!first) return false;
  sockets_.add(*first);
  if (!options_.listen || options_.no_accept) return true;
  const auto accepted = accept_connection(calls_, *first);
  if (!accepted || !opening_.prepare_accepted(*accepted)) return false;
  sockets_.add(*accepted);
  return true;
}

void Repl::execute_and_print(const std::string& line) {
  try {
    print(execute(line));
  } catch (const UnknownHost& unknown) {
    status_ = std::max(status_, kFailed);
    print_message(unknown.what());
  } catch (const base::UsageError& wrong) {
    status_ = kWrongCommand;
    print_message(wrong.what());
  }
}

std::string Repl::execute(std::string_view line) {
  Words words = split_words(line);
  if (words.empty()) return "";
  const Command& command = find_command(words.front());
  words.erase(words.begin());
  if (words.size() < command.min_arguments || words.size() > command.max_arguments)
    throw base::UsageError("wrong number of arguments; usage: " + usage(command));
  return command.run(*this, words);
}

std::string Repl::do_help(const Words&) {
  std::string text;
  for (const Command& command : commands())
    text += fmt::format("  {:<28} {}\n", usage(command), command.help);
  return text;
}

std::string Repl::do_quit(const Words&) {
  quit_ = true;
  return "";
}

}  // namespace tcplab::dnc
