#include "capture/runtimes/v8_sockets.hh"

#include <poll.h>

#include <optional>
#include <string>
#include <utility>

#include "capture/runtimes/v8_objects.hh"

namespace tcplab::capture {

namespace {

// The public structures of libuv 1 (uv.h, uv/unix.h), whose layout never changes, on 64 bits.
constexpr Address kLoopHandles = 16;        // uv_loop_t.handle_queue
constexpr Address kHandleLoop = 8;          // uv_handle_t.loop
constexpr Address kHandleType = 16;         // uv_handle_t.type
constexpr Address kHandleQueue = 32;        // uv_handle_t.handle_queue
constexpr Address kStreamEvents = 176;      // uv_stream_t.io_watcher.pevents
constexpr Address kStreamDescriptor = 184;  // uv_stream_t.io_watcher.fd
constexpr std::int32_t kTcp = 12;           // UV_TCP
constexpr std::size_t kMostHandles = 100'000;
// node::BaseObject: behind the table of virtual functions, a v8::Global.
constexpr Address kBaseObjectGlobal = 8;

class TcpWraps {
public:
  explicit TcpWraps(const V8Heap& heap) : heap_(heap), objects_(heap) {}

  /// Nothing if nobody waits for it.
  std::optional<RuntimeTask> task(Address handle) const {
    const ProcessMemory& memory = heap_.memory();
    const auto events = memory.value<std::uint32_t>(handle + kStreamEvents);
    if ((events & (POLLIN | POLLOUT)) == 0) return std::nullopt;
    const Address wrap = memory.pointer(handle);  // uv_handle_t.data
    const TaggedValue object = memory.pointer(memory.pointer(wrap + kBaseObjectGlobal));
    if (objects_.class_name(object) != "TCP") return std::nullopt;
    const auto owner = objects_.object(object, "Symbol(owner_symbol)");
    if (!owner) return std::nullopt;
    return RuntimeTask{.name = name(*owner),
                       .state = {},
                       .descriptor = memory.value<std::int32_t>(handle + kStreamDescriptor),
                       .call = (events & POLLOUT) != 0 ? "write" : "read",
                       .frames = {},
                       .is_object = true};
  }

private:
  std::string name(TaggedValue owner) const {
    const auto message = objects_.object(owner, "_httpMessage");
    if (!message) return objects_.class_name(owner);
    std::string name = objects_.class_name(*message);
    if (name != "ClientRequest") return name;
    const std::string path = objects_.text(*message, "path");
    return name + " " + objects_.text(*message, "method") + " " +
           objects_.text(*message, "protocol") + "//" + objects_.text(*message, "host") +
           path.substr(0, path.find('?'));
  }

  const V8Heap& heap_;
  V8Objects objects_;
};

}  // namespace

std::vector<RuntimeTask> v8_sockets(const V8Heap& heap, Address loop) {
  const ProcessMemory& memory = heap.memory();
  const TcpWraps wraps(heap);
  std::vector<RuntimeTask> tasks;
  const Address head = loop + kLoopHandles;
  Address link = memory.pointer(head);
  for (std::size_t i = 0; link != head && i < kMostHandles; ++i, link = memory.pointer(link)) {
    const Address handle = link - kHandleQueue;
    if (memory.pointer(handle + kHandleLoop) != loop)
      throw UnreadableMemory("a handle of another loop");
    if (memory.value<std::int32_t>(handle + kHandleType) != kTcp) continue;
    try {
      if (auto task = wraps.task(handle)) tasks.push_back(std::move(*task));
    } catch (const UnreadableMemory&) {
      continue;
    }
  }
  return tasks;
}

}  // namespace tcplab::capture
