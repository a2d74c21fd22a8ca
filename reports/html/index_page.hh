// The page of a suite: each run with its verdict, the words that select it, and the state diagram
// with every edge lit that some run has gone along. Holds no run: a summary of each is enough.
#pragma once

#include <string>
#include <vector>

#include "reports/html/told_run.hh"

namespace tcplab::html {

struct IndexEntry {
  std::string page;  // the file's name
  capture::RunStart run{};
  std::optional<capture::RunEnd> end{};
  int passed = 0;
  int failed = 0;
  EdgeSet edges{};

  /// The folder that the scenario's file is in: "puzzlers".
  std::string topic() const;
};

IndexEntry index_entry(const ToldRun& told, const std::string& page);
std::string index_page(const std::vector<IndexEntry>& entries);

}  // namespace tcplab::html
