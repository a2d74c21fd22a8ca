#include "reports/perfetto/trace_file.hh"

#include <algorithm>
#include <map>
#include <utility>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using Json = TraceFile::Json;
using base::nanoseconds;

constexpr int kFirstThread = 1001;  // so that no thread has the number of a process
constexpr nanoseconds kShortest(1);

double microseconds(nanoseconds span) { return double(span.count()) / 1e3; }

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII only
}

Json name_event(std::string_view what, int process, int thread, Json arguments) {
  return {{"ph", "M"},     {"name", what}, {"pid", process},
          {"tid", thread}, {"ts", 0},      {"args", std::move(arguments)}};
}

}  // namespace

int TraceFile::add_process(const std::string& name, const std::string& label) {
  processes_.push_back({name, label});
  return int(processes_.size());
}

int TraceFile::add_thread(int process, const std::string& name, int rank) {
  threads_.push_back({process, name, rank});
  return kFirstThread + int(threads_.size()) - 1;
}

TraceFile::Slice TraceFile::add_slice(int thread, const std::string& name, base::Instant begin,
                                      base::Instant end, Json arguments) {
  slices_.push_back({thread, name, begin, end, std::move(arguments)});
  return slices_.size() - 1;
}

void TraceFile::add_moment(int thread, const std::string& name, base::Instant at, Json arguments) {
  moments_.push_back({thread, name, at, std::move(arguments)});
}

void TraceFile::add_value(int process, const std::string& curve, const std::string& unit,
                          base::Instant at, double value) {
  values_.push_back({process, curve, unit, at, value});
}

void TraceFile::add_flow(Slice from, Slice to, const std::string& name) {
  flows_.push_back({from, to, name});
}

void TraceFile::remove_overlaps() {
  std::map<int, std::vector<SliceOfThread*>> rows;
  for (SliceOfThread& slice : slices_) {
    slice.end = std::max(slice.end, slice.begin + kShortest);
    rows[slice.thread].push_back(&slice);
  }
  for (auto& [thread, row] : rows) {
    std::ranges::stable_sort(row, {}, [](const SliceOfThread* slice) { return slice->begin; });
    std::vector<SliceOfThread*> open;
    for (SliceOfThread* slice : row) {
      if (!open.empty() && slice->begin <= open.back()->begin) {
        slice->begin = open.back()->begin + kShortest;
        slice->end = std::max(slice->end, slice->begin + kShortest);
      }
      while (!open.empty() && open.back()->end <= slice->begin) open.pop_back();
      for (SliceOfThread* outer : open)
        if (outer->end < slice->end) outer->end = slice->begin;
      std::erase_if(open, [&](const SliceOfThread* outer) { return outer->end <= slice->begin; });
      open.push_back(slice);
    }
  }
}

Json TraceFile::event(std::string_view phase, int thread, const std::string& name) const {
  return {{"ph", phase},
          {"name", printable(name)},
          {"pid", threads_[std::size_t(thread - kFirstThread)].process},
          {"tid", thread}};
}

Json TraceFile::names() const {
  Json events = Json::array();
  for (std::size_t index = 0; index < processes_.size(); ++index) {
    const int process = int(index) + 1;
    const Process& known = processes_[index];
    events.push_back(name_event("process_name", process, 0, {{"name", printable(known.name)}}));
    events.push_back(name_event("process_sort_index", process, 0, {{"sort_index", process}}));
    if (!known.label.empty())
      events.push_back(
          name_event("process_labels", process, 0, {{"labels", printable(known.label)}}));
  }
  for (std::size_t index = 0; index < threads_.size(); ++index) {
    const int number = kFirstThread + int(index);
    const Thread& thread = threads_[index];
    events.push_back(
        name_event("thread_name", thread.process, number, {{"name", printable(thread.name)}}));
    events.push_back(name_event("thread_sort_index", thread.process, number,
                                {{"sort_index", thread.rank * kFirstThread + number}}));
  }
  return events;
}

std::vector<TraceFile::Line> TraceFile::lines() const {
  std::vector<Line> lines;
  for (const SliceOfThread& slice : slices_) {
    Json line = event("X", slice.thread, slice.name);
    line["dur"] = microseconds(slice.end - slice.begin);
    line["args"] = slice.arguments;
    lines.push_back({slice.begin, std::move(line)});
  }
  for (const Moment& moment : moments_) {
    Json line = event("i", moment.thread, moment.name);
    line["s"] = "t";  // its scope: the thread
    line["args"] = moment.arguments;
    lines.push_back({moment.at, std::move(line)});
  }
  for (const Value& value : values_)
    lines.push_back({value.at,
                     {{"ph", "C"},
                      {"name", printable(value.curve)},
                      {"pid", value.process},
                      {"args", {{value.unit, value.value}}}}});
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    const Flow& flow = flows_[index];
    for (const auto& [phase, end] : {std::pair("s", flow.from), std::pair("f", flow.to)}) {
      Json line = event(phase, slices_[end].thread, flow.name);
      line["cat"] = "frame";
      line["id"] = index + 1;
      if (*phase == 'f') line["bp"] = "e";  // it ends in the slice of this moment, not the next one
      lines.push_back({slices_[end].begin, std::move(line)});
    }
  }
  // A slice comes before the arrows that begin or end with it.
  std::ranges::stable_sort(lines, {}, &Line::at);
  return lines;
}

std::string TraceFile::text(base::Instant start, const Json& about) {
  remove_overlaps();
  std::string out =
      "{\"displayTimeUnit\":\"ns\",\"otherData\":" + dumped(about) + ",\"traceEvents\":[";
  bool is_first = true;
  const auto add = [&](const Json& event) {
    out += is_first ? "\n" : ",\n";
    out += dumped(event);
    is_first = false;
  };
  for (const Json& event : names()) add(event);
  for (Line& line : lines()) {
    line.event["ts"] = microseconds(line.at - start);
    add(line.event);
  }
  return out + "\n]}\n";
}

}  // namespace tcplab::reports
