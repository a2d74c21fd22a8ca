// Checks the table of scenarios and kernels: what is a difference, and how the views show it.
#include "reports/matrix/matrix.hh"

#include <cerrno>
#include <sstream>

#include "reports/matrix/matrix_views.hh"
#include "reports/text/text.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_behaviour.hh"

using namespace tcplab::reports;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tcplab::capture::Outcome;
using tests::behaviour_of;
using tests::SampleRun;

namespace {

SampleRun reads(long result, int error) {
  SampleRun run;
  run.hosts().at(1ms).call("kang", "read", 3, result, error).later(1s).verdict(true, "x", "y");
  return run;
}

std::vector<MatrixRun> runs(const std::vector<SampleRun>& samples) {
  std::vector<MatrixRun> runs;
  for (const SampleRun& sample : samples) runs.push_back({.behaviour = behaviour_of(sample)});
  return runs;
}

MatrixCell cell(const SampleRun& run, const SampleRun& first) {
  return matrix_cell(runs({run}), runs({first}));
}

MatrixCell cell(Outcome outcome, const std::string& reason) {
  const std::vector<MatrixRun> runs{{.outcome = outcome, .reason = reason}};
  return matrix_cell(runs, {});
}

Matrix sample() {
  const MatrixCell same;
  return {.kernels = {"this", "6.1.176"},
          .rows = {{"alike", "IPv4", {same, same}},
                   {"other", "IPv4", {same, cell(reads(0, 0), reads(-1, ECONNRESET))}},
                   {"needy", "IPv6", {same, cell(Outcome::skipped, "it needs | Linux 6.15")}},
                   {"wrong", "IPv6", {same, cell(Outcome::failed, "<b>late</b>")}}}};
}

std::string text_of(bool is_all, int width = 100) {
  std::ostringstream out;
  write_text(out, sample(), {.width = width}, is_all);
  return out.str();
}

}  // namespace

TEST_CASE("a run that behaves alike is the same, whatever its times") {
  CHECK(cell(reads(0, 0), reads(0, 0)).kind == MatrixKind::same);
}

TEST_CASE("a run that behaves otherwise differs, and the summary says in what") {
  const MatrixCell other = cell(reads(0, 0), reads(-1, ECONNRESET));
  CHECK(other.kind == MatrixKind::differs);
  CHECK(summary_of(other) == "calls of kang's dnc-2: - read fails ECONNRESET, + read = 0");
}

TEST_CASE("calls that only one kernel's runs record are not compared") {
  SampleRun unseen;
  unseen.hosts().at(1s).verdict(true, "x", "y");
  CHECK(cell(unseen, reads(0, 0)).kind == MatrixKind::same);
  CHECK(cell(reads(0, 0), unseen).kind == MatrixKind::same);
}

TEST_CASE("of several runs, one that behaves as on the first kernel is enough") {
  const auto first = runs({reads(0, 0), reads(-1, ECONNRESET)});
  const MatrixCell same = matrix_cell(runs({reads(-1, EPIPE), reads(-1, ECONNRESET)}), first);
  CHECK(same.kind == MatrixKind::same);
  CHECK(summary_of(same) == "2 runs in 2 ways");
  const MatrixCell differs = matrix_cell(runs({reads(-1, EPIPE), reads(-1, ETIMEDOUT)}), first);
  CHECK(differs.kind == MatrixKind::differs);
  CHECK(summary_of(matrix_cell(runs({reads(0, 0), reads(0, 0)}), first)).empty());
}

TEST_CASE("of runs that all differ, the one that is most alike is shown") {
  SampleRun far;
  far.hosts().at(1ms).call("kang", "read", 3, -1, EPIPE).call("kang", "write", 3, 5, 0);
  far.later(1s).verdict(true, "x", "y");
  std::vector<MatrixRun> both = runs({far, reads(-1, ECONNRESET)});
  both[0].directory = "far";
  both[1].directory = "near";
  const auto first = runs({reads(0, 0)});
  CHECK(matrix_cell(both, first).directory == "near");
  std::swap(both[0], both[1]);
  CHECK(matrix_cell(both, first).directory == "near");
}

TEST_CASE("a scenario has failed on a kernel if one of its runs has") {
  std::vector<MatrixRun> mixed = runs({reads(0, 0)});
  mixed.push_back({.outcome = Outcome::failed, .reason = "late", .directory = "two"});
  const MatrixCell failed = matrix_cell(mixed, {});
  CHECK(failed.kind == MatrixKind::failed);
  CHECK(summary_of(failed) == "late");
  CHECK(failed.directory == "two");
}

TEST_CASE("a summary has what one run did instead, but not what it did elsewhere") {
  SampleRun one;
  one.hosts().at(1ms).call("kang", "read", 3, 1, 0).call("kang", "write", 3, 5, 0);
  one.call("kang", "close", 3, 0, 0).call("kang", "shutdown", 3, 0, 0).later(1s);
  SampleRun other;
  other.hosts().at(1ms).call("kang", "write", 3, 5, 0).call("kang", "close", 3, 0, 0);
  other.call("kang", "shutdown", 3, -1, ENOTCONN).later(1s);
  CHECK(summary_of(cell(other.verdict(true, "x", "y"), one.verdict(true, "x", "y"))) ==
        "calls of kang's dnc-2: - read = 1");
}

TEST_CASE("a summary has the first of several lines that are replaced") {
  SampleRun one;
  one.hosts().at(1ms).call("kang", "read", 3, 1, 0).call("kang", "write", 3, 5, 0).later(1s);
  SampleRun other;
  other.hosts().at(1ms).call("kang", "read", 3, 2, 0).call("kang", "write", 3, 6, 0).later(1s);
  CHECK(summary_of(cell(other.verdict(true, "x", "y"), one.verdict(true, "x", "y"))) ==
        "calls of kang's dnc-2: - read = 1, + read = 2");
}

TEST_CASE("a scenario that one of three kernels skips is not alike on all") {
  Matrix matrix = sample();
  matrix.rows = {{"needy", "IPv4", {{}, cell(Outcome::skipped, "it needs nft"), {}}}};
  CHECK_THAT(matrix_totals(matrix), Contains("0 alike, 0 different, 0 failed, 1 skipped"));
}

TEST_CASE("a run that did not pass has its reason") {
  const Matrix matrix = sample();
  CHECK(summary_of(matrix.rows[2].cells[1]) == "it needs | Linux 6.15");
  CHECK(matrix.rows[3].cells[1].kind == MatrixKind::failed);
}

TEST_CASE("the totals count each row once") {
  CHECK(matrix_totals(sample()) ==
        "4 runs on 2 kernels: 1 alike, 1 different, 1 failed, 1 skipped");
  Matrix repeated = sample();
  repeated.repeat = 5;
  CHECK_THAT(matrix_totals(repeated), Contains("4 runs on 2 kernels, 5 times each: 1 alike"));
}

TEST_CASE("the table leaves out what is the same everywhere, unless it is asked for all") {
  CHECK_THAT(text_of(false), !Contains("alike\n") && Contains("other  IPv4"));
  CHECK_THAT(text_of(true), Contains("alike  IPv4"));
  CHECK_THAT(
      text_of(false),
      Contains(
          "  6.1.176  ≠ differs   calls of kang's dnc-2: - read fails ECONNRESET, + read = 0"));
}

TEST_CASE("the table fits into a narrow terminal") {
  std::istringstream lines(text_of(true, 40));
  for (std::string line; std::getline(lines, line);) CHECK(columns(line) <= 40);
}

TEST_CASE("text from outside is no markup") {
  std::ostringstream page;
  write_html(page, sample());
  CHECK_THAT(page.str(), Contains("&lt;b&gt;late&lt;/b&gt;") && !Contains("<b>late"));
  CHECK_THAT(page.str(), Contains("<del>- read fails ECONNRESET</del>"));
  CHECK_THAT(page.str(), Contains("alike<span class=\"a-family\">IPv4</span>"));
  std::ostringstream markdown;
  write_markdown(markdown, sample(), false);
  CHECK_THAT(markdown.str(), Contains("it needs \\| Linux 6.15") && !Contains("| alike |"));
}
