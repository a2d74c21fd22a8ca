// Slides for a room, as one web page that needs no other file: for each run the question, its
// possible answers, the steps, the right answer, and what to remember.
#pragma once

#include <set>
#include <string>

#include "reports/html/page_run.hh"
#include "reports/html/scene.hh"

namespace tcplab::reports {

class Slides {
public:
  explicit Slides(std::string topic) : topic_(std::move(topic)) {}

  /// Adds the slides of a run. `page` is the address of its page.
  void add(html::PageRun run, const std::string& page);
  /// Returns the web page. `index` is the address of the list of all runs.
  std::string page(const std::string& index) const;

private:
  std::string unused_id(const std::string& scenario);

  std::string topic_;
  std::string list_{};    // of the questions, on the first slide
  std::string slides_{};  // all but the first one
  std::set<std::string> ids_{};
  html::Scene widest_{};  // of all ladders: they share definitions
};

}  // namespace tcplab::reports
