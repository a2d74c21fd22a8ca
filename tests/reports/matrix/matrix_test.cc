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

MatrixCell cell(const SampleRun& run, const SampleRun& first) {
  const Behaviour one = behaviour_of(first);
  return matrix_cell(Outcome::passed, "", behaviour_of(run), &one);
}

Matrix sample() {
  const MatrixCell same;
  return {.kernels = {"this", "6.1.176"},
          .rows = {
              {"alike", "IPv4", {same, same}},
              {"other", "IPv4", {same, cell(reads(0, 0), reads(-1, ECONNRESET))}},
              {"needy",
               "IPv6",
               {same, matrix_cell(Outcome::skipped, "it needs | Linux 6.15", {}, nullptr)}},
              {"wrong", "IPv6", {same, matrix_cell(Outcome::failed, "<b>late</b>", {}, nullptr)}}}};
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
  CHECK(summary_of(other) == "calls of kang's dnc-2: - read fails ECONNRESET");
}

TEST_CASE("calls that only one kernel's runs record are not compared") {
  SampleRun unseen;
  unseen.hosts().at(1s).verdict(true, "x", "y");
  CHECK(cell(unseen, reads(0, 0)).kind == MatrixKind::same);
  CHECK(cell(reads(0, 0), unseen).kind == MatrixKind::same);
}

TEST_CASE("a run that did not pass has its reason") {
  const Matrix matrix = sample();
  CHECK(summary_of(matrix.rows[2].cells[1]) == "it needs | Linux 6.15");
  CHECK(matrix.rows[3].cells[1].kind == MatrixKind::failed);
}

TEST_CASE("the totals count each row once") {
  CHECK(matrix_totals(sample()) ==
        "4 runs on 2 kernels: 1 alike, 1 different, 1 failed, 1 not compared");
}

TEST_CASE("the table leaves out what is the same everywhere, unless it is asked for all") {
  CHECK_THAT(text_of(false), !Contains("alike\n") && Contains("other  IPv4"));
  CHECK_THAT(text_of(true), Contains("alike  IPv4"));
  CHECK_THAT(text_of(false),
             Contains("  6.1.176  ≠ differs   calls of kang's dnc-2: - read fails ECONNRESET"));
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
  std::ostringstream markdown;
  write_markdown(markdown, sample(), false);
  CHECK_THAT(markdown.str(), Contains("it needs \\| Linux 6.15") && !Contains("| alike |"));
}
