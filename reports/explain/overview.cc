#include "reports/explain/overview.hh"

#include <algorithm>
#include <array>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <map>
#include <ostream>
#include <set>

#include "reports/explain/diagnosis_rules.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kEndingWidth = 24;  // at least; else each connection has two lines

/// The columns of the table. The last one takes the rest of the line.
enum Column : std::size_t {
  number_column,
  client_column,
  server_column,
  began_column,
  lasted_column,
  sent_column,
  received_column,
  again_column,
  zero_column,
  ending_column,
  column_count
};
using Row = std::vector<std::string>;

std::string moment(std::int64_t at) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(static_cast<std::time_t>(at / 1'000'000'000)));
}

std::string optional_count(std::uint64_t count) { return count == 0 ? "-" : std::to_string(count); }

/// Returns the address that all connections have at that end, client or server; empty if they
/// differ.
std::string common_address(const std::vector<RankedConnection>& entries, bool of_client) {
  if (entries.size() == 1) return "";
  const auto address = [of_client](const RankedConnection& entry) {
    const std::size_t end = of_client ? entry.roles.first() : 1 - entry.roles.first();
    return entry.followed->conversation.end(end).address.address;
  };
  const bool are_alike = std::ranges::all_of(entries, [&](const RankedConnection& entry) {
    return entry.roles.are_known() && address(entry) == address(entries.front());
  });
  return are_alike ? address(entries.front()).to_string() : "";
}

/// Returns the data of an end. If the capture has only the other direction, that acknowledges it.
std::string octets_text(const RankedConnection& entry, std::size_t end) {
  const std::uint64_t unseen = unseen_octets(entry.followed->conversation, end);
  return size_text(unseen > 0 ? unseen : entry.summary.octets.at(end));
}

std::string port_of(const RankedConnection& entry, std::size_t end) {
  return fmt::format(":{}", entry.followed->conversation.end(end).address.port);
}

Row cells_of(const RankedConnection& entry, std::int64_t first_at) {
  const auto& talk = entry.followed->conversation;
  const std::size_t first = entry.roles.first();
  return {std::to_string(entry.followed->number),
          talk.end(first).address.to_string(),
          talk.end(1 - first).address.to_string(),
          fmt::format("{:.3f} s", double(talk.began_at() - first_at) / 1e9),
          duration(entry.summary.lasted),
          octets_text(entry, first),
          octets_text(entry, 1 - first),
          optional_count(entry.summary.retransmissions),
          optional_count(entry.summary.zero_windows),
          entry.summary.ending};
}

class OverviewTable {
public:
  OverviewTable(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void add(Row row) {
    for (std::size_t column = 0; column < column_count; ++column)
      widths_.at(column) = std::max(widths_.at(column), columns(row.at(column)));
    rows_.push_back(std::move(row));
  }

  void write() {
    if (rows_.empty()) return;
    // On a narrow terminal the beginning and the counts that are all zero are left out.
    for (const Column column : {began_column, zero_column, again_column})
      if (room() < kEndingWidth && (column == began_column || is_unused(column)))
        widths_.at(column) = 0;
    for (const Row& row : rows_) write(row);
  }

private:
  bool is_unused(Column column) const {
    return std::all_of(rows_.begin() + 1, rows_.end(),
                       [column](const Row& row) { return row.at(column) == "-"; });
  }

  int room() const {
    int used = 0;
    for (std::size_t column = 0; column < ending_column; ++column)
      used += widths_.at(column) == 0 ? 0 : widths_.at(column) + 2;
    return style_.width - used;
  }

  void write(const Row& row) {
    std::string lead;
    for (std::size_t column = 0; column < ending_column; ++column) {
      const int width = widths_.at(column);
      if (width == 0) continue;
      const bool is_text = column == client_column || column == server_column;
      lead += is_text ? fmt::format("{:<{}}  ", row.at(column), width)
                      : fmt::format("{:>{}}  ", row.at(column), width);
    }
    const Paint paint = &row == &rows_.front() ? Paint::dim : Paint::plain;
    if (room() >= kEndingWidth)
      return write_hanging(out_, lead, row.at(ending_column), paint, style_);
    lead.erase(lead.find_last_not_of(' ') + 1);
    write_hanging(out_, "", lead, paint, style_);
    write_hanging(out_, std::string(std::size_t(widths_[number_column] + 2), ' '),
                  row.at(ending_column), paint, style_);
  }

  std::ostream& out_;
  const Style& style_;
  std::vector<Row> rows_;
  std::array<int, column_count> widths_{};
};

std::string trouble_words(const Ranking& ranking, std::uint64_t forgotten) {
  std::map<Trouble, std::size_t, std::greater<>> counts;
  if (forgotten > 0) counts[Trouble::none] = forgotten;
  const Scans& scans = ranking.scans();
  for (const RankedConnection& entry : ranking.entries())
    if (scans.of(entry) == nullptr) ++counts[entry.summary.trouble];
  std::string text = scans.all().empty() ? "" : counted(scans.all().size(), "port scan");
  for (const auto& [trouble, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", count, words_for_many(trouble));
  return text;
}

std::string place_words(const std::string& client, const std::string& server) {
  if (client.empty() && server.empty()) return "";
  if (server.empty()) return fmt::format(" All clients are {}.", client);
  if (client.empty()) return fmt::format(" All servers are {}.", server);
  return fmt::format(" All clients are {}, all servers {}.", client, server);
}

std::vector<RankedConnection> entries_of(const FollowedCapture& capture) {
  std::vector<RankedConnection> entries;
  entries.reserve(capture.connections().size());
  for (const auto& followed : capture.connections()) {
    const Roles roles(followed->conversation);
    entries.push_back({followed.get(), roles,
                       summary_of(followed->conversation, followed->facts, roles,
                                  followed->facts.around.ends_at)});
  }
  std::ranges::stable_sort(entries, is_worse, &RankedConnection::summary);
  return entries;
}

/// Returns the row of a connection, or of the scan that it stands for.
OverviewRow row_of(const RankedConnection& entry, const Scan* scan, std::int64_t first_at) {
  Row cells = cells_of(entry, first_at);
  if (scan == nullptr) return {&entry, std::move(cells), entry.summary.trouble};
  const auto& server = entry.followed->conversation.end(1 - entry.roles.first()).address;
  cells[server_column] =
      target_of(*scan) + (scan->hosts > 1 ? fmt::format(", port {}", server.port)
                                          : fmt::format(" of {}", server.address.to_string()));
  cells[ending_column] = words_of(*scan);
  return {&entry, std::move(cells), entry.summary.trouble};
}

OverviewRow row_of_others(std::size_t count, Trouble trouble) {
  Row cells(column_count);
  cells[number_column] = "...";
  cells[ending_column] = fmt::format("and {} more {}", count, words_for_many(trouble));
  return {nullptr, std::move(cells), trouble};
}

}  // namespace

Ranking::Ranking(const FollowedCapture& capture) : entries_(entries_of(capture)), scans_(entries_) {
  for (const RankedConnection& entry : entries_) {
    const Scan* scan = scans_.of(entry);
    if (scan == nullptr) continue;
    capture::Surroundings& around = entry.followed->facts.around;
    around.scanned_ports = static_cast<std::uint32_t>(scan->ports);
    around.scanned_hosts = static_cast<std::uint32_t>(scan->hosts);
  }
}

std::vector<std::string> notes_on(const FollowedCapture& capture) {
  const CaptureTotals& totals = capture.totals();
  std::vector<std::string> notes;
  if (totals.untold > 0)
    notes.push_back(fmt::format(
        "Not followed, because too many others have trouble or are open: {}{}, with {}. Nothing is "
        "said about them. To explain one: tcpdump -r FILE -w one.pcap host ADDRESS and port PORT",
        totals.unfollowed >= FollowedConnections::kMostUnfollowed ? "more than " : "",
        counted(totals.unfollowed, "connection"), counted(totals.untold, "segment")));
  if (totals.lacks_plain)
    notes.emplace_back(
        "Each segment in it has SYN, FIN or RST, and their numbers show data that it does not "
        "have: "
        "a capture filter left out the rest. It cannot show data, losses or waits.");
  if (totals.forgotten > 0)
    notes.push_back(fmt::format("{} that closed without trouble {} only counted.",
                                counted(totals.forgotten, "connection"),
                                totals.forgotten == 1 ? "was" : "were"));
  if (totals.returns > 0)
    notes.push_back(fmt::format(
        "Its timestamps go back {}, by up to {}, as if captures were concatenated. Each "
        "connection is explained in the order of the file; reordercap(1) sorts it.",
        times(totals.returns), duration(totals.farthest_return)));
  if (totals.jumps > 0)
    notes.push_back(fmt::format(
        "Its time jumps forward {}, by up to {:.0f} days, as if captures of different times were "
        "merged. Nothing is said about the time between.",
        times(totals.jumps), double(totals.farthest_jump) / 86'400e9));
  if (totals.twice > 0)
    notes.push_back(fmt::format(
        "{} in it already, identical, as in a capture of a bridge or of `-i any`: each "
        "is counted once",
        totals.twice == 1 ? "1 frame was" : fmt::format("{} frames were", totals.twice)));
  if (totals.cut > 0)
    notes.push_back(
        fmt::format("{} cut off before a TCP header (tcpdump -s) and not explained",
                    totals.cut == 1 ? "1 frame is" : fmt::format("{} frames are", totals.cut)));
  if (totals.fragments > 0)
    notes.push_back(fmt::format(
        "{} of packets that are not whole in the capture, and not explained; a capture filter on "
        "ports leaves out all but the first",
        totals.fragments == 1 ? "1 frame is an IP fragment"
                              : fmt::format("{} frames are IP fragments", totals.fragments)));
  if (capture.undecoded().total() > 0)
    notes.push_back(fmt::format("Not decoded: {}.", words_of(capture.undecoded().counts())));
  return notes;
}

std::vector<std::string> overview_sentences(const FollowedCapture& capture,
                                            const Ranking& ranking) {
  const CaptureTotals& totals = capture.totals();
  const std::vector<RankedConnection>& entries = ranking.entries();
  std::vector<std::string> sentences = {fmt::format(
      "{} in {:.3f} s from {}, {} of TCP, {}{}.{}", counted(totals.frames, "frame"),
      double(totals.last_at - totals.first_at) / 1e9, moment(totals.first_at), totals.segments,
      totals.unfollowed >= FollowedConnections::kMostUnfollowed ? "more than " : "",
      counted(entries.size() + totals.forgotten + totals.unfollowed, "connection"),
      place_words(common_address(entries, true), common_address(entries, false)))};
  sentences.push_back(trouble_words(ranking, totals.forgotten));
  for (std::string& note : notes_on(capture)) sentences.push_back(std::move(note));
  return sentences;
}

std::vector<std::string> overview_headings() {
  return {"#",    "client",   "server",  "began", "lasted",
          "sent", "received", "retrans", "win 0", "how it ended"};
}

std::vector<OverviewRow> overview_rows(const Ranking& ranking, std::int64_t first_at,
                                       const std::set<const Followed*>& chosen) {
  constexpr std::size_t kMany = 200;
  constexpr std::size_t kMostAlike = 20;
  const std::vector<RankedConnection>& entries = ranking.entries();
  const auto stands_alone = [&ranking](const RankedConnection& entry) {
    return ranking.scans().stands_alone(entry);
  };
  const bool is_long =
      static_cast<std::size_t>(std::ranges::count_if(entries, stands_alone)) > kMany;
  std::map<Trouble, std::size_t> alike;
  std::map<Trouble, std::size_t> left_out;
  std::vector<const RankedConnection*> shown;
  for (const RankedConnection& entry : entries) {
    const bool is_chosen = chosen.contains(entry.followed);
    if (!stands_alone(entry) && !is_chosen) continue;
    if (is_chosen || !is_long || ++alike[entry.summary.trouble] <= kMostAlike)
      shown.push_back(&entry);
    else
      ++left_out[entry.summary.trouble];
  }
  std::map<Trouble, const RankedConnection*> last;
  for (const RankedConnection* entry : shown) last[entry->summary.trouble] = entry;
  std::vector<OverviewRow> rows;
  for (const RankedConnection* entry : shown) {
    const Trouble trouble = entry->summary.trouble;
    const Scan* scan = stands_alone(*entry) ? ranking.scans().of(*entry) : nullptr;
    rows.push_back(row_of(*entry, scan, first_at));
    if (entry == last[trouble] && left_out[trouble] > 0)
      rows.push_back(row_of_others(left_out[trouble], trouble));
  }
  return rows;
}

void write_overview(std::ostream& out, const Style& style, const FollowedCapture& capture,
                    const Ranking& ranking) {
  const CaptureTotals& totals = capture.totals();
  const std::vector<RankedConnection>& entries = ranking.entries();
  const bool is_bad = entries.front().summary.trouble != Trouble::none;
  const std::vector<std::string> sentences = overview_sentences(capture, ranking);
  for (std::size_t i = 0; i < sentences.size(); ++i)
    write_hanging(out, "", sentences[i],
                  i != 1   ? Paint::plain
                  : is_bad ? Paint::bad
                           : Paint::good,
                  style);
  out << "\n";
  OverviewTable table(out, style);
  table.add(overview_headings());
  const std::string client = common_address(entries, true);
  const std::string server = common_address(entries, false);
  for (auto& [entry, row, trouble] : overview_rows(ranking, totals.first_at, {})) {
    if (entry == nullptr) {
      table.add(std::move(row));
      continue;
    }
    const std::size_t first = entry->roles.first();
    if (!client.empty()) row[client_column] = port_of(*entry, first);
    if (!server.empty() && entry->facts().around.scanned_ports == 0)
      row[server_column] = port_of(*entry, 1 - first);
    table.add(std::move(row));
  }
  table.write();
  if (totals.untold > 0)
    out << fmt::format("      and {} of other connections; at most {} are followed\n",
                       counted(totals.untold, "segment"), entries.size());
}

}  // namespace tcplab::reports
