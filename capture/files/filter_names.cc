#include "capture/files/filter_names.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <span>
#include <string_view>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

// An address follows one of these, unless a word of kOtherNext comes between (pcap-filter(7)).
constexpr std::string_view kAddressNext[] = {"host", "src", "dst", "net", "gateway"};
constexpr std::string_view kOtherNext[] = {
    "port",    "portrange", "proto",  "protochain", "type", "subtype", "less",    "greater",
    "ifindex", "len",       "length", "vlan",       "mpls", "pppoes",  "inbound", "outbound"};
// Keywords that can stand in place of an address, and are no names.
constexpr std::string_view kKeywords[] = {
    "and",      "or",       "not",       "ether",    "link", "ip",     "ip6",       "arp",
    "rarp",     "tcp",      "udp",       "sctp",     "icmp", "icmp6",  "igmp",      "igrp",
    "pim",      "vrrp",     "carp",      "ah",       "esp",  "mask",   "byte",      "stp",
    "ipx",      "iso",      "llc",       "atalk",    "aarp", "decnet", "pppoed",    "clnp",
    "esis",     "isis",     "geneve",    "netbeui",  "lat",  "moprc",  "broadcast", "multicast",
    "mopdl",    "tr",       "fddi",      "wlan",     "ppp",  "slip",   "radio",     "tcpflags",
    "icmptype", "icmpcode", "icmp6type", "icmp6code"};
constexpr std::string_view kConstants[] = {"tcp-", "icmp-", "icmp6-"};  // tcp-syn, icmp-echo

bool is_in(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_word_character(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string_view("._:-").find(letter) != std::string_view::npos;
}

bool is_constant(std::string_view word) {
  const auto begins = [&](std::string_view prefix) { return word.starts_with(prefix); };
  return std::any_of(std::begin(kConstants), std::end(kConstants), begins);
}

/// Returns true for a host name; false for numbers, IP addresses and Ethernet addresses.
bool is_name(std::string_view word) {
  const bool has_letter = std::any_of(word.begin(), word.end(), [](char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0;
  });
  const bool is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  return has_letter && !is_hexadecimal && word.find(':') == std::string_view::npos;
}

class Replacer {
public:
  explicit Replacer(const HostNames& names) : names_(names) {}

  std::string replace(std::string_view expression) {
    std::string result;
    while (!expression.empty()) {
      const auto end = std::find_if_not(expression.begin(), expression.end(), is_word_character);
      const auto length = static_cast<std::size_t>(end - expression.begin());
      result += length == 0 ? replace_punctuation(expression[0])
                            : replace_word(expression.substr(0, length));
      expression.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
  }

private:
  std::string replace_punctuation(char letter) {
    if (letter == '(') in_list_ = follows_qualifier_;
    if (letter == ')') in_list_ = false;
    return {letter};
  }

  std::string replace_word(std::string_view word) {
    const bool is_qualifier = is_in(kAddressNext, word);
    if (is_qualifier) expects_address_ = true;
    if (is_in(kOtherNext, word)) expects_address_ = false;
    // Constants occur only in arithmetic. After "host", "tcp-syn" would be a name.
    const bool is_known =
        is_qualifier || is_in(kKeywords, word) || (is_constant(word) && !follows_qualifier_);
    const bool is_address = expects_address_ && !is_known && is_name(word);
    follows_qualifier_ = is_qualifier;
    return is_address ? addresses(std::string(word)) : std::string(word);
  }

  std::string addresses(const std::string& name) const {
    const auto host = names_.find(name);
    if (host == names_.end() || host->second.empty())
      throw base::UsageError(fmt::format("\"{}\" is not the name of a host here", name));
    const auto& all = host->second;
    if (all.size() == 1) return all.front().to_string();
    if (in_list_)
      throw base::UsageError(fmt::format(
          "\"{}\" has several addresses: write \"host {}\" without parentheses", name, name));
    std::string list = "(";
    for (const base::IpAddress& address : all)
      list.append(list.size() == 1 ? "" : " or ").append(address.to_string());
    return list + ")";
  }

  const HostNames& names_;
  bool expects_address_ = false;    // pcap would look up a name here
  bool follows_qualifier_ = false;  // the last word was "host", "src", ...
  bool in_list_ = false;            // within "host (": pcap's grammar allows no parentheses there
};

}  // namespace

std::string replace_host_names(const std::string& expression, const HostNames& names) {
  return Replacer(names).replace(expression);
}

}  // namespace tcplab::capture
