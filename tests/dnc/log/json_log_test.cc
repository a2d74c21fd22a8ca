#include "dnc/log/json_log.hh"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"
#include "tests/dnc/records.hh"

using namespace tcplab;
using namespace tcplab::dnc;
using namespace tcplab::tests;

namespace {

/// The text that the log writes, with our pid masked.
class Written {
public:
  Written() : pipe_(base::make_pipe()), log_(EventOutput(pipe_.write_end.get())) {}

  std::string enter(const CallRecord& record) {
    log_.enter(record);
    return take();
  }
  std::string leave(const CallRecord& record) {
    log_.leave(record);
    return take();
  }

private:
  std::string take() {
    log_.flush();
    std::string text(8192, '\0');
    text.resize(static_cast<std::size_t>(::read(pipe_.read_end.get(), text.data(), text.size())));
    const std::string pid = "\"pid\":" + std::to_string(::getpid());
    const auto at = text.find(pid);
    return at == std::string::npos ? text : text.replace(at, pid.size(), "\"pid\":1");
  }

  base::Pipe pipe_;
  JsonLog log_;
};

}  // namespace

TEST_CASE("a call is logged as exactly these two lines of JSON") {
  Written written;
  CHECK(written.enter(record_of("read", 3, "65536")) ==
        R"({"kind":"call","t":1000000000,"pid":1,"id":7,"phase":"enter","call":"read","fd":3,)"
        R"("args":"65536"})"
        "\n");
  CHECK(written.leave(moved(record_of("read", 3, "65536"), "hello\n")) ==
        R"({"kind":"call","t":1000250000,"pid":1,"id":7,"phase":"return","call":"read","fd":3,)"
        R"("args":"65536","entered":1000000000,"result":6,"data":"hello\\n"})"
        "\n");
}

TEST_CASE("a failed call has the name of its errno") {
  CHECK(Written().leave(failed(record_of("read", 3, "65536"), ECONNRESET)) ==
        R"({"kind":"call","t":1000250000,"pid":1,"id":7,"phase":"return","call":"read","fd":3,)"
        R"("args":"65536","entered":1000000000,"result":-1,"errno":"ECONNRESET"})"
        "\n");
}

TEST_CASE("the error from SO_ERROR is a value, not an errno") {
  CHECK(Written().leave(so_error(EPIPE)) ==
        R"({"kind":"call","t":1000250000,"pid":1,"id":7,"phase":"return","call":"getsockopt",)"
        R"("fd":3,"args":"SO_ERROR","entered":1000000000,"result":0,"value":"EPIPE"})"
        "\n");
}

TEST_CASE("poll has the revents of the socket and of standard input") {
  CHECK(Written().leave(polled(POLLHUP, POLLIN | POLLERR | POLLHUP)) ==
        R"({"kind":"call","t":1000250000,"pid":1,"id":7,"phase":"return","call":"poll","fd":3,)"
        R"("args":"{fd 0 IN} {fd 3 IN}, timeout none","entered":1000000000,"result":2,)"
        R"("revents":"IN|ERR|HUP","stdin_revents":"HUP"})"
        "\n");
}

TEST_CASE("a connection has both addresses, a listener has none") {
  Written written;
  CHECK(written.leave(connected(record_of("connect", 3, "10.0.0.2:8080"))) ==
        R"({"kind":"call","t":1000250000,"pid":1,"id":7,"phase":"return","call":"connect",)"
        R"("fd":3,"args":"10.0.0.2:8080","entered":1000000000,"result":0,)"
        R"("local":"10.0.0.1:40000","remote":"10.0.0.2:8080"})"
        "\n");
  CallRecord listening = record_of("listen", 3, "128");
  listening.local = base::Endpoint::parse("10.0.0.1:8080");
  CHECK(written.leave(listening).find("local") == std::string::npos);
}

TEST_CASE("long data is logged with its first 64 bytes") {
  const std::string zeroes(100'000, '\0');
  const std::string line = Written().leave(moved(record_of("read", 3, "100000"), zeroes));
  std::string shown;
  for (int byte = 0; byte < 64; ++byte) shown += R"(\\000)";
  CHECK(line.find("\"data\":\"" + shown + "\"}") != std::string::npos);
  CHECK(line.find("\"result\":100000") != std::string::npos);
}

TEST_CASE("a log that is never flushed loses nothing when it is full or destroyed") {
  char name[] = "/tmp/dnc-event-log-XXXXXX";
  const base::FileDescriptor file(::mkstemp(name));
  ::unlink(name);
  constexpr int kCalls = 5000;  // several buffers
  {
    JsonLog log((EventOutput(file.get())));
    for (int call = 0; call < kCalls; ++call) log.enter(record_of("read", 3, "65536"));
  }
  std::string text(static_cast<std::size_t>(::lseek(file.get(), 0, SEEK_END)), '\0');
  REQUIRE(::pread(file.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  CHECK(std::count(text.begin(), text.end(), '\n') == kCalls);
  CHECK(text.ends_with("}\n"));
}

TEST_CASE("a descriptor that is not open for writing is rejected") {
  const base::Pipe pipe = base::make_pipe();
  CHECK_THROWS_AS(EventOutput(1000), base::UsageError);
  CHECK_THROWS_AS(EventOutput(pipe.read_end.get()), base::UsageError);
}

TEST_CASE("when the reader goes away, only the log ends") {
  base::Pipe pipe = base::make_pipe();
  EventOutput output(pipe.write_end.get());
  pipe.read_end.reset();
  output.write("gone\n");  // would raise SIGPIPE
  CHECK(output.broken());
}

TEST_CASE("writing waits while a non-blocking pipe is full") {
  base::Pipe pipe = base::make_pipe();
  const int room = ::fcntl(pipe.write_end.get(), F_SETPIPE_SZ, 4096);
  ::fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK);
  const std::string text(static_cast<std::size_t>(room) * 3, 'x');
  std::string read_back;
  if (::fork() == 0) {  // a child that writes more than fits into the pipe
    pipe.read_end.reset();
    EventOutput(pipe.write_end.get()).write(text);
    ::_exit(0);
  }
  pipe.write_end.reset();
  std::string chunk(1000, '\0');
  for (ssize_t got = 0; (got = ::read(pipe.read_end.get(), chunk.data(), chunk.size())) > 0;)
    read_back.append(chunk, 0, static_cast<std::size_t>(got));
  CHECK(read_back == text);
}

TEST_CASE("a stored value is a number, a name or the members of a struct") {
  const auto value_of = [](const StoredValue& stored) {
    CallRecord record = record_of("getsockopt", 3, "SO_X");
    record.stored = stored;
    const std::string line = Written().leave(record);
    return line.substr(line.find("\"result\":0") + 10);
  };
  const std::array<MemberValue, 2> linger = {{{"l_onoff", 1}, {"l_linger", 0}}};
  CHECK(value_of({.number = 1448, .text = "1448"}) == ",\"value\":1448}\n");
  CHECK(value_of({.name = "cubic", .text = "cubic"}) == ",\"value\":\"cubic\"}\n");
  CHECK(value_of({.members = linger}) == ",\"value\":{\"l_onoff\":1,\"l_linger\":0}}\n");
  CHECK(value_of({}) == "}\n");
  CHECK(Written().leave(so_error(0)).find(",\"value\":0}") != std::string::npos);
}
