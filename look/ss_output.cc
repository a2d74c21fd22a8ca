#include "look/ss_output.hh"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

#include "base/error.hh"

namespace tcplab::look {

namespace {

using base::nanoseconds;
using capture::TcpState;
using std::chrono::milliseconds;

// The kernel counts milliseconds in 32 bits.
constexpr milliseconds kLongest{0xffffffffLL};
constexpr const char* kUse = "use: ss -tnoiep | tcplab look -";

struct StateName {
  std::string_view name;
  TcpState state;
};
// misc/ss.c in iproute2.
constexpr auto kStates = std::to_array<StateName>({{"ESTAB", TcpState::established},
                                                   {"SYN-SENT", TcpState::syn_sent},
                                                   {"SYN-RECV", TcpState::syn_recv},
                                                   {"FIN-WAIT-1", TcpState::fin_wait1},
                                                   {"FIN-WAIT-2", TcpState::fin_wait2},
                                                   {"TIME-WAIT", TcpState::time_wait},
                                                   {"UNCONN", TcpState::close},
                                                   {"CLOSE-WAIT", TcpState::close_wait},
                                                   {"LAST-ACK", TcpState::last_ack},
                                                   {"LISTEN", TcpState::listen},
                                                   {"CLOSING", TcpState::closing}});

std::optional<TcpState> state_of(std::string_view word) {
  const auto found = std::ranges::find(kStates, word, &StateName::name);
  return found == kStates.end() ? std::nullopt : std::optional(found->state);
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "10.0.0.1:80", "[::1]:80", "10.0.0.1%eth0:80"; "*" is any address or port.
std::optional<base::Endpoint> endpoint(std::string_view word) {
  const auto colon = word.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view address = word.substr(0, colon);
  const std::string_view port = word.substr(colon + 1);
  address = address.substr(0, address.find('%'));
  if (address.starts_with('[')) {
    address.remove_prefix(1);
    if (address.ends_with(']')) address.remove_suffix(1);
  }
  const auto parsed = base::IpAddress::parse(std::string(address == "*" ? "::" : address));
  const auto number_of_port =
      port == "*" ? std::optional<std::uint16_t>(0) : number<std::uint16_t>(port);
  if (!parsed || !number_of_port) return std::nullopt;
  return base::Endpoint{*parsed, *number_of_port};
}

struct Owner {
  std::string name;
  pid_t process = 0;
  int descriptor = -1;
};

/// users:(("nginx",pid=11,fd=3),("nginx",pid=12,fd=3))
std::vector<Owner> owners_in(std::string_view line) {
  std::vector<Owner> owners;
  auto at = line.find("users:((");
  if (at == std::string_view::npos) return owners;
  for (at = line.find("(\"", at); at != std::string_view::npos; at = line.find("(\"", at + 1)) {
    const auto name_end = line.find("\",pid=", at);
    if (name_end == std::string_view::npos) break;
    Owner owner{.name = std::string(line.substr(at + 2, name_end - at - 2))};
    const auto pid_at = name_end + std::string_view("\",pid=").size();
    const auto pid_end = line.find(',', pid_at);
    const auto descriptor_at = line.find("fd=", pid_at);
    if (pid_end == std::string_view::npos || descriptor_at == std::string_view::npos) break;
    owner.process = number<pid_t>(line.substr(pid_at, pid_end - pid_at)).value_or(0);
    const auto end = line.find_first_of("),", descriptor_at);
    owner.descriptor =
        number<int>(line.substr(descriptor_at + 3, end - descriptor_at - 3)).value_or(-1);
    owners.push_back(std::move(owner));
  }
  return owners;
}

/// timer:(on,1.204ms,5). ss writes no time for a timer that is due: timer:(persist,,2).
void take_timer(std::string_view word, audit::SocketFacts& facts) {
  constexpr std::string_view kBegin = "timer:(";
  word.remove_prefix(kBegin.size());
  const auto first = word.find(',');
  const auto second = word.find(',', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return;
  const std::string_view kind = word.substr(0, first);
  const std::string_view time = word.substr(first + 1, second - first - 1);
  facts.until_timer = time.empty() ? nanoseconds(0) : parse_ss_time(std::string(time));
  if (!facts.until_timer) return;
  const std::string_view count = word.substr(second + 1, word.find(')') - second - 1);
  const std::uint32_t times = number<std::uint8_t>(count).value_or(0);  // idiag_retrans
  facts.has_state_timer = kind == "timewait";
  facts.has_keepalive_timer = kind == "keepalive";
  facts.has_window_timer = kind == "persist";
  if (kind == "on") facts.retransmissions = times;
  if (kind == "keepalive" || kind == "persist") facts.probes = times;
}

std::optional<nanoseconds> milliseconds_of(std::string_view text) {
  const auto value = number<double>(text);
  if (!value || !(*value >= 0) || *value > kLongest.count()) return std::nullopt;
  return std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double, std::milli>(*value));
}

/// The details of the option -i: "rto:204", "unacked:1", "lastsnd:5000".
bool take_detail(std::string_view word, audit::SocketFacts& facts) {
  const auto colon = word.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = word.substr(0, colon);
  const std::string_view value = word.substr(colon + 1);
  if (name == "rto")
    facts.rto = milliseconds_of(value).value_or(facts.rto);
  else if (name == "unacked")
    facts.in_flight = number<std::uint32_t>(value).value_or(0);
  else if (name == "data_segs_out")
    facts.has_sent = true;
  else if (name == "data_segs_in")
    facts.has_received = true;
  else if (name == "lastsnd")
    facts.since_sent = milliseconds_of(value);
  else if (name == "lastrcv")
    facts.since_received = milliseconds_of(value);
  else if (name == "lastack")
    facts.since_heard = milliseconds_of(value);
  else if (name == "snd_wnd")
    facts.peer_window = number<std::uint32_t>(value);
  else
    return false;
  return true;
}

class SsReader {
public:
  void line(const std::string& text) {
    std::istringstream words(text);
    const bool is_continued = text.front() == '\t' || text.front() == ' ';
    if (is_continued) {
      if (!has_connection_) return;
      for (std::string word; words >> word;) detail(word);
      copy_facts();
      return;
    }
    has_connection_ = false;
    std::string first;
    words >> first;
    if (first == "tcp") words >> first;  // Netid, if ss was asked for several protocols
    if (const auto state = state_of(first))
      begin(*state, words, text);
    else if (first == "State" || first == "Netid")
      has_heading_ = true;
    else
      ++output_.skipped;
  }

  SsOutput take() {
    if (is_empty_ && has_heading_) return std::move(output_);
    if (is_empty_)
      throw base::UsageError(std::string("the input has no TCP connection as ss writes it; ") +
                             kUse);
    if (!has_details_)
      throw base::UsageError(std::string("the input has no details of connections; ") + kUse);
    for (auto& [process, looked] : processes_)
      if (process != 0) output_.processes.push_back(std::move(looked));
    for (LookedProcess& process : output_.processes)
      std::ranges::stable_sort(process.connections, {}, &LookedConnection::descriptors);
    if (const auto other = processes_.find(0); other != processes_.end())
      output_.processes.push_back(std::move(other->second));
    return std::move(output_);
  }

private:
  void begin(TcpState state, std::istringstream& words, const std::string& text) {
    std::uint64_t unread = 0;
    std::uint64_t unacknowledged = 0;
    std::string local;
    std::string remote;
    if (!(words >> unread >> unacknowledged >> local >> remote)) {
      ++output_.skipped;
      return;
    }
    const auto here = endpoint(local);
    const auto there = endpoint(remote);
    if (!here || !there) {
      ++output_.skipped;
      return;
    }
    is_empty_ = false;
    const bool listens = state == TcpState::listen;
    connection_ = {
        .descriptors = {},
        .local = *here,
        .remote = listens ? std::nullopt : there,
        .facts = {.state = state, .unread = unread, .unacknowledged = listens ? 0 : unacknowledged},
        .settings = {}};
    owners_ = owners_in(text);
    has_connection_ = true;
    for (std::string word; words >> word;) detail(word);
    place();
  }

  void detail(const std::string& word) {
    if (word.starts_with("timer:(")) {
      take_timer(word, connection_.facts);
      has_details_ = true;
    } else if (word == "ino:0") {
      connection_.facts.is_orphan = true;
    } else if (take_detail(word, connection_.facts)) {
      has_details_ = true;
    }
  }

  /// Puts the connection into the processes that have it.
  void place() {
    places_.clear();
    if (owners_.empty()) owners_.push_back({});
    for (const Owner& owner : owners_) {
      LookedProcess& process = processes_[owner.process];
      process.id = owner.process;
      process.command = owner.name;
      LookedConnection copy = connection_;
      if (owner.descriptor >= 0) copy.descriptors = {owner.descriptor};
      places_.emplace_back(owner.process, process.connections.size());
      process.connections.push_back(std::move(copy));
    }
  }

  void copy_facts() {
    for (const auto& [process, index] : places_)
      processes_[process].connections[index].facts = connection_.facts;
  }

  SsOutput output_;
  std::map<pid_t, LookedProcess> processes_;
  LookedConnection connection_;
  bool has_connection_ = false;  // that a detail may be of
  std::vector<Owner> owners_;
  std::vector<std::pair<pid_t, std::size_t>> places_;
  bool is_empty_ = true;
  bool has_heading_ = false;
  bool has_details_ = false;
};

}  // namespace

std::optional<nanoseconds> parse_ss_time(const std::string& text) {
  nanoseconds time{};
  std::string_view rest = text;
  const auto take = [&rest](std::string_view unit) -> std::optional<std::int64_t> {
    const auto at = rest.find(unit);
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = number<std::int64_t>(rest.substr(0, at));
    if (!value || *value < 0 || *value > kLongest.count() / 1000) return std::nullopt;
    rest.remove_prefix(at + unit.size());
    return value;
  };
  if (const auto minutes = take("min")) time += std::chrono::minutes(*minutes);
  if (const auto seconds = take("sec")) time += std::chrono::seconds(*seconds);
  // "1.204ms" is 1 s and 204 ms (print_ms_timer() in misc/ss.c).
  if (const auto seconds = take(".")) time += std::chrono::seconds(*seconds);
  if (const auto left = take("ms")) time += milliseconds(*left);
  if (!rest.empty() || text.empty()) return std::nullopt;
  return time;
}

SsOutput read_ss_output(const std::string& text) {
  SsReader reader;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) reader.line(line);
  return reader.take();
}

}  // namespace tcplab::look
