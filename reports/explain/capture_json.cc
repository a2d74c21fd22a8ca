#include "reports/explain/capture_json.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/explain/standing.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

double seconds(std::int64_t nanoseconds) { return double(nanoseconds) / 1e9; }

const char* kind_of_roles(const capture::Conversation& talk, const Roles& roles) {
  if (roles.are_guessed()) return "by the ports";
  if (!roles.are_known()) return "unknown";
  return talk.states().begins_with_syn_ack() ? "by the SYN,ACK" : "by the SYN";
}

Json json_of_end(const RankedConnection& entry, std::size_t end) {
  const capture::ConversationEnd& shown = entry.followed->conversation.end(end);
  const StateClaim standing = standing_of(entry.followed->conversation, entry.facts(), end);
  Json states = Json::array();
  if (standing.certainty == StateClaim::Certainty::probable)
    for (const capture::TcpState state : standing.states) states.push_back(capture::name(state));
  Json json{{"address", shown.address.to_string()},
            {"frames", shown.segments},
            {"octets", shown.octets},
            {"data_frames", shown.data_frames},
            {"data_segments", shown.data_segments},
            {"retransmissions", shown.retransmissions},
            {"out_of_order", shown.out_of_order},
            {"duplicate_acks", shown.duplicate_acks},
            {"zero_windows", shown.zero_windows},
            {"keepalive_probes", shown.keepalive_probes},
            {"window_probes", shown.window_probes},
            {"resets", shown.resets},
            {"unanswered", shown.unanswered},
            {"states", std::move(states)}};
  if (standing.certainty == StateClaim::Certainty::last_seen)
    json["last_seen"] = capture::name(entry.followed->conversation.states().end(end).now);
  return json;
}

Json json_of(const Scan& scan) {
  Json hosts = Json::array();
  for (const base::IpAddress& address : scan.addresses) hosts.push_back(address.to_string());
  Json open_at = Json::array();
  for (const base::Endpoint& endpoint : scan.open_at) open_at.push_back(endpoint.to_string());
  return {
      {"connections", scan.connections}, {"ports", text_of_ports(scan.port_numbers)},
      {"hosts", std::move(hosts)},       {"open", scan.open},
      {"refused", scan.refused},         {"no_answer", scan.connections - scan.open - scan.refused},
      {"open_at", std::move(open_at)}};
}

Json json_of(const RankedConnection& entry, const CaptureStory& story, std::int64_t first_at) {
  const auto& talk = entry.followed->conversation;
  const std::size_t first = entry.roles.first();
  Json opinions = Json::array();
  for (const Diagnosis& diagnosis : story.diagnoses_of(entry)) {
    Json opinion{{"because", diagnosis.because}};
    if (!diagnosis.scenario.empty()) opinion["scenario"] = diagnosis.scenario;
    if (!diagnosis.others.empty()) opinion["same_frames"] = diagnosis.others;
    opinions.push_back(std::move(opinion));
  }
  Json json{{"number", entry.followed->number},
            {"began", seconds(talk.began_at() - first_at)},
            {"ended", seconds(talk.last_at() - first_at)},
            {"trouble", name(entry.summary.trouble)},
            {"ending", entry.summary.ending},
            {"what_happened", story.words_of(entry)},
            {"probably", std::move(opinions)},
            {"roles", kind_of_roles(talk, entry.roles)},
            {"icmp_errors", entry.followed->icmp_errors},
            {"client", json_of_end(entry, first)},
            {"server", json_of_end(entry, 1 - first)}};
  if (const Scan* scan = story.ranking().scans().of(entry)) json["scan"] = json_of(*scan);
  return json;
}

/// Returns the value as text without a line feed at its end, in which each line begins with this
/// number of spaces.
std::string text_of(const Json& json, std::size_t indentation) {
  std::string text = json_text(json);
  text.pop_back();
  const std::string lead(indentation, ' ');
  std::string indented = lead;
  for (const char letter : text) {
    indented += letter;
    if (letter == '\n') indented += lead;
  }
  return indented;
}

}  // namespace

/// Writes one connection at a time: the text of all is larger than what is known of them.
void write_capture_json(std::ostream& out, const FollowedCapture& capture,
                        const CaptureStory& story, const std::string& file,
                        const std::string& read_error) {
  const CaptureTotals& totals = capture.totals();
  Json undecoded = Json::object();
  for (const UndecodedFrames::Count& count : capture.undecoded().counts())
    undecoded[count.name] = count.frames;
  Json json = json_document("tcplab-explain");
  json.update({{"file", file},
               {"read_error", read_error.empty() ? Json() : Json(read_error)},
               {"first_frame", fmt::format("{}.{:09}", totals.first_at / 1'000'000'000,
                                           totals.first_at % 1'000'000'000)},
               {"seconds", seconds(totals.last_at - totals.first_at)},
               {"frames", totals.frames},
               {"tcp_frames", totals.segments},
               {"good_connections_only_counted", totals.forgotten},
               {"connections_not_followed", totals.unfollowed},
               {"frames_of_other_connections", totals.untold},
               {"frames_cut_before_tcp", totals.cut},
               {"frames_captured_twice", totals.twice},
               {"only_syn_fin_rst", totals.lacks_plain},
               {"time_jumps", totals.jumps},
               {"fragments_of_incomplete_packets", totals.fragments},
               {"frames_not_decoded", std::move(undecoded)}});
  std::string text = text_of(json, 0);
  text.resize(text.rfind('\n'));  // the list comes before the last brace
  out << text << ",\n  \"connections\": [";
  const char* separator = "\n";
  for (const RankedConnection& entry : story.entries()) {
    if (!story.ranking().scans().stands_alone(entry)) continue;
    out << separator << text_of(json_of(entry, story, totals.first_at), 4);
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
}

}  // namespace tcplab::reports
