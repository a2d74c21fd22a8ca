#include "dnc/calls/socket_option.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>

#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::dnc;

namespace {

std::string set_and_get(const char* name, const char* text) {
  const base::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  const SocketOption& option = *base::find_socket_option(name);
  const auto given = OptionValue::parse(option, text);
  REQUIRE(given);
  REQUIRE(::setsockopt(socket.get(), option.level, option.number, given->data(), given->size()) ==
          0);
  OptionValue got(option);
  REQUIRE(::getsockopt(socket.get(), option.level, option.number, got.data(), &got.size()) == 0);
  return got.to_string(option);
}

}  // namespace

TEST_CASE("each kind of option is parsed from text and formatted as text") {
  CHECK(set_and_get("TCP_NODELAY", "on") == "1");
  CHECK(set_and_get("tcp_keepidle", "7") == "7");
  CHECK(set_and_get("SO_LINGER", "3") == "{1, 3 s}");
  CHECK(set_and_get("SO_LINGER", "off") == "off");
  CHECK(set_and_get("SO_LINGER", "0") == "{1, 0 s}");
  CHECK(set_and_get("SO_RCVTIMEO", "2s") == "2 s");
  CHECK(set_and_get("TCP_CONGESTION", "reno") == "reno");
}

TEST_CASE("invalid option values are rejected") {
  CHECK_FALSE(base::find_socket_option("SO_WHATEVER"));
  CHECK_FALSE(OptionValue::parse(*base::find_socket_option("TCP_NODELAY"), "maybe"));
  CHECK_FALSE(OptionValue::parse(*base::find_socket_option("SO_RCVTIMEO"), "soon"));
  CHECK_FALSE(OptionValue::parse(*base::find_socket_option("TCP_CONGESTION"), ""));
  CHECK_FALSE(OptionValue::parse(*base::find_socket_option("TCP_CONGESTION"), "\"reno\\"));
}

TEST_CASE("a key consists of the peer's address and a word") {
  const SocketOption& option = *base::find_socket_option("TCP_MD5SIG");
  for (const char* text : {"10.0.0.2=secret", "fd00::2=se-cret_7"}) {
    const auto value = OptionValue::parse(option, text);
    REQUIRE(value);
    CHECK(value->size() == sizeof(tcp_md5sig));
    CHECK(value->to_string(option) == text);
  }
  for (const char* text : {"secret", "kodos=secret", "10.0.0.2=", "10.0.0.2=\"", ""})
    CHECK_FALSE(OptionValue::parse(option, text));
  CHECK_FALSE(OptionValue::parse(option, "10.0.0.2=" + std::string(81, 'x')));
}

TEST_CASE("an error option is formatted as an errno name") {
  const SocketOption& option = *base::find_socket_option("SO_ERROR");
  CHECK(OptionValue::number(option, EPIPE).to_string(option) == "EPIPE");
}
