// Checks the live capture stream: the lab does not wait for a slow reader.
#include "lab/record/capture_stream.hh"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using lab::CaptureStream;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kPacket = 6;
constexpr std::uint32_t kInterface = 1;

/// Returns a pcapng block with only a type and a length, which is all that the stream looks at.
Bytes block(std::uint32_t type, std::uint32_t size) {
  Bytes bytes(size);
  std::memcpy(bytes.data(), &type, sizeof type);
  std::memcpy(bytes.data() + sizeof type, &size, sizeof size);
  return bytes;
}

Bytes packet_of(std::uint32_t interface) {
  Bytes bytes = block(kPacket, 100);
  std::memcpy(bytes.data() + 2 * sizeof interface, &interface, sizeof interface);
  return bytes;
}

Bytes read_all(int descriptor) {
  Bytes all;
  Bytes some(65536);
  for (ssize_t size; (size = ::read(descriptor, some.data(), some.size())) > 0;)
    all.insert(all.end(), some.begin(), some.begin() + size);
  return all;
}

}  // namespace

TEST_CASE("a slow reader gets every frame, and the lab does not wait for it") {
  base::Pipe pipe = base::make_pipe();
  CaptureStream stream({.descriptor = pipe.write_end.get()});
  std::vector<std::string> notices;
  stream.on_notice = [&](const std::string& text) { notices.push_back(text); };
  const Bytes packet = block(kPacket, 100'000);
  for (int i = 0; i < 10; ++i) stream.take(packet);  // a pipe holds only 64 KiB (pipe(7))
  Bytes got;
  std::thread reader([&] { got = read_all(pipe.read_end.get()); });
  stream.finish();
  pipe.write_end.reset();
  reader.join();
  CHECK(got.size() == 10 * packet.size());
  CHECK(std::equal(packet.begin(), packet.end(), got.end() - 100'000));
  CHECK(notices.empty());
}

TEST_CASE("beyond the limit, only frames are left out, and they are counted") {
  base::Pipe pipe = base::make_pipe();
  CaptureStream stream({.descriptor = pipe.write_end.get()}, 300'000);
  std::vector<std::string> notices;
  stream.on_notice = [&](const std::string& text) { notices.push_back(text); };
  for (int i = 0; i < 10; ++i) stream.take(block(kPacket, 100'000));
  stream.take(block(kInterface, 1000));
  Bytes got;
  std::thread reader([&] { got = read_all(pipe.read_end.get()); });
  stream.finish();
  pipe.write_end.reset();
  reader.join();
  const std::size_t kept = got.size() / 100'000;
  CHECK(got.size() == kept * 100'000 + 1000);
  CHECK(kept < 5);
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("too slow for " + std::to_string(10 - kept) + " frames") !=
        std::string::npos);
}

TEST_CASE("a reader that goes away is reported once") {
  std::signal(SIGPIPE, SIG_IGN);
  base::Pipe pipe = base::make_pipe();
  CaptureStream stream({.descriptor = pipe.write_end.get()});
  int notices = 0;
  stream.on_notice = [&](const std::string&) { ++notices; };
  pipe.read_end.reset();
  stream.take(block(kPacket, 1000));
  stream.take(block(kPacket, 1000));
  stream.finish();
  CHECK(notices == 1);
  std::signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("an output that cannot be opened is refused") {
  CHECK_THROWS_AS(lab::open_capture_stream("/nowhere/at/all"), base::UsageError);
}

TEST_CASE("a stream of one NIC has that NIC's frames, and the descriptions of all NICs") {
  const auto stream_of = [](const std::string& nic) {
    base::Pipe pipe = base::make_pipe();
    CaptureStream stream({.descriptor = pipe.write_end.get(), .nic = nic});
    stream.interface(0, "kang.eth0");
    stream.interface(1, "kang.eth1");
    stream.interface(2, "kodos.eth0");
    stream.take(block(kInterface, 60));
    for (std::uint32_t interface : {0U, 1U, 2U, 1U}) stream.take(packet_of(interface));
    stream.finish();
    stream.check_nic();
    pipe.write_end.reset();
    return read_all(pipe.read_end.get());
  };
  const auto joined = [](std::initializer_list<Bytes> blocks) {
    Bytes all;
    for (const Bytes& one : blocks) all.insert(all.end(), one.begin(), one.end());
    return all;
  };
  const Bytes interface = block(kInterface, 60);
  CHECK(stream_of("kang") == joined({interface, packet_of(0)}));
  CHECK(stream_of("kang.eth1") == joined({interface, packet_of(1), packet_of(1)}));
  CHECK(stream_of("kodos") == joined({interface, packet_of(2)}));
  CHECK(stream_of("").size() == 60 + 4 * 100);
  CHECK_THROWS_WITH(stream_of("kan"),
                    "--nic kan: there is no such NIC; there are kang.eth0, "
                    "kang.eth1, kodos.eth0");
}
