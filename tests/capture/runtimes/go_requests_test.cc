// Which connection a request of net/http waits for.
#include "capture/runtimes/go_requests.hh"

#include "tests/capture/memory/written_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;
using capture::GoRequests;

namespace {

constexpr Address kRequestStack = 0x40000;
constexpr Address kRequestEnd = kRequestStack + 0x40;
constexpr Address kFirstPoll = 0x51000;
constexpr Address kSecondPoll = 0x52000;

/// Two connections of a client, to pollDescs of their own.
class HttpClient {
public:
  HttpClient() {
    for (Address at = kRequestStack; at < kRequestEnd; at += 8) memory.put(at, Address{0});
    add_connection(first, kFirstPoll);
    add_connection(second, kSecondPoll);
  }

  std::set<Address> polls(const std::set<Address>& asked = {kFirstPoll, kSecondPoll}) const {
    return GoRequests(memory, layout).polls_in(kRequestStack, kRequestEnd, asked);
  }

  /// Makes a net/http.persistConn, its *net.TCPConn behind it, and so on.
  void add_connection(Address at, Address poll) {
    memory.put(at + layout.http_connection, std::array<Address, 2>{0x1111, at + 0x400});
    memory.put(at + 0x400, at + 0x500);
    memory.put(at + 0x500 + layout.net_poll, poll);
  }

  static constexpr Address first = 0x60000;
  static constexpr Address second = 0x70000;
  capture::GoLayout layout = capture::go_layout_of("1.19.8").value();
  tests::WrittenMemory memory;
};

}  // namespace

TEST_CASE("a stack with a pointer to a connection of net/http leads to its pollDesc") {
  HttpClient client;
  CHECK(client.polls().empty());
  client.memory.put(kRequestStack + 0x18, HttpClient::second);
  CHECK(client.polls() == std::set<Address>{kSecondPoll});
  CHECK(client.polls({kFirstPoll}).empty());
  client.memory.put(kRequestStack + 0x20, HttpClient::first);
  CHECK(client.polls().size() == 2);
}

TEST_CASE("a pointer beside a connection, or outside of the frame, leads to none") {
  HttpClient client;
  client.memory.put(kRequestStack, HttpClient::first + 8);
  client.memory.put(kRequestStack + 8, HttpClient::first + client.layout.http_connection);
  client.memory.put(kRequestEnd, HttpClient::first);
  CHECK(client.polls().empty());
}

TEST_CASE("a connection with TLS has another one below") {
  HttpClient client;
  constexpr Address kTls = 0x80000;
  constexpr Address kHttps = 0x90000;
  client.memory.put(kHttps + client.layout.http_connection, std::array<Address, 2>{0x2222, kTls});
  client.memory.put(kTls + client.layout.tls_connection,
                    std::array<Address, 2>{0x1111, HttpClient::first + 0x400});
  client.memory.put(kRequestStack, kHttps);
  CHECK(client.polls() == std::set<Address>{kFirstPoll});
}

TEST_CASE("a program without net/http has no requests") {
  HttpClient client;
  client.memory.put(kRequestStack, HttpClient::first);
  client.layout.has_http = false;
  CHECK(client.polls().empty());
}
