#include "uml/guest_programs.hh"

#include <sstream>

namespace tcplab::uml {

pid_t GuestPrograms::start(const ProgramStart& program) {
  if (kernel_.view() != nullptr) kernel_.view()->refresh();
  return static_cast<pid_t>(kernel_.ask_number(Kind::start, write_payload(program)));
}

void GuestPrograms::input(pid_t program, Bytes bytes) {
  kernel_.ask(Kind::input, numbers({as_number(program)}).rest(bytes).payload());
}

void GuestPrograms::close_input(pid_t program) {
  kernel_.ask(Kind::close_input, numbers({as_number(program)}).payload());
}

int GuestPrograms::ask_tracer(const std::string& request) {
  return static_cast<int>(kernel_.ask_number(Kind::trace, PayloadWriter().text(request).payload()));
}

bool GuestPrograms::signal(pid_t process, int signal) {
  return kernel_.ask_number(Kind::signal,
                            numbers({as_number(process), as_number(signal)}).payload()) != 0;
}

std::size_t GuestPrograms::signal_all(netns::ProcessMark mark, int signal) {
  return kernel_.ask_number(Kind::signal_all, numbers({mark.number, as_number(signal)}).payload());
}

void GuestPrograms::signal_every(int signal) {
  kernel_.ask(Kind::signal_every, numbers({as_number(signal)}).payload());
}

std::vector<pid_t> GuestPrograms::processes(netns::ProcessMark mark) {
  const Message answer = kernel_.ask(Kind::processes, numbers({mark.number}).payload());
  std::vector<pid_t> pids;
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    pids.push_back(each.as<pid_t>());
  });
  return pids;
}

std::vector<std::uint32_t> GuestPrograms::sockets(const std::vector<pid_t>& processes) {
  PayloadWriter to;
  to.list(processes, [](PayloadWriter& list, pid_t pid) { list.number(as_number(pid)); });
  const Message answer = kernel_.ask(Kind::sockets, to.payload());
  std::vector<std::uint32_t> inodes;
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    inodes.push_back(each.as<std::uint32_t>());
  });
  return inodes;
}

bool GuestPrograms::ignores(pid_t process, int signal) {
  try {
    std::istringstream lines(files_.read("/proc/" + std::to_string(process) + "/status"));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("SigIgn:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  } catch (const Refusal&) {
    // It has ended.
  }
  return false;
}

bool GuestPrograms::sleeps(pid_t process) {
  try {
    const std::string line = files_.read("/proc/" + std::to_string(process) + "/stat");
    const auto name_end = line.rfind(')');  // the name may contain parentheses
    return name_end != std::string::npos && name_end + 2 < line.size() && line[name_end + 2] == 'S';
  } catch (const Refusal&) {
    return false;
  }
}

}  // namespace tcplab::uml
