// A Node that runs a script, up to the system call in which it waits.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "capture/runtimes/find_runtime.hh"
#include "tests/workshop.hh"

namespace tcplab::tests {

class NodeProcess {
public:
  /// `options`: of node. Its standard input is a pipe that stays open and empty.
  NodeProcess(const std::vector<std::string>& options, const std::string& script,
              const std::string& file = "script.js");
  ~NodeProcess();
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  /// Returns the next line of its standard output.
  std::string line();

  /// Waits until one of its threads is in this call, with this first argument, and looks where.
  capture::ThreadPosition wait_in(long call, int argument) const;

  /// Waits until its main thread waits for events.
  capture::ThreadPosition wait_for_events() const;

  /// Its runtime, as it is now; null if it is unknown.
  std::unique_ptr<capture::Runtime> runtime();

  /// What it had mapped when runtime() was called.
  const capture::ProcessImage& image() const { return *image_; }

  std::string script() const { return script_; }

private:
  TemporaryFolder folder_;
  std::string script_;
  base::FileDescriptor input_;
  base::FileDescriptor output_;
  pid_t process_ = -1;
  std::unique_ptr<capture::LiveMemory> memory_;
  std::unique_ptr<capture::ProcessImage> image_;
};

}  // namespace tcplab::tests
