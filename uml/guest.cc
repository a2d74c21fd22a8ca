#include "uml/guest.hh"

#include <utility>

#include "base/error.hh"
#include "uml/configuration.hh"

namespace tcplab::uml {

std::vector<std::unique_ptr<Guest>> Guest::power_on(GuestClock& clock,
                                                    std::span<const GuestRequest> requests,
                                                    const std::function<void()>& meanwhile) {
  std::vector<std::unique_ptr<Guest>> guests;
  guests.reserve(requests.size());
  for (BootedGuest& booted : boot_guests(clock, requests, meanwhile))
    guests.push_back(std::make_unique<Guest>(std::move(booted)));
  return guests;
}

Guest::Guest(BootedGuest booted)
    : config_(std::move(booted.config)),
      release_(std::move(booted.release)),
      kernel_(std::move(booted.kernel)),
      time_(booted.time),
      files_(*kernel_),
      sysctls_(files_),
      programs_(*kernel_, files_) {}

void Guest::receive() {
  kernel_->receive([this](const Message& message) {
    if (listener_ != nullptr) tell(message);
  });
}

void Guest::tell(const Message& message) {
  PayloadReader from(message.payload);
  switch (message.kind) {
    case Kind::sent_frame: {
      const auto nic = from.as<std::size_t>();
      const base::Instant sent = time_.instant_of(from.number());
      const Bytes answer = from.bytes();
      return listener_->frame(nic, sent, from.rest(), answer);
    }
    case Kind::output: {
      const auto program = from.as<pid_t>();
      const int descriptor = from.as<int>();
      return listener_->output(program, descriptor, from.rest());
    }
    case Kind::output_end: {
      const auto program = from.as<pid_t>();
      return listener_->output_end(program, from.as<int>());
    }
    case Kind::ended: {
      const auto program = from.as<pid_t>();
      return listener_->ended(program, from.as<int>());
    }
    case Kind::dns_query: {
      const bool is_tcp = from.number() != 0;
      const Bytes asker = from.bytes();
      return listener_->dns_query(is_tcp, asker, from.rest());
    }
    case Kind::destroyed:
      return listener_->destroyed(from.rest());
    default:
      throw base::LabError(kernel_->host() + ": its agent sends an unknown message");
  }
}

Delivered Guest::deliver(std::size_t nic, Bytes frame) {
  const Message answer = kernel_->ask(Kind::frame, numbers({nic}).rest(frame).payload());
  PayloadReader from(answer.payload);
  Delivered delivered;
  delivered.is_accepted = from.number() != 0;
  delivered.at = time_.instant_of(from.number());
  const Bytes rest = from.rest();
  delivered.answer.assign(rest.begin(), rest.end());
  return delivered;
}

std::vector<std::string> Guest::record_tracepoints(
    const std::vector<netns::TracepointChoice>& choices) {
  const Message answer = kernel_->ask(Kind::tracepoints, write_payload(choices));
  std::vector<std::string> formats;
  PayloadReader(answer.payload).list([&](PayloadReader& each) { formats.push_back(each.text()); });
  return formats;
}

netns::TraceRecords Guest::take_tracepoints() {
  const Message answer = kernel_->ask(Kind::trace_pages, {});
  netns::TraceRecords records{.pages = {}, .clock_offset = time_.offset()};
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    const Bytes page = each.bytes();
    records.pages.emplace_back(page.begin(), page.end());
  });
  return records;
}

void Guest::listen_dns(const std::vector<base::IpAddress>& addresses) {
  kernel_->ask(Kind::dns_listen, write_payload(addresses));
}

void Guest::reply_dns(Bytes asker, Bytes reply) {
  kernel_->ask(Kind::dns_reply, PayloadWriter().bytes(asker).rest(reply).payload());
}

}  // namespace tcplab::uml
