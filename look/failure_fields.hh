// The members of what is looked at, listed once: failure_json.cc writes and reads them. The JSON of
// `tcplab look` has the same members. docs/look.md explains them. An archive has the functions
// required, always and unless_empty, as in capture/event/event_fields.hh.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "look/failure_record.hh"

namespace tcplab::look {

template <typename Type, typename Value>
concept Is = std::same_as<std::remove_const_t<Type>, Value>;

constexpr std::array<std::string_view, 5> words_of(ThreadDoes) {
  return {"runs", "waits", "polls", "other", "hidden"};
}
constexpr std::array<std::string_view, 2> words_of(FailureAct) { return {"aborted", "stopped"}; }

void fields(auto&& archive, Is<audit::TimeoutOptions> auto& options) {
  archive.unless_empty("SO_KEEPALIVE", options.keepalive);
  archive.unless_empty("TCP_KEEPIDLE", options.idle);
  archive.unless_empty("TCP_KEEPINTVL", options.interval);
  archive.unless_empty("TCP_KEEPCNT", options.probes);
  archive.unless_empty("TCP_USER_TIMEOUT", options.user_timeout);
  archive.unless_empty("TCP_SYNCNT", options.syn_retries);
  archive.unless_empty("SO_RCVTIMEO", options.receive_timeout);
  archive.unless_empty("SO_SNDTIMEO", options.send_timeout);
}

/// These are members of the connection.
void facts_fields(auto&& archive, Is<audit::SocketFacts> auto& facts) {
  archive.required("state", facts.state);
  archive.always("unread", facts.unread);
  archive.always("unacknowledged", facts.unacknowledged);
  archive.always("in_flight", facts.in_flight);
  archive.always("retransmissions", facts.retransmissions);
  archive.always("probes", facts.probes);
  archive.unless_empty("peer_window", facts.peer_window);
  archive.always("rto", facts.rto);
  archive.unless_empty("has_sent", facts.has_sent);
  archive.unless_empty("has_received", facts.has_received);
  archive.unless_empty("since_sent", facts.since_sent);
  archive.unless_empty("since_received", facts.since_received);
  archive.unless_empty("since_heard", facts.since_heard);
}

void fields(auto&& archive, Is<LookedConnection> auto& connection) {
  archive.always("fds", connection.descriptors);
  archive.required("local", connection.local);
  archive.unless_empty("owner", connection.owner);
  archive.unless_empty("remote", connection.remote);
  facts_fields(archive, connection.facts);
  archive.unless_empty("options", connection.settings);
}

void fields(auto&& archive, Is<LookedThread> auto& thread) {
  archive.required("tid", thread.id);
  archive.always("name", thread.name);
  archive.required("does", thread.does);
  archive.unless_empty("call", thread.call);
  archive.unless_empty("args", thread.arguments);
  archive.unless_empty("fds", thread.descriptors);
  archive.unless_empty("timeout", thread.own_timeout);
  archive.unless_empty("frames", thread.frames);
}

void fields(auto&& archive, Is<TaskRequester> auto& requester) {
  archive.unless_empty("name", requester.name);
  archive.unless_empty("frames", requester.frames);
}

void fields(auto&& archive, Is<LookedTask> auto& task) {
  archive.required("name", task.name);
  archive.always("state", task.state);
  archive.always("call", task.call);
  archive.always("fd", task.descriptor);
  archive.always("has_deadline", task.has_deadline);
  archive.unless_empty("deadline", task.deadline);
  archive.unless_empty("deadline_setter", task.deadline_setter);
  archive.unless_empty("other_timer", task.other_timer);
  archive.unless_empty("frames", task.frames);
  archive.unless_empty("requester", task.requester);
}

void fields(auto&& archive, Is<capture::Socket> auto& socket) {
  archive.required("state", socket.state);
  archive.required("local", socket.local);
  archive.required("remote", socket.remote);
  archive.always("receive_queue", socket.receive_queue);
  archive.always("send_queue", socket.send_queue);
  archive.always("retransmits", socket.retransmits);
}

void fields(auto&& archive, Is<PeerSide> auto& peer) {
  archive.required("host", peer.host);
  archive.required("t", peer.read_at);
  archive.always("has_power", peer.has_power);
  archive.always("can_be_asked", peer.can_be_asked);
  archive.unless_empty("socket", peer.socket);
  archive.unless_empty("calls_open", peer.calls_open);
}

void fields(auto&& archive, Is<RecordedConnection> auto& connection) {
  fields(archive, connection.looked);
  archive.unless_empty("is_forgotten", connection.is_forgotten);
  archive.unless_empty("was_connected", connection.was_connected);
  archive.always("octets_sent", connection.octets_sent);
  archive.always("octets_received", connection.octets_received);
  archive.unless_empty("options_set", connection.options_set);
  archive.always("calls_returned", connection.calls_returned);
  archive.always("calls", connection.calls);
  archive.unless_empty("peer", connection.peer);
  archive.unless_empty("frames", connection.frames);
}

void fields(auto&& archive, Is<capture::ProgramIdentity> auto& identity) {
  archive.unless_empty("vector", identity.vector);
  archive.unless_empty("random", identity.random);
}

void fields(auto&& archive, Is<FailureRecord> auto& record) {
  archive.always("machine", record.machine);
  archive.always("kernel", record.kernel);
  archive.required("wall_clock", record.wall_clock);
  archive.required("act", record.act);
  archive.required("failure", record.failure);
  archive.required("pid", record.process);
  archive.required("own_pid", record.own_process);
  archive.unless_empty("identity", record.identity);
  archive.always("command", record.command);
  archive.unless_empty("user", record.user);
  archive.unless_empty("runtime", record.runtime);
  archive.unless_empty("hidden", record.hidden);
  archive.required("t_sockets", record.read_at);
  archive.required("t_threads", record.threads_at);
  archive.required("threads", record.threads);
  archive.unless_empty("tasks", record.tasks);
  archive.required("connections", record.connections);
}

}  // namespace tcplab::look
