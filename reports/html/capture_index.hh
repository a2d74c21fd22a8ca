// The index page of an explained capture: a row for each connection, the worst first.
#pragma once

#include <string>
#include <vector>

namespace tcplab::html {

struct CaptureRow {
  std::string page;                // the file name of the connection's page; empty if it has none
  std::vector<std::string> cells;  // one for each heading
  bool is_bad = false;
};

struct CaptureTable {
  std::string title;                    // "yours.pcap"
  std::vector<std::string> paragraphs;  // what the capture has
  std::vector<std::string> headings;
  std::vector<CaptureRow> rows;
};

std::string capture_index(const CaptureTable& table);

}  // namespace tcplab::html
