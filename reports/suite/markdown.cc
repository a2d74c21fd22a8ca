#include "reports/suite/markdown.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/shell_word.hh"
#include "base/split.hh"
#include "capture/event/event_words.hh"
#include "reports/suite/markdown_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

// GitHub accepts at most 1 MiB for the summary of a step. These limits keep the page below that.
constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMostDetails = 30;
constexpr std::size_t kLongestAccount = 16'000;
constexpr std::size_t kSlowest = 5;

std::string html(std::string_view text) {
  std::string out;
  for (const char letter : printable(text)) {
    const std::string_view named = github_entity(letter);
    if (named.empty())
      out += letter;
    else
      out += named;
  }
  return out;
}

/// Escapes text for <pre>, inside which Markdown is not parsed (CommonMark section 4.6).
std::string preformatted(std::string_view text) {
  std::string out;
  for (const std::string& line : base::split(text, '\n')) out += html(line) + "\n";
  return out;
}

/// Returns the command that repeats the run. It uses the name of a scenario in the catalogue, and
/// the file of any other.
std::string command_of(const RunResult& result) {
  const std::string topic_and_name = result.id.substr(0, result.id.find(' '));
  const bool has_name =
      result.file.empty() || result.file.ends_with("scenarios/" + topic_and_name + ".lua");
  std::string command =
      "tcplab run --live " + base::shell_word(has_name ? result.name : result.file);
  if (result.variant.find("IPv6") != std::string::npos) command += " --family 6";
  if (result.variant.find("stock") != std::string::npos) command += " --timers stock";
  return command;
}

std::string title_of(const RunResult& result) {
  return markdown_text(result.name) + " (" + markdown_text(result.variant) + ")";
}

std::vector<const RunResult*> troubles_of(const SuiteRecord& suite) {
  std::vector<const RunResult*> found;
  for (const RunResult& result : suite.results)
    if (is_trouble(result)) found.push_back(&result);
  return found;
}

std::string head(const SuiteRecord& suite) {
  const bool is_good = exit_status(suite) == 0 && suite.not_run.empty();
  std::string out =
      fmt::format("## {} tcplab: {}\n\n", is_good ? "✅" : "❌", markdown_text(summary_text(suite)));
  std::vector<std::string> kernels;
  for (const RunResult& result : suite.results)
    if (!result.kernel.empty() && std::ranges::count(kernels, result.kernel) == 0)
      kernels.push_back(result.kernel);
  std::ranges::sort(kernels);
  if (!kernels.empty())
    out += "- Linux " + markdown_text(fmt::format("{}", fmt::join(kernels, ", "))) + "\n";
  if (suite.shard) out += "- shard " + text_of(*suite.shard) + "\n";
  if (suite.seed)
    out += fmt::format("- to repeat this order: `--shuffle --seed {}`\n", *suite.seed);
  if (suite.perturbation)
    out += fmt::format("- to repeat these delays: `--perturb={}`\n", *suite.perturbation);
  return out;
}

std::string verdict_rows(const RunResult& result) {
  std::string out;
  for (const capture::Verdict& verdict : result.verdicts) {
    if (verdict.passed) continue;
    const auto row = [&out](const char* name, const std::string& text) {
      if (!text.empty()) out += fmt::format("| {} | {} |\n", name, markdown_text(text));
    };
    row("expected", verdict.expected);
    row("seen", verdict.seen);
    row("nearest miss", verdict.nearest);
    row("where", fmt::format("{}:{}", verdict.script, verdict.line));
  }
  return out.empty() ? "" : "| | |\n|---|---|\n" + out + "\n";
}

std::string details_of(const RunResult& result) {
  std::string out =
      fmt::format("<details><summary>{}: {}</summary>\n\n",
                  html(result.name + " (" + result.variant + ")"), capture::word(result.outcome));
  out += verdict_rows(result);
  const std::string& account = result.failure_text.empty() ? result.reason : result.failure_text;
  if (!account.empty())
    out += "<pre>\n" + preformatted(std::string_view(account).substr(0, kLongestAccount)) +
           "</pre>\n\n";
  out += "To repeat it:\n\n<pre>\n" + preformatted(command_of(result)) + "</pre>\n\n";
  return out + "</details>\n\n";
}

std::string failures(const std::vector<const RunResult*>& troubles) {
  if (troubles.empty()) return "";
  std::string out = "\n### Failures\n\n| run | outcome | reason |\n|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(troubles.size(), kMostRows); ++i)
    out += fmt::format("| {} | {} | {} |\n", title_of(*troubles[i]),
                       capture::word(troubles[i]->outcome), markdown_text(troubles[i]->reason));
  if (troubles.size() > kMostRows)
    out += fmt::format("| and {} more | | |\n", troubles.size() - kMostRows);
  out += "\n";
  for (std::size_t i = 0; i < std::min(troubles.size(), kMostDetails); ++i)
    out += details_of(*troubles[i]);
  return out;
}

std::string list_of(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = fmt::format("\n### {}\n\n", title);
  for (std::size_t i = 0; i < std::min(lines.size(), kMostRows); ++i) out += "- " + lines[i] + "\n";
  if (lines.size() > kMostRows) out += fmt::format("- and {} more\n", lines.size() - kMostRows);
  return out;
}

std::string left_out(const SuiteRecord& suite) {
  std::vector<std::string> skipped;
  for (const RunResult& result : suite.results)
    if (result.outcome == capture::Outcome::skipped)
      skipped.push_back(title_of(result) + ": " + markdown_text(result.reason));
  for (const RunResult& result : suite.not_run)
    skipped.push_back(title_of(result) + ": not run, " + markdown_text(result.reason));
  return list_of("Skipped", skipped);
}

std::string findings(const SuiteRecord& suite) {
  std::vector<std::string> found;
  for (const RunResult& result : suite.results)
    for (const std::string& what : result.findings)
      found.push_back(title_of(result) + ": " + markdown_text(what));
  return list_of("Findings: transitions that are not in RFC 9293", found);
}

std::string repeated(const SuiteRecord& suite) {
  std::vector<std::string> runs;
  for (const RunResult& result : suite.results)
    if (!result.stalled.empty())
      runs.push_back(title_of(result) + ": " + markdown_text(result.stalled));
  return list_of("Run a second time, alone: the lab had stood still", runs);
}

std::string slowest(const SuiteRecord& suite) {
  std::vector<const RunResult*> runs;
  for (const RunResult& result : suite.results)
    if (result.duration.count() > 0) runs.push_back(&result);
  std::ranges::stable_sort(runs, std::ranges::greater{}, &RunResult::duration);
  if (runs.size() < 2) return "";
  std::string out = "\n### Slowest\n\n| run | seconds |\n|---|---:|\n";
  for (std::size_t i = 0; i < std::min(runs.size(), kSlowest); ++i)
    out +=
        fmt::format("| {} | {:.2f} |\n", title_of(*runs[i]), base::in_seconds(runs[i]->duration));
  return out;
}

}  // namespace

std::string markdown_summary(const SuiteRecord& suite) {
  return head(suite) + failures(troubles_of(suite)) + findings(suite) + repeated(suite) +
         left_out(suite) + slowest(suite);
}

}  // namespace tcplab::reports
