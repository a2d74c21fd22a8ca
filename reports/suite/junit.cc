#include "reports/suite/junit.hh"

#include <fmt/format.h>
#include <utility>

#include "reports/suite/xml_text.hh"

namespace tcplab::reports {

namespace {

using capture::Outcome;

std::string property(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", name, xml_attribute(value));
}

/// Splits "IPv4, fast" into family and timers.
std::pair<std::string, std::string> split_variant(const std::string& variant) {
  const auto comma = variant.find(", ");
  if (comma == std::string::npos) return {variant, ""};
  return {variant.substr(0, comma), variant.substr(comma + 2)};
}

std::string properties(const RunResult& result) {
  const auto [family, timers] = split_variant(result.variant);
  const std::string all = property("kernel", result.kernel) + property("family", family) +
                          property("timers", timers) + property("directory", result.directory);
  return all.empty() ? "" : "      <properties>\n" + all + "      </properties>\n";
}

std::string outcome_element(const RunResult& result) {
  const std::string message = xml_attribute(result.reason);
  switch (result.outcome) {
    case Outcome::passed:
      return "";
    case Outcome::skipped:
      return fmt::format("      <skipped message=\"{}\"/>\n", message);
    case Outcome::failed:
      return fmt::format("      <failure type=\"expectation\" message=\"{}\">{}</failure>\n",
                         message, xml_text(result.failure_text));
    case Outcome::bad_script:
    case Outcome::broken:
      return fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n",
                         result.outcome == Outcome::broken ? "lab" : "script", message,
                         xml_text(result.failure_text));
  }
  return "";
}

/// Returns the attribute with a blank before it; empty if the value is empty.
std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_attribute(value));
}

std::string test_case(const RunResult& result, const std::string& outcome) {
  const std::string variant = result.variant.empty() ? "" : " (" + result.variant + ")";
  const SourceLine place = place_of(result);
  return fmt::format(
      "    <testcase classname=\"tcplab.{}\" name=\"{}\"{}{} time=\"{:.6f}\">\n{}{}    "
      "</testcase>\n",
      xml_attribute(result.name), xml_attribute(result.name + variant),
      attribute("file", place.file),
      attribute("line", place.line > 0 ? std::to_string(place.line) : ""),
      base::in_seconds(result.duration), properties(result), outcome);
}

}  // namespace

std::string junit_xml(const SuiteRecord& suite) {
  const Counts counts = count_outcomes(suite.results);
  const auto not_run = static_cast<int>(suite.not_run.size());
  const std::string totals =
      fmt::format("name=\"tcplab\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.6f}\"",
                  counts.all() + not_run, counts.failed, counts.bad_script + counts.broken,
                  base::in_seconds(suite.wall));
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites {}>\n", totals);
  out += fmt::format("  <testsuite {} skipped=\"{}\"{}{}>\n", totals, counts.skipped + not_run,
                     attribute("timestamp", suite.started), attribute("hostname", suite.hostname));
  for (const RunResult& result : suite.results) out += test_case(result, outcome_element(result));
  for (const RunResult& result : suite.not_run)
    out += test_case(result, fmt::format("      <skipped message=\"not run, {}\"/>\n",
                                         xml_attribute(result.reason)));
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace tcplab::reports
