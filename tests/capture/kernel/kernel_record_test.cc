// Checks that tracepoint records are read, in the layouts of several kernel versions.
#include "capture/kernel/kernel_record.hh"

#include <cerrno>
#include <cstring>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

/// Builds a record: fields in sequence, with their values.
class TracedRecord {
public:
  TracedRecord() { field("unsigned short common_type", std::uint16_t{7}); }

  template <typename Value>
  TracedRecord& field(const std::string& declaration, const Value& value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    text_ += "\tfield:" + declaration + ";\toffset:" + std::to_string(bytes_.size()) +
             ";\tsize:" + std::to_string(sizeof value) + ";\tsigned:1;\n";
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  TracedRecord& prints(const std::string& text) {
    print_ = text;
    return *this;
  }
  std::optional<KernelRecord> read(TraceKind kind) const {
    const std::string text = "ID: 7\nformat:\n" + text_ + "\nprint fmt: " + print_ + "\n";
    return read_record(kind, TracepointFormat::parse(text), bytes_);
  }

private:
  std::string text_;
  std::string print_;
  std::vector<std::uint8_t> bytes_;
};

using Address4 = std::array<std::uint8_t, 4>;
using Address6 = std::array<std::uint8_t, 16>;
using SocketAddress = std::array<std::uint8_t, 28>;

TracedRecord apart(std::uint16_t family, const Address4& from, const Address6& from6) {
  return TracedRecord()
      .field("__u16 sport", std::uint16_t{40000})
      .field("__u16 dport", std::uint16_t{8080})
      .field("__u16 family", family)
      .field("__u16 protocol", std::uint16_t{6})
      .field("__u8 saddr[4]", from)
      .field("__u8 daddr[4]", Address4{10, 0, 0, 2})
      .field("__u8 saddr_v6[16]", from6)
      .field("__u8 daddr_v6[16]", Address6{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2});
}

}  // namespace

TEST_CASE("an error report is decoded with its errno and connection") {
  const auto read =
      apart(2, {10, 0, 0, 1}, {}).field("int error", int{ECONNRESET}).read(TraceKind::error);
  REQUIRE(read);
  CHECK(read->error == ECONNRESET);
  CHECK(read->local.to_string() == "10.0.0.1:40000");
  CHECK(read->remote.to_string() == "10.0.0.2:8080");
  CHECK(read->socket == 0);
}

TEST_CASE("IPv6 fields are decoded, and mapped addresses become IPv4") {
  const Address6 own{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  CHECK(apart(10, {}, own).read(TraceKind::retransmit)->local.to_string() == "[fd00::1]:40000");
  const Address6 mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1};
  CHECK(apart(10, {}, mapped).read(TraceKind::retransmit)->local.to_string() == "10.0.0.1:40000");
}

TEST_CASE("a reset with sockaddr addresses (Linux 6.10) is decoded") {
  SocketAddress from{2, 0, 0x1f, 0x90, 10, 0, 0, 2};
  SocketAddress to{10, 0, 0x9c, 0x40};
  to[8] = 0xfd;
  to[23] = 1;
  const auto read = TracedRecord()
                        .field("const void * skaddr", std::uint64_t{0xffff888000001000})
                        .field("int state", int{8})
                        .field("enum sk_rst_reason reason", int{3})
                        .field("__u8 saddr[28]", from)
                        .field("__u8 daddr[28]", to)
                        .prints("__print_symbolic(REC->reason, { 3, \"TCP_RFC7323_PAWS\" })")
                        .read(TraceKind::reset);
  REQUIRE(read);
  CHECK(read->local.to_string() == "10.0.0.2:8080");
  CHECK(read->remote.to_string() == "[fd00::1]:40000");
  CHECK(read->reason == "TCP_RFC7323_PAWS");
  CHECK(read->state == TcpState::close_wait);
  CHECK(read->socket == 0xffff888000001000);
}

TEST_CASE("a record of another protocol is ignored") {
  const auto of = [](std::uint16_t protocol) {
    return TracedRecord()
        .field("__u16 protocol", protocol)
        .field("int error", int{ECONNREFUSED})
        .read(TraceKind::error)
        .has_value();
  };
  CHECK(of(6));
  CHECK_FALSE(of(132));
}

TEST_CASE("a state change is decoded with both states") {
  const auto read = TracedRecord()
                        .field("int oldstate", int{12})
                        .field("int newstate", int{1})
                        .read(TraceKind::socket_state);
  REQUIRE(read);
  CHECK(read->old_state == TcpState::syn_recv);  // TCP_NEW_SYN_RECV
  CHECK(read->state == TcpState::established);
}

TEST_CASE("a failed retransmission has a positive errno") {
  CHECK(TracedRecord().field("int err", int{-EHOSTUNREACH}).read(TraceKind::retransmit)->error ==
        EHOSTUNREACH);
}
