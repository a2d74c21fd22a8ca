#include "capture/kernel/kernel_trace.hh"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/file_descriptor.hh"
#include "capture/kernel/perf_ring.hh"
#include "capture/kernel/record_reader.hh"

namespace tcplab::capture {

namespace {

const std::filesystem::path kUsualTracefs = "/sys/kernel/tracing";
constexpr int kEveryCpu = -1;
constexpr int kEveryThread = -1;
constexpr int kThisThread = 0;

/// tracefs, where the machine has mounted it. Otherwise a mount of our own that is in no mount
/// namespace (fsmount(2)): it needs no folder, and nobody else sees it. Only root can make one.
class Tracefs {
public:
  Tracefs() : folder_(kUsualTracefs) {
    std::error_code error;
    if (std::filesystem::exists(events() / "enable", error)) return;
    const base::FileDescriptor context(::fsopen("tracefs", FSOPEN_CLOEXEC));
    if (!context || ::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == -1)
      return;
    mount_ = base::FileDescriptor(::fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY));
    if (mount_) folder_ = "/proc/self/fd/" + std::to_string(mount_.get());
  }

  std::filesystem::path events() const { return folder_ / "events"; }

private:
  std::filesystem::path folder_;
  base::FileDescriptor mount_;
};

/// Returns the text of its `format` file; empty if this kernel has no such tracepoint.
std::string format_of(const Tracefs& tracefs, const Tracepoint& tracepoint) {
  std::ifstream file(tracefs.events() / tracepoint.group / tracepoint.name / "format");
  return {std::istreambuf_iterator<char>(file), {}};
}

void require(const Tracefs& tracefs) {
  std::error_code error;
  if (std::filesystem::exists(tracefs.events() / "enable", error)) return;
  if (error == std::errc::permission_denied || ::geteuid() != 0)
    throw CannotTrace("cannot read the kernel's tracepoints: permission denied", "run it as root");
  throw CannotTrace("/sys/kernel/tracing is empty: no tracefs is mounted there",
                    "sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

[[noreturn]] void refuse(int error) {
  if (error == EACCES || error == EPERM)
    throw CannotTrace("cannot record the kernel's tracepoints: permission denied",
                      "run it as root, or with CAP_PERFMON");
  if (error == EMFILE)
    throw CannotTrace("too few file descriptors: each tracepoint needs one for each processor",
                      "ulimit -n 4096");
  throw CannotTrace(base::SystemError("record the kernel's tracepoints", error).what());
}

perf_event_attr attributes(int id) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.config = static_cast<std::uint64_t>(id);
  attributes.sample_period = 1;
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  attributes.watermark = 1;  // never wake us: we read the rings after each delivered frame
  attributes.wakeup_watermark = UINT32_MAX;
  return attributes;
}

/// Opens one perf event. Returns an empty descriptor if the processor is offline.
base::FileDescriptor open_event(int id, int thread, int cpu) {
  perf_event_attr wanted = attributes(id);
  const long event = ::syscall(SYS_perf_event_open, &wanted, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (event == -1 && errno != ENODEV) refuse(errno);
  return base::FileDescriptor(static_cast<int>(event));
}

}  // namespace

struct KernelTrace::Implementation {
  /// The events of one processor, or of this thread. They share one ring.
  struct Group {
    int cpu;
    std::vector<base::FileDescriptor> events;
    PerfRing ring;
  };

  RecordReader reader;
  std::vector<Group> groups;

  void find(const Tracefs& tracefs);
  void open(bool this_thread_only, int thread, int cpu);
};

void KernelTrace::Implementation::find(const Tracefs& tracefs) {
  for (const Tracepoint& tracepoint : tracepoints())
    reader.add(tracepoint, format_of(tracefs, tracepoint));
  if (reader.missing().size() == tracepoints().size())
    throw CannotTrace("this kernel has none of the tracepoints that tcplab records");
}

void KernelTrace::Implementation::open(bool this_thread_only, int thread, int cpu) {
  std::vector<base::FileDescriptor> events;
  std::optional<PerfRing> ring;
  for (const int id : reader.ids(this_thread_only)) {
    base::FileDescriptor event = open_event(id, thread, cpu);
    if (!event) return;
    if (!ring)
      ring.emplace(event.get());  // must exist before other events can write to it
    else
      base::check("join perf events",
                  ::ioctl(event.get(), PERF_EVENT_IOC_SET_OUTPUT, events.front().get()));
    events.push_back(std::move(event));
  }
  if (ring) groups.push_back({cpu, std::move(events), std::move(*ring)});
}

KernelTrace::KernelTrace() : implementation_(std::make_unique<Implementation>()) {
  const Tracefs tracefs;
  require(tracefs);
  implementation_->find(tracefs);
  const long processors = ::sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < processors; ++cpu) implementation_->open(false, kEveryThread, cpu);
  implementation_->open(true, kThisThread, kEveryCpu);
}

KernelTrace::~KernelTrace() = default;

const std::vector<std::string>& KernelTrace::missing() const {
  return implementation_->reader.missing();
}

std::vector<KernelRecord> KernelTrace::take() {
  std::vector<KernelRecord> records;
  for (Implementation::Group& group : implementation_->groups) {
    group.ring.take([&](const PerfSample& sample) {
      auto record = implementation_->reader.read(sample.record);
      if (!record) return;
      record->at = base::from_nanoseconds(sample.at);
      record->thread = sample.thread;  // in this pid namespace
      record->cpu = group.cpu;
      records.push_back(std::move(*record));
    });
  }
  std::ranges::stable_sort(records, {}, &KernelRecord::at);
  return records;
}

std::uint64_t KernelTrace::lost() const {
  std::uint64_t lost = 0;
  for (const Implementation::Group& group : implementation_->groups) lost += group.ring.lost();
  return lost;
}

}  // namespace tcplab::capture
