// Starts the programs of a guest, relays their input and output, and reports when they end.
#pragma once

#include <poll.h>

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/file_descriptor.hh"
#include "uml/agent/program_tracer.hh"
#include "uml/configuration.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

class Programs {
public:
  explicit Programs(GuestChannel& channel) : channel_(channel), tracer_(channel) {}

  /// Starts a program, and returns its pid once execvp(3) has succeeded. Throws base::LabError.
  pid_t start(const ProgramStart& request);
  /// Queues bytes for its descriptor 0. Does nothing if it is closed.
  void input(pid_t program, Bytes bytes);
  void close_input(pid_t program);

  /// Appends what to wait for. Outputs wait while the lab is behind.
  void add_to(std::vector<pollfd>& waiting, bool may_send) const;
  /// Handles a descriptor that is ready. Returns false if it is none of ours.
  bool serve(int descriptor);

  /// Handles what has happened to children: stops of traced programs, and ends. Sends what a
  /// program of ours has written and called, and its end.
  void reap();

  /// Does what the lab asks of the tracer. Returns its answer.
  int ask_tracer(const std::string& request) { return tracer_.take(request); }
  /// Does what is due in traced programs. Returns the time until the next call, if any.
  std::optional<base::nanoseconds> act_on_time() { return tracer_.act_on_time(); }
  /// Sends what traced programs have called.
  void send_calls() { tracer_.flush(); }

private:
  struct Stream {
    pid_t program;
    int descriptor;  // of the program
    base::FileDescriptor pipe;
    StreamKind direction;
    std::string to_write{};
    bool is_last = false;  // close it after to_write
  };

  pid_t launch(const ProgramStart& request, const std::map<int, int>& descriptors);
  Stream* input_of(pid_t program);
  /// Sends what waits. Returns false at the end of the stream.
  bool relay(Stream& stream);
  /// Writes what the pipe takes. Returns false when it is to be closed.
  static bool write_some(Stream& stream);
  void end_output(const Stream& stream);

  GuestChannel& channel_;
  std::list<Stream> streams_;
  std::set<pid_t> running_;
  ProgramTracer tracer_;
};

/// Returns the inodes of the sockets that these processes have open (proc_pid_fd(5)).
std::vector<std::uint64_t> open_sockets(const std::vector<pid_t>& processes);

}  // namespace tcplab::uml
