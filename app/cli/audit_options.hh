// The options of `tcplab audit`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/audit/audit_files.hh"
#include "lab/hosts/kernel_choice.hh"

namespace tcplab::app {

struct AuditOptions {
  std::vector<std::string> words{};  // the client's command, or the script
  std::string server{};
  int port = 0;
  std::vector<std::string> requests{};
  std::string after{};
  std::vector<std::string> limits{};  // a time, and limits of a run: "output=128M"
  std::string ready{};
  std::string baseline = "10s";
  std::vector<std::string> failures{};
  std::vector<std::string> moments{};
  std::string timers = "stock";
  std::string family = "4";
  std::string kernel{lab::kThisKernel};
  std::optional<std::uint64_t> jobs{};
  std::string out = "audit";
  std::string notice_within{};
  std::string recover_within{};
  bool no_repeat = false;
  AuditFiles files{};
  std::string html{};
  bool trust = false;
  bool init = false;
  bool compare = false;
  bool apply = false;
};

/// Whether a value of --limit is NAME=N, not a time.
bool is_limit_of_a_run(const std::string& limit);

/// Adds all options, the client and the footer.
void add_audit_options(CLI::App& command, AuditOptions& options);

}  // namespace tcplab::app
