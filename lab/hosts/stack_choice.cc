#include "lab/hosts/stack_choice.hh"

#include <unistd.h>

#include <algorithm>

#include "base/error.hh"
#include "base/own_part.hh"

namespace tcplab::lab {

namespace fs = std::filesystem;

std::string known_stack_names() {
  std::string names;
  for (const KnownStack& stack : known_stacks()) names += (names.empty() ? "" : ", ") + stack.name;
  return names;
}

bool is_known_stack(const std::string& name) {
  return std::ranges::find(known_stacks(), name, &KnownStack::name) != known_stacks().end();
}

const std::vector<KnownStack>& known_stacks() {
  static const std::vector<KnownStack> kStacks = {
      {"lwip", "lwIP, as Debian's liblwip is configured"},
      {"gvisor", "gVisor's netstack, as runsc sets it"},
      {"slirp", "libslirp, of QEMU's user networking", false},
  };
  return kStacks;
}

fs::path built_stack(const std::string& name) {
  const fs::path cache = base::own_cache_folder();
  return cache.empty() ? cache : cache / "stacks" / name;
}

std::string program_of(const std::string& command) {
  const char first = command.empty() ? ' ' : command.front();
  if (first == '\'' || first == '"') return command.substr(1, command.find(first, 1) - 1);
  return command.substr(0, command.find(' '));
}

StackChoice choose_stack(const std::string& what) {
  if (!is_known_stack(what))
    return {.name = fs::path(program_of(what)).filename().string(), .command = what};
  const fs::path program = built_stack(what);
  if (program.empty() || ::access(program.c_str(), X_OK) != 0)
    throw base::UsageError("--stack: " + what + " is not built; run tcplab stacks build " + what);
  const auto known = std::ranges::find(known_stacks(), what, &KnownStack::name);
  return {.name = what, .command = program.string(), .has_lab_clock = known->has_lab_clock};
}

std::map<std::string, StackChoice> choose_stacks(const std::vector<std::string>& values) {
  std::map<std::string, StackChoice> stacks;
  for (const std::string& value : values) {
    const auto equals = value.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == value.size())
      throw base::UsageError("--stack " + value + ": write HOST=STACK, as in kodos=lwip or " +
                             "kodos='./mystack --fast' (stacks: " + known_stack_names() + ")");
    const std::string host = value.substr(0, equals);
    if (stacks.contains(host)) throw base::UsageError("--stack: " + host + " has two stacks");
    stacks[host] = choose_stack(value.substr(equals + 1));
  }
  return stacks;
}

void require_lab_clock(std::map<std::string, StackChoice>& stacks) {
  for (auto& [host, stack] : stacks) {
    const auto known = std::ranges::find(known_stacks(), stack.name, &KnownStack::name);
    const bool is_built =
        known != known_stacks().end() && stack.command == built_stack(known->name);
    if (is_built && !known->has_lab_clock)
      throw base::UsageError("--clock virtual: " + stack.name +
                             " has this machine's TCP behind it, whose time is real");
    stack.has_lab_clock = true;
  }
}

}  // namespace tcplab::lab
