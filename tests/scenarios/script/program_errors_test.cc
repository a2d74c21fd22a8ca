#include "scenarios/engine/script/program_errors.hh"

#include "tests/catch.hh"
#include "tests/scenarios/workshop.hh"

using namespace tcplab;
using namespace tcplab::engine;

namespace {

/// A timeline with what programs write on standard error.
class WrittenErrors {
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

  /// The text of each program that has any: "dnc: the text".
  std::vector<std::string> unmatched(const Cursors& cursors = {}) {
    std::vector<std::string> texts;
    for (const auto& errors : unmatched_errors(timeline_, cursors))
      texts.push_back(errors.program + ": " + errors.text);
    return texts;
  }

private:
  tests::TemporaryFolder folder_;
  Timeline timeline_{folder_.path() / "events.jsonl"};
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("standard error is told program by program, and output is not") {
  WrittenErrors errors;
  errors.write("Trace", "python3");
  errors.write("one\n", "sh");
  errors.write("back\n", "python3");
  errors.write("two\n", "sh", "stdout");
  CHECK(errors.unmatched() == Texts{"python3: Traceback\n", "sh: one\n"});
}

TEST_CASE("what dnc says of recorded calls and of its state is left out") {
  WrittenErrors errors;
  errors.write("dnc: read: Connection reset by peer\n\ndnc: state: reading\n");
  CHECK(errors.unmatched().empty());
  errors.write("dnc: no command 'conect'; 'help' lists the commands\n");
  CHECK(errors.unmatched() == Texts{"dnc: dnc: no command 'conect'; 'help' lists the commands\n"});
}

TEST_CASE("a line that an expectation has matched in part was expected") {
  WrittenErrors errors;
  errors.write("ready to ser");  // event 1
  errors.write("ve\noops\n");
  Cursors cursors;
  cursors.move("stderr kang/dnc", 1, 5);
  CHECK(errors.unmatched(cursors) == Texts{"dnc: oops\n"});
  cursors.move("stderr kang/dnc", 2, 3);
  CHECK(errors.unmatched(cursors) == Texts{"dnc: oops\n"});
  cursors.move("stderr kang/dnc", 2, 8);
  CHECK(errors.unmatched(cursors).empty());
}

TEST_CASE("the last ten lines are told") {
  WrittenErrors errors;
  std::string last;
  for (int line = 1; line <= 30; ++line) {
    errors.write(std::to_string(line) + "\n");
    if (line > 20) last += std::to_string(line) + "\n";
  }
  CHECK(errors.unmatched() == Texts{"dnc: " + last});
}
