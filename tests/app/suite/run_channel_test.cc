#include "app/suite/run_channel.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using app::RunChannelReader;
using app::RunChannelWriter;

namespace {

/// A reader that notes its callbacks, as "waiting: kodos" or "event 7: note".
class Listener {
public:
  Listener() {
    reader_.on_event = [this](const capture::Event& event) {
      heard.push_back("event " + std::to_string(event.number) + ": " +
                      std::get<capture::Note>(event.body).text);
    };
    reader_.on_waiting = [this](const std::string& text) { heard.push_back("waiting: " + text); };
    reader_.on_failure = [this](const std::string& text) { heard.push_back("failure: " + text); };
    reader_.on_reason = [this](const std::string& text) { heard.push_back("reason: " + text); };
    reader_.on_other = [this](const app::RunMessage& said) {
      heard.push_back(said.what + ": " + said.text);
    };
  }

  void take(std::string_view text) { reader_.take(text); }

  std::vector<std::string> heard;

private:
  RunChannelReader reader_;
};

/// Returns what a writer sends for one message of each kind.
std::string sent() {
  const base::Pipe pipe = base::make_pipe();
  RunChannelWriter writer(pipe.write_end.get());
  writer.event({.number = 7, .at = base::from_nanoseconds(1), .body = capture::Note{"a\nnote"}});
  writer.waiting("kodos listens");
  writer.failure("expected:\n  a \"reset\"\n");
  writer.reason("not UTF-8: \xff");
  writer.say("stand", "still");
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(base::check(
      "read", static_cast<long>(::read(pipe.read_end.get(), text.data(), text.size())))));
  return text;
}

const std::vector<std::string> kAll = {"event 7: a\nnote", "waiting: kodos listens",
                                       "failure: expected:\n  a \"reset\"\n",
                                       "reason: not UTF-8: \xef\xbf\xbd", "stand: still"};

}  // namespace

TEST_CASE("the reader gets what the writer sent") {
  Listener listener;
  listener.take(sent());
  CHECK(listener.heard == kAll);
}

TEST_CASE("the reader joins pieces into lines") {
  const std::string text = sent();
  const std::size_t size = GENERATE(1, 2, 7, 64);
  Listener listener;
  for (std::size_t at = 0; at < text.size(); at += size) listener.take(text.substr(at, size));
  CHECK(listener.heard == kAll);
}

TEST_CASE("an incomplete line is not read") {
  Listener listener;
  const std::string text = sent();
  listener.take(text.substr(0, text.size() - 1));
  CHECK(listener.heard.size() == kAll.size() - 1);
  listener.take("\n");
  CHECK(listener.heard == kAll);
}

TEST_CASE("a failed write to the channel is a LabError") {
  const base::FileDescriptor read_only(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  RunChannelWriter writer(read_only.get());
  CHECK_THROWS_AS(writer.waiting("kodos"), base::SystemError);
}
