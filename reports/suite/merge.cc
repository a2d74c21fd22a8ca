#include "reports/suite/merge.hh"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

Shard shard_of(const Part& part) { return part.record.shard.value_or(Shard{1, 1}); }

void require_one_suite(const Part& first, const Part& part) {
  if (shard_of(part).count != shard_of(first).count) {
    throw base::UsageError(
        fmt::format("{} is shard {}, and {} is shard {}: they are from different suites",
                    first.file, text_of(shard_of(first)), part.file, text_of(shard_of(part))));
  }
  if (part.record.plan == first.record.plan && part.record.planned == first.record.planned) return;
  throw base::UsageError(
      fmt::format("{} and {} are from different suites ({} and {} runs): all shards need the same "
                  "scenarios and the same options",
                  first.file, part.file, first.record.planned, part.record.planned));
}

/// Records which file contains what. Throws if two files contain the same.
class Owners {
public:
  explicit Owners(std::string what) : what_(std::move(what)) {}

  void add(const std::string& name, const std::string& file) {
    const auto [owner, is_new] = owners_.emplace(name, file);
    if (is_new) return;
    throw base::UsageError(
        fmt::format("{} {} is in both {} and {}", what_, name, owner->second, file));
  }
  bool contains(const std::string& name) const { return owners_.contains(name); }
  std::size_t size() const { return owners_.size(); }

private:
  std::string what_;
  std::map<std::string, std::string> owners_;
};

void add(SuiteRecord& suite, const SuiteRecord& part) {
  suite.results.insert(suite.results.end(), part.results.begin(), part.results.end());
  suite.not_run.insert(suite.not_run.end(), part.not_run.begin(), part.not_run.end());
  suite.wall = std::max(suite.wall, part.wall);
  if (suite.started.empty() || (!part.started.empty() && part.started < suite.started))
    suite.started = part.started;
  if (suite.seed != part.seed) suite.seed.reset();
  if (suite.perturbation != part.perturbation) suite.perturbation.reset();
}

void sort(std::vector<RunResult>& results) {
  std::ranges::stable_sort(results, [](const RunResult& left, const RunResult& right) {
    return std::tie(left.name, left.variant) < std::tie(right.name, right.variant);
  });
}

}  // namespace

Merged merge(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  Owners shards("shard");
  Owners runs("the run");
  std::set<std::string> hostnames;
  Merged merged;
  merged.record = {.seed = first.record.seed,
                   .perturbation = first.record.perturbation,
                   .planned = first.record.planned,
                   .plan = first.record.plan};
  for (const Part& part : parts) {
    require_one_suite(first, part);
    shards.add(text_of(shard_of(part)), part.file);
    for (const auto* list : {&part.record.results, &part.record.not_run})
      for (const RunResult& run : *list) runs.add("\"" + run.id + "\"", part.file);
    add(merged.record, part.record);
    if (!part.record.hostname.empty()) hostnames.insert(part.record.hostname);
  }
  for (Shard shard{1, shard_of(first).count}; shard.index <= shard.count; ++shard.index)
    if (!shards.contains(text_of(shard))) merged.missing.push_back(shard);
  if (merged.missing.empty() && runs.size() != merged.record.planned) {
    throw base::UsageError(
        fmt::format("the shards have {} runs, but the suite has {}: a file is incomplete",
                    runs.size(), merged.record.planned));
  }
  merged.record.hostname = fmt::format("{}", fmt::join(hostnames, ", "));
  sort(merged.record.results);
  sort(merged.record.not_run);
  return merged;
}

}  // namespace tcplab::reports
