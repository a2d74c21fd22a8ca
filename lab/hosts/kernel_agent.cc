#include "lab/hosts/kernel_agent.hh"

#include "lab/hosts/blame_script.hh"

namespace tcplab::lab {

int KernelAgent::ask_tracer(const std::string& request) {
  const int answer = guest_->programs().ask_tracer(request);
  guest_->receive();  // what the programs did before the answer
  return answer;
}

std::vector<std::string> KernelAgent::record_tracepoints(
    const std::vector<netns::TracepointChoice>& choices) {
  return guest_->record_tracepoints(choices);
}

netns::TraceRecords KernelAgent::take_tracepoints() { return guest_->take_tracepoints(); }

void KernelAgent::attach_folder(const std::string& folder, const std::string& path) {
  blame_script([&] { guest_->files().attach_folder(folder, path); });
}

void KernelAgent::hide_folder(const std::string& folder) { guest_->files().hide_folder(folder); }

void KernelAgent::serve_dns(const std::vector<base::IpAddress>& addresses,
                            const netns::DnsListener& listener) {
  guest_->listen_dns(addresses);
  dns_listener_ = listener;
}

void KernelAgent::dns_query(bool is_tcp, base::Bytes asker, base::Bytes query) {
  if (!dns_listener_) return;
  dns_listener_(is_tcp, query,
                [this, to = std::vector(asker.begin(), asker.end())](base::Bytes reply) {
                  if (guest_ != nullptr) guest_->reply_dns(to, reply);
                });
}

}  // namespace tcplab::lab
