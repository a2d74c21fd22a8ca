#include "lab/hosts/kernel_machine.hh"

#include <linux/netlink.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.hh"
#include "lab/hosts/blame_script.hh"

namespace tcplab::lab {

namespace {

/// Returns the whole environment of a program.
netns::Environment environment_of(const netns::SpawnRequest& request) {
  netns::Environment all = request.environment;
  for (char** each = environ; request.inherits_environment && *each != nullptr; ++each) {
    const std::string line = *each;
    const auto equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    if (std::ranges::find(request.environment, name, &netns::Environment::value_type::first) ==
        request.environment.end())
      all.emplace_back(name, line.substr(equals + 1));
  }
  return all;
}

uml::ProgramStart program_of(const netns::SpawnRequest& request) {
  uml::ProgramStart program{.command = request.command,
                            .environment = environment_of(request),
                            .privileges = request.privileges,
                            .user_namespaces = request.user_namespaces,
                            .user = request.user,
                            .folder = request.folder,
                            .limits = request.limits,
                            .mark = request.mark,
                            .has_terminal = request.has_terminal,
                            .descriptors = {},
                            .trace = {}};
  for (const auto& [target, ours] : request.descriptors)
    program.descriptors[target] =
        target == STDIN_FILENO ? uml::StreamKind::input : uml::StreamKind::output;
  if (request.has_terminal) program.descriptors.erase(STDERR_FILENO);
  if (request.tracing) program.trace = request.tracing->requests;
  return program;
}

}  // namespace

/// An answer is newer than those of the frames that the host has sent before, and that wait here.
class KernelMachine::SocketQuestions : public base::KernelQuestions {
public:
  explicit SocketQuestions(KernelMachine& machine)
      : machine_(machine), questions_(machine.guest().questions(NETLINK_SOCK_DIAG)) {}

  void send(base::Bytes request) override {
    questions_->send(request);
    machine_.forget_older_answers();
  }

  base::Bytes receive() override { return questions_->receive(); }

private:
  KernelMachine& machine_;
  std::unique_ptr<base::KernelQuestions> questions_;
};

KernelMachine::KernelMachine(boost::asio::io_context& loop, netns::HostConfig config,
                             std::unique_ptr<uml::Guest> guest)
    : loop_(loop),
      config_(std::move(config)),
      guest_(std::move(guest)),
      agent_(*guest_),
      waiting_(loop) {
  ports_.reserve(config_.nics.size());
  for (std::size_t nic = 0; nic < config_.nics.size(); ++nic)
    ports_.push_back(std::make_unique<KernelPort>(*guest_, nic, latest_));
  destroyed_ = std::make_shared<NewsQueue>();
  guest_->set_listener(this);
  waiting_.assign(guest_->descriptor());
  listen();
}

KernelMachine::~KernelMachine() { power_off(); }

uml::Guest& KernelMachine::guest() const {
  if (!guest_) throw base::LabError(config_.name + ": the host has no power");
  return *guest_;
}

void KernelMachine::listen() {
  waiting_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [this](const boost::system::error_code& error) {
                        if (error) return;
                        guest_->receive();
                        listen();
                      });
}

netns::Port& KernelMachine::port(const std::string& nic) {
  for (std::size_t i = 0; i < ports_.size(); ++i)
    if (config_.nics[i].name == nic) return *ports_[i];
  throw base::LabError("host " + config_.name + " has no NIC " + nic + ", or has no power");
}

std::unique_ptr<base::KernelQuestions> KernelMachine::ask_sockets() {
  return std::make_unique<SocketQuestions>(*this);
}

void KernelMachine::forget_older_answers() {
  guest().receive();
  for (const auto& port : ports_) port->forget_answers();
}

std::unique_ptr<base::KernelNews> KernelMachine::hear_destroyed() { return read_news(destroyed_); }

std::optional<netns::FrameAnswer> KernelMachine::frame_answer() const {
  if (!latest_.local) return std::nullopt;
  return netns::FrameAnswer{
      *latest_.local, *latest_.remote, {latest_.answers.begin(), latest_.answers.end()}};
}

std::unique_ptr<netns::RunningProgram> KernelMachine::start(const netns::SpawnRequest& request) {
  auto process = std::make_shared<GuestProcess>(loop_, request);
  const pid_t pid = guest().programs().start(program_of(request));
  process->started(*guest_, pid);
  programs_[pid] = process;
  return std::make_unique<KernelProgram>(process);
}

void KernelMachine::signal_programs(int signal) { guest().programs().signal_every(signal); }

std::unique_ptr<base::KernelQuestions> KernelMachine::ask_network(const std::string& /*attempt*/) {
  return guest().questions(NETLINK_ROUTE);
}

void KernelMachine::write_resolver_file(const std::string& text) {
  guest().files().write_resolver_file(text);
}

void KernelMachine::write_private_file(const netns::PrivateFile& file) {
  blame_script([&] { guest().files().write_private(file); });
}

void KernelMachine::power_off() {
  if (!guest_) return;
  guest_->set_listener(nullptr);
  guest_->power_off();
  waiting_.release();  // the descriptor belongs to the guest
  ports_.clear();
  latest_ = {};
  for (auto& [pid, program] : std::exchange(programs_, {})) program->lost_power();
  agent_.lost_power();
  guest_.reset();
}

netns::MachineAgent& KernelMachine::agent() {
  guest();  // throws without power
  return agent_;
}

void KernelMachine::frame(std::size_t nic, base::Instant sent, base::Bytes frame,
                          base::Bytes answer) {
  ports_.at(nic)->sent(sent, frame, answer);
}

void KernelMachine::output(pid_t program, int descriptor, base::Bytes bytes) {
  if (const auto found = programs_.find(program); found != programs_.end())
    found->second->wrote(descriptor, bytes);
}

void KernelMachine::output_end(pid_t program, int descriptor) {
  if (const auto found = programs_.find(program); found != programs_.end())
    found->second->closed(descriptor);
}

void KernelMachine::ended(pid_t program, int wait_status) {
  if (const auto found = programs_.find(program); found != programs_.end())
    found->second->ended(wait_status);
}

void KernelMachine::dns_query(bool is_tcp, base::Bytes asker, base::Bytes query) {
  agent_.dns_query(is_tcp, asker, query);
}

void KernelMachine::destroyed(base::Bytes messages) { destroyed_->add(messages); }

}  // namespace tcplab::lab
