#include "lab/laboratory.hh"

#include <boost/asio/io_context.hpp>

#include "lab/hosts/make_host_maker.hh"

namespace tcplab::lab {

namespace {

DiskRoom room_of_disks(const RunLimits& limits) {
  return {.bytes = limits.disks,
          .advice = passed_limit("; together they hold at most {} bytes", "disks", limits.disks,
                                 limits.command)};
}

}  // namespace

Laboratory::Laboratory(const LaboratoryConfig& config)
    : config_(config),
      maker_(make_host_maker(config.on, loop_)),
      clock_(maker_->make_clock()),
      perturbation_(config.perturbation),
      processor_(config, *clock_, perturbation_),
      budgets_(config.limits),
      timeline_(config.folder / "events.jsonl"),
      capture_((config.folder / "capture.pcapng").string(), wall_offset_, config.stream),
      kernels_(*maker_, timeline_),
      network_(loop_, *clock_, timeline_, capture_, processor_.stalls()),
      programs_(config_, {loop_, timeline_, *clock_, perturbation_}, network_, processor_.pinning(),
                budgets_),
      disks_(config.folder / "disks", room_of_disks(config.limits)),
      sockets_(loop_, *clock_, timeline_, hosts_, programs_.owners()),
      power_({config_, *maker_, *clock_, timeline_, kernels_, processor_.stalls(), network_, hosts_,
              programs_, sockets_}),
      failures_(config_.folder, timeline_, hosts_, programs_) {
  timeline_.limit(budgets_.events);
  maker_->tell_of_clock(
      [this](const std::string& text) { timeline_.append(clock_->now(), capture::Note{text}); });
  network_.frames().faults().on_added = [this](std::size_t count) { budgets_.faults.check(count); };
  processor_.programs = [this] {
    std::vector<pid_t> processes = programs_.on_this_kernel();
    for (const auto& host : hosts_.all())
      if (const pid_t stack = host->is_on() ? host->machine().stack_process() : 0; stack != 0)
        processes.push_back(stack);
    return processes;
  };
  if (config_.has_kernel_events) listen_to_kernels();
  timeline_.listen([this](const capture::Event& event) {
    capture_.event(event);
    sockets_.hurry();
  });
  network_.frames().on_flood = [this](bool flooded) { processor_.pinning().suspend(flooded); };
  sockets_.on_poll = [this] { look(); };
  sockets_.on_polled = [this] {
    network_.frames().report_flood();
    flush();
  };
  sockets_.begin();
}

Laboratory::~Laboratory() = default;

void Laboratory::listen_to_kernels() {
  if (kernels_.is_on()) return;
  const auto host_with = [this](const base::IpAddress& address) {
    const LabHost* host = hosts_.find(address);
    return host == nullptr ? "" : host->name();
  };
  const Attribution::Hosts hosts{
      .of_program = [this](int process) { return programs_.host_of(process); },
      .of_address = host_with};
  network_.frames().listen_to(config_.on.is_own() ? kernels_.listen_to_own_kernels()
                                                  : kernels_.listen_to_this_kernel(hosts));
}

void Laboratory::look() {
  kernels_.look();
  sockets_.look_at_all();
  processor_.look();
  budgets_.memory.check(resident_memory());
}

void Laboratory::flush() {
  timeline_.flush();
  capture_.flush(clock_->now());
}

void Laboratory::finish() {
  network_.frames().report_flood();
  timeline_.flush();
  capture_.finish();
}

}  // namespace tcplab::lab
