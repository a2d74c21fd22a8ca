// What to write on a frame's arrow: flags, relative sequence numbers, length. Remembers of each
// connection where both directions began and how far they got, so that it can say "again".
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct SegmentText {
  std::vector<std::string> labels;  // the longest first; the caller takes the first that fits
  Paint paint = Paint::plain;
};

struct SegmentNumbers;

class Segments {
public:
  SegmentText describe(const capture::Packet& packet);

  /// Connections count from 1 in the order of their first appearance.
  int connection_number(const capture::Endpoint& one, const capture::Endpoint& other);

private:
  struct Direction {
    bool known = false;
    std::uint32_t first = 0;                      // the sequence number that is shown as 0
    std::uint32_t next = 0;                       // behind the last that was sent
    std::map<std::string, std::uint32_t> hops{};  // the same of each host that put it on a wire
  };
  struct Connection {
    int number = 0;
    Direction directions[2];
  };
  using Key = std::pair<capture::Endpoint, capture::Endpoint>;  // the smaller one first

  Connection& connection(const Key& key);
  SegmentNumbers follow(const capture::Packet& packet);

  std::map<Key, Connection> connections_;
  std::deque<Key> oldest_;  // the order in which connections are forgotten
  std::set<std::uint64_t> held_;
  int count_ = 0;
};

}  // namespace tcplab::reports
