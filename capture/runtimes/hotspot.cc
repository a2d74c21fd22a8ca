#include "capture/runtimes/hotspot.hh"

#include <algorithm>
#include <optional>
#include <utility>

#include "capture/memory/memory_snapshot.hh"
#include "capture/runtimes/hotspot_stack.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostJavaThreads = 100'000;

/// A stack of which 1024 frames take more is not read.
constexpr Address kMostStack = Address{512} << 10;

/// A thread of Java.
struct HotspotThread {
  Address begin = 0;
  Address stack_end = 0;
};

class Hotspot final : public Runtime {
public:
  Hotspot(const ProcessMemory& memory, HotspotTables tables, int version, HotspotPacking packing)
      : memory_(memory),
        tables_(std::move(tables)),
        version_(version),
        packing_(packing),
        at_(offsets_in(tables_)) {
    HotspotStack(memory_, tables_, packing_);  // throws if a field is missing
  }

  std::string name() const override { return "Java " + std::to_string(version_); }

  const ProcessMemory& memory() const override { return memory_; }

  std::vector<RuntimeFrame> frames(const ThreadPosition& position) const override {
    const std::optional<HotspotThread> thread = thread_of(position.stack_pointer);
    if (!thread) return {};
    const Address anchor = thread->begin + at_.anchor;
    // What is below the stack pointer is no longer in use. If the thread goes on, what it had noted
    // does not fit its stack.
    const MemoryRange stack{position.stack_pointer, thread->stack_end};
    const MemoryRange copied{stack.begin, std::min(stack.end, stack.begin + kMostStack)};
    const MemorySnapshot snapshot(memory_, {{anchor, anchor + at_.anchor_size}, copied});
    return HotspotStack(snapshot, tables_, packing_).frames(anchor, copied);
  }

  /// Code that HotSpot has made is in no file.
  bool is_interpreter(std::string_view native_frame) const override {
    return native_frame.starts_with("0x") && native_frame.find('(') == std::string_view::npos;
  }

private:
  struct Offsets {
    Address threads = 0;  // an address
    Address count = 0;
    Address list = 0;
    Address stack_base = 0;
    Address stack_size = 0;
    Address anchor = 0;
    Address anchor_size = 0;
  };

  static Offsets offsets_in(const HotspotTables& tables) {
    return {
        .threads = tables.address("ThreadsSMRSupport::_java_thread_list"),
        .count = tables.offset("ThreadsList::_length"),
        .list = tables.offset("ThreadsList::_threads"),
        .stack_base = tables.offset("JavaThread::_stack_base"),
        .stack_size = tables.offset("JavaThread::_stack_size"),
        .anchor = tables.offset("JavaThread::_anchor"),
        .anchor_size = tables.size("JavaFrameAnchor"),
    };
  }

  /// The stack tells which thread it is. OSThread::_thread_id does not: in a container, it is the
  /// number of another pid namespace.
  std::optional<HotspotThread> thread_of(Address stack_pointer) const {
    const Address threads = memory_.pointer(at_.threads);
    const auto count = memory_.value<std::uint32_t>(threads + at_.count);
    const Address list = memory_.pointer(threads + at_.list);
    for (std::size_t i = 0; i < count && i < kMostJavaThreads; ++i) {
      const Address thread = memory_.pointer(list + i * kHotspotWord);
      const Address high = memory_.pointer(thread + at_.stack_base);  // stacks grow downwards
      const Address low = high - memory_.pointer(thread + at_.stack_size);
      if (low <= stack_pointer && stack_pointer < high)
        return HotspotThread{.begin = thread, .stack_end = high};
    }
    return std::nullopt;
  }

  const ProcessMemory& memory_;
  HotspotTables tables_;
  int version_;
  HotspotPacking packing_;
  Offsets at_;
};

/// The tables do not say how numbers are packed. Nothing for a version that no test has.
std::optional<HotspotPacking> packing_of(int version) {
  if (version == 17) return HotspotPacking::with_zeros;
  if (version == 25) return HotspotPacking::without_zeros;
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Runtime> find_hotspot(const ProcessImage& image, const ProcessMemory& memory) {
  const std::string path = image.find_file("libjvm.so");
  if (path.empty()) return nullptr;
  HotspotTables tables(memory, image.symbols(path, "gHotSpotVM"));
  const int version = memory.value<int>(tables.address("Abstract_VM_Version::_vm_major_version"));
  const std::optional<HotspotPacking> packing = packing_of(version);
  if (!packing) return nullptr;
  return std::make_unique<Hotspot>(memory, std::move(tables), version, *packing);
}

}  // namespace tcplab::capture
