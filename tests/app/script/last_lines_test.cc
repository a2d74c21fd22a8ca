#include "app/script/last_lines.hh"

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::app;

namespace {

/// A timeline with what programs write.
class WrittenOutput {
public:
  void write(const std::string& text, const std::string& program = "dnc",
             const std::string& stream = "stderr") {
    capture::Program wrote;
    wrote.host = "kang";
    wrote.program = program;
    wrote.change = capture::ProgramChange::wrote;
    wrote.stream = stream;
    wrote.text = text;
    timeline_.append(base::now(), wrote);
  }

  void start(const std::string& command, const std::string& program) {
    capture::Program started;
    started.host = "kang";
    started.program = program;
    started.command = command;
    timeline_.append(base::now(), started);
  }

  /// The text of each stream that has any: "dnc: the text", "dnc stdout: the text".
  std::vector<std::string> unmatched(const Cursors& cursors = {}) {
    std::vector<std::string> texts;
    for (const auto& written : unmatched_lines(timeline_, cursors))
      texts.push_back(written.program + (written.stream == "stdout" ? " stdout: " : ": ") +
                      written.text);
    return texts;
  }

private:
  tests::TemporaryFolder folder_;
  lab::Timeline timeline_{folder_.path() / "events.jsonl"};
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("standard error and standard output are shown program by program") {
  WrittenOutput output;
  output.write("Trace", "python3");
  output.write("one\n", "sh");
  output.write("back\n", "python3");
  output.write("two\n", "sh", "stdout");
  CHECK(output.unmatched() == Texts{"python3: Traceback\n", "sh: one\n", "sh stdout: two\n"});
}

TEST_CASE("the standard output of dnc is left out: its read calls have it") {
  WrittenOutput output;
  output.start("dnc -l 8080", "server");
  output.start("dncoder", "dncoder");
  output.write("hello\n", "server", "stdout");
  output.write("dnc: no command 'conect'\n", "server");
  output.write("frame 1\n", "dncoder", "stdout");
  CHECK(output.unmatched() ==
        Texts{"server: dnc: no command 'conect'\n", "dncoder stdout: frame 1\n"});
}

TEST_CASE("a long line is cut between two characters") {
  WrittenOutput output;
  output.write(std::string(399, 'a') + "é" + std::string(99, 'b') + "\n", "sh", "stdout");
  CHECK(output.unmatched() == Texts{"sh stdout: " + std::string(399, 'a') + "…\n"});
}

TEST_CASE("what dnc says of recorded calls and of its state is left out") {
  WrittenOutput output;
  output.write("dnc: read: Connection reset by peer\n\ndnc: state: reading\n");
  CHECK(output.unmatched().empty());
  output.write("dnc: no command 'conect'; 'help' lists the commands\n");
  CHECK(output.unmatched() == Texts{"dnc: dnc: no command 'conect'; 'help' lists the commands\n"});
}

TEST_CASE("a line that an expectation has matched in part was expected") {
  WrittenOutput output;
  output.write("ready to ser");  // event 1
  output.write("ve\noops\n");
  Cursors cursors;
  cursors.move("stderr kang/dnc", 1, 5);
  CHECK(output.unmatched(cursors) == Texts{"dnc: oops\n"});
  cursors.move("stderr kang/dnc", 2, 3);
  CHECK(output.unmatched(cursors) == Texts{"dnc: oops\n"});
  cursors.move("stderr kang/dnc", 2, 8);
  CHECK(output.unmatched(cursors).empty());
}

TEST_CASE("the last ten lines are shown") {
  WrittenOutput output;
  std::string last;
  for (int line = 1; line <= 30; ++line) {
    output.write(std::to_string(line) + "\n");
    if (line > 20) last += std::to_string(line) + "\n";
  }
  CHECK(output.unmatched() == Texts{"dnc: " + last});
}
