// The watch of kernel hosts. The trace of each host has only the records of that host's kernel.
#include <map>
#include <utility>

#include "capture/kernel/record_reader.hh"
#include "capture/kernel/trace_page.hh"
#include "lab/tracepoints/kernel_watch.hh"

namespace tcplab::lab {

namespace {

constexpr int kAgent = 1;  // what delivers the frames is the init of its host
// The clock of such a kernel is so coarse (TIMER_MULTIPLIER in arch/um/kernel/time.c).
constexpr base::nanoseconds kGrain{256};

/// Returns what to ask a kernel for: its agent's own thread is what delivers frames.
std::vector<netns::TracepointChoice> choices() {
  std::vector<netns::TracepointChoice> choices;
  for (const capture::Tracepoint& each : capture::tracepoints())
    choices.push_back(
        {.event = std::string(each.group) + "/" + std::string(each.name),
         .filter = each.this_thread_only ? "common_pid == " + std::to_string(kAgent) : ""});
  return choices;
}

class OwnKernelsWatch : public KernelWatch {
public:
  explicit OwnKernelsWatch(Sink sink) : sink_(std::move(sink)) {}

  void came_up(const std::string& host, netns::Machine& machine) override {
    const std::vector<std::string> formats = machine.agent().record_tracepoints(choices());
    Watched watched(machine, host);
    for (std::size_t i = 0; i < formats.size(); ++i)
      watched.reader.add(capture::tracepoints()[i], formats[i]);
    hosts_.insert_or_assign(host, std::move(watched));
  }

  void look() override {
    for (auto& [name, host] : hosts_) tell(host, nullptr);
  }

  void delivery_begins() override { begin_ = base::now() - kGrain; }

  void delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes) override {
    const auto found = hosts_.find(host);
    if (found == hosts_.end()) return;
    Delivery delivery = Delivery::of(bytes);
    delivery.host = host;
    delivery.frame = frame;
    delivery.begin = begin_;
    delivery.end = base::now();
    tell(found->second, &delivery);
  }

  void power_goes(const std::string& host) override {
    look();
    hosts_.erase(host);
  }

private:
  struct Watched {
    Watched(netns::Machine& its, const std::string& name)
        : machine(&its), attribution(kAgent, name) {}

    netns::Machine* machine;
    capture::RecordReader reader;
    Attribution attribution;
    bool has_lost = false;
  };

  void tell(Watched& host, const Delivery* delivery) {
    const netns::TraceRecords taken = host.machine->agent().take_tracepoints();
    std::vector<capture::KernelRecord> records;
    bool is_whole = true;
    for (const std::vector<std::uint8_t>& page : taken.pages) {
      is_whole &= capture::read_trace_page(page, [&](std::int64_t at, capture::Bytes bytes) {
        auto record = host.reader.read(bytes);
        if (!record) return;
        record->at = base::from_nanoseconds(at) + taken.clock_offset;
        record->cpu = 0;
        records.push_back(std::move(*record));
      });
    }
    if (!is_whole && !std::exchange(host.has_lost, true)) sink_(base::now(), lost_records());
    for (Attributed& found : host.attribution.sort_out(records, delivery))
      sink_(found.at, std::move(found.event));
  }

  Sink sink_;
  base::Instant begin_{};
  std::map<std::string, Watched> hosts_;
};

}  // namespace

std::unique_ptr<KernelWatch> watch_own_kernels(KernelWatch::Sink sink) {
  return std::make_unique<OwnKernelsWatch>(std::move(sink));
}

}  // namespace tcplab::lab
