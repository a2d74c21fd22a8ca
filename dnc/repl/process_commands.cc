#include "dnc/repl/process_commands.hh"

#include <climits>

#include "base/error.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

std::string ProcessCommands::fork(const Words&) {
  const CallResult answer = calls_.fork(sockets_.all(), options_.keep_children);
  if (!answer.failed()) children_.push_back(static_cast<int>(answer.result));
  return answer_text("fork", answer);
}

std::string ProcessCommands::kill(const Words&) {
  if (children_.empty()) throw base::UsageError("there is no child; use 'fork' first");
  const int child = children_.back();
  children_.pop_back();
  return answer_text("kill", calls_.kill(child));
}

std::string ProcessCommands::limit(const Words& arguments) {
  return answer_text("setrlimit", calls_.limit_descriptors(parse_number(arguments[0], 0, INT_MAX)));
}

std::string ProcessCommands::drop(const Words&) {
  return answer_text("capset", calls_.drop_capabilities());
}

}  // namespace tcplab::dnc
