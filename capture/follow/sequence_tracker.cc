#include "capture/follow/sequence_tracker.hh"

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

std::optional<std::uint16_t> SequenceVariables::peer_window_in_header(bool of_syn) const {
  if (of_syn && peer_syn_window) return static_cast<std::uint16_t>(*peer_syn_window);
  if (peer_window) return static_cast<std::uint16_t>(*peer_window);
  if (!peer_syn_window) return std::nullopt;
  return static_cast<std::uint16_t>(*peer_syn_window >> peer_window_scale);
}

SegmentTraits SequenceTracker::send(const SegmentHeader& segment) {
  if (segment.rst || is_ignored_syn(segment)) return {};
  const SegmentTraits traits = classify(segment);
  if (begins_connection(segment)) begin(segment);
  advance_snd_nxt(segment);
  if (segment.fin && !now_.fin_end) now_.fin_end = segment.end();
  // RFC 7323 section 2.3: both ends must offer the option; a SYN,ACK has it only then.
  if (segment.syn) now_.window_scale = segment.window_scale.value_or(0);
  if (segment.ack) note_acknowledgment_sent(segment);
  if (!segment.syn) now_.window = segment.window;
  // RFC 7323 section 3.2: if both SYNs had the option, every later segment has it, but a RST may
  // lack it.
  if (!segment.timestamps) {
    if (!segment.rst) now_.ts_own.reset();
    return traits;
  }
  now_.ts_own = segment.timestamps->value;
  if (segment.ack) now_.ts_recent = segment.timestamps->echo_reply;
  return traits;
}

bool SequenceTracker::begins_connection(const SegmentHeader& segment) const {
  if (!now_.is_known) return true;
  return segment.syn && segment.sequence != now_.iss && !is_ignored_syn(segment);
}

bool SequenceTracker::is_ignored_syn(const SegmentHeader& segment) const {
  return vantage_ == Vantage::path && segment.syn && now_.is_known && now_.is_acknowledged &&
         segment.sequence != now_.iss;
}

bool SequenceTracker::began_with_probes(std::uint32_t next) {
  const bool has_one_number = now_.is_known && !now_.has_sent_syn && !now_.is_acknowledged &&
                              now_.snd_nxt == now_.iss + 1 && !now_.fin_end;
  if (!has_one_number || next != now_.snd_nxt + 1) return false;
  now_.iss = now_.snd_nxt;
  now_.snd_una = now_.snd_nxt = next;
  return true;
}

void SequenceTracker::begin(const SegmentHeader& segment) {
  now_ = {.is_known = true,
          .has_sent_syn = segment.syn,
          .iss = segment.syn ? segment.sequence : segment.sequence - 1,
          .snd_una = segment.sequence,
          .snd_nxt = segment.sequence};
  greatest_acknowledgment_.reset();
  gaps_ = {};
}

SegmentTraits SequenceTracker::classify(const SegmentHeader& segment) const {
  if (segment.rst || is_ignored_syn(segment)) return {};
  SegmentTraits traits;
  if (begins_connection(segment)) {
    if (segment.occupied() > 0) traits.add(SegmentTrait::new_data);
  } else {
    traits = probe_traits(segment);
    if (!traits.is_probe() && segment.occupied() > 0) traits = data_traits(segment);
    if (!traits.is_probe() && segment.occupied() == 0) traits = acknowledgment_traits(segment);
  }
  if (segment.ack && (begins_connection(segment) || is_new_acknowledgment(segment)))
    traits.add(SegmentTrait::new_acknowledgment);
  // The window of a SYN is not scaled (RFC 7323 section 2.2), and no TCP closes it there.
  if (segment.window == 0 && !segment.syn) traits.add(SegmentTrait::zero_window);
  return traits;
}

SegmentTraits SequenceTracker::probe_traits(const SegmentHeader& segment) const {
  // Before it has heard of its peer an end has nothing to probe.
  if (!segment.is_plain() || segment.length > 1 || !now_.irs) return {};
  const bool is_closed = now_.peer_window == 0U;
  if (segment.sequence == now_.snd_nxt - 1) {
    if (is_closed) return {SegmentTrait::window_probe};
    const bool is_idle = now_.is_acknowledged && now_.snd_una == now_.snd_nxt;
    if (segment.length == 0 || is_idle) return {SegmentTrait::keepalive_probe};
  }
  if (is_closed && segment.length == 1 && segment.sequence == now_.snd_nxt)
    return {SegmentTrait::window_probe, SegmentTrait::new_data};
  return {};
}

SegmentTraits SequenceTracker::data_traits(const SegmentHeader& segment) const {
  if (gaps_.contains(segment.sequence)) return {SegmentTrait::out_of_order};
  if (is_before(now_.snd_nxt, segment.end())) {
    SegmentTraits traits{SegmentTrait::new_data};
    if (is_before(segment.sequence, now_.snd_nxt)) traits.add(SegmentTrait::partial_retransmission);
    return traits;
  }
  SegmentTraits traits{SegmentTrait::retransmission};
  if (now_.is_acknowledged && !is_before(now_.snd_una, segment.end()))
    traits.add(SegmentTrait::spurious_retransmission);
  return traits;
}

bool SequenceTracker::is_new_acknowledgment(const SegmentHeader& segment) const {
  const auto& greatest = greatest_acknowledgment_;
  return !now_.acknowledgment || (is_before(*now_.acknowledgment, segment.acknowledgment) &&
                                  (!greatest || is_before(*greatest, segment.acknowledgment)));
}

SegmentTraits SequenceTracker::acknowledgment_traits(const SegmentHeader& segment) const {
  const auto& greatest = greatest_acknowledgment_;
  const bool is_repeated =
      now_.acknowledgment == segment.acknowledgment || greatest == segment.acknowledgment;
  const bool is_overtaken = greatest && is_before(segment.acknowledgment, *greatest);
  if (!segment.ack || !is_repeated || is_overtaken || !now_.window) return {};
  if (*now_.window < segment.window) return {SegmentTrait::window_update};
  const bool data_is_above =
      now_.received_end && is_before(segment.acknowledgment, *now_.received_end);
  if (*now_.window == segment.window && data_is_above) return {SegmentTrait::duplicate_ack};
  return {};
}

void SequenceTracker::advance_snd_nxt(const SegmentHeader& segment) {
  const std::uint32_t end = segment.end();
  now_.octets += gaps_.fill(segment.sequence, end);
  if (!is_before(now_.snd_nxt, end)) return;
  const bool skips = is_before(now_.snd_nxt, segment.sequence);
  if (skips && vantage_ == Vantage::path) gaps_.add(now_.snd_nxt, segment.sequence);
  const std::uint32_t first = skips ? segment.sequence : now_.snd_nxt;
  now_.octets += end - first - (segment.syn ? 1U : 0U) - (segment.fin ? 1U : 0U);
  now_.snd_nxt = end;
}

void SequenceTracker::note_acknowledgment_sent(const SegmentHeader& segment) {
  now_.acknowledgment = segment.acknowledgment;
  if (now_.received_end && !is_before(*now_.received_end, segment.acknowledgment))
    greatest_acknowledgment_ =
        later(greatest_acknowledgment_.value_or(segment.acknowledgment), segment.acknowledgment);
  if (!now_.irs) {
    now_.irs = segment.acknowledgment - 1;
    now_.rcv_nxt = segment.acknowledgment;
    now_.rcv_end = segment.acknowledgment;
  }
  const unsigned scale = segment.syn ? 0 : now_.window_scale;
  now_.rcv_nxt = later(now_.rcv_nxt, segment.acknowledgment);
  now_.rcv_end = later(now_.rcv_end, segment.acknowledgment + (segment.window << scale));
}

void SequenceTracker::receive(const SegmentHeader& segment) {
  if (!now_.is_known || segment.rst) return;
  if (segment.syn) return receive_syn(segment);
  note_acknowledgment_ahead(segment);
  if (!is_acceptable(segment)) return;
  // RFC 9293 section 3.10.7.4, fifth: an old acknowledgment does not change the window.
  if (!is_before(segment.acknowledgment, now_.snd_una)) now_.peer_window = segment.window;
  acknowledge(segment.acknowledgment);
  now_.received_end = later(now_.received_end.value_or(segment.end()), segment.end());
  if (is_before(now_.rcv_nxt, segment.sequence)) return;  // a hole is before it
  now_.rcv_nxt = later(now_.rcv_nxt, segment.end());
  if (segment.timestamps) now_.ts_recent = segment.timestamps->value;
}

/// In SYN_SENT: the peer's SYN, with an acknowledgment or without.
void SequenceTracker::receive_syn(const SegmentHeader& segment) {
  if (segment.ack && (is_before(now_.snd_nxt, segment.acknowledgment) ||
                      !is_before(now_.iss, segment.acknowledgment)))
    return;
  if (now_.irs && *now_.irs != segment.sequence) return;
  if (!now_.irs) {
    now_.irs = segment.sequence;
    now_.rcv_nxt = segment.sequence + 1;
    now_.rcv_end = now_.rcv_nxt;
    if (!segment.window_scale) now_.window_scale = 0;
    now_.peer_window_scale = segment.window_scale.value_or(0);
    if (segment.timestamps)
      now_.ts_recent = segment.timestamps->value;
    else
      now_.ts_own.reset();  // both SYNs must offer the option
  }
  now_.peer_syn_window = segment.window;
  now_.received_end = later(now_.received_end.value_or(segment.end()), segment.end());
  if (segment.ack) acknowledge(segment.acknowledgment);
}

void SequenceTracker::acknowledge(std::uint32_t acknowledgment) {
  now_.snd_una = later(now_.snd_una, acknowledgment);
  now_.is_acknowledged = now_.is_acknowledged || acknowledgment != now_.iss;
}

/// The peer acknowledges octets of which the capture has no frame yet. If the end goes on beyond
/// them, the acknowledgment was true; else another host may have forged it.
void SequenceTracker::note_acknowledgment_ahead(const SegmentHeader& segment) {
  if (vantage_ != Vantage::path || !segment.ack) return;
  if (!is_before(now_.snd_nxt, segment.acknowledgment)) return;
  acknowledged_ahead_ =
      later(acknowledged_ahead_.value_or(segment.acknowledgment), segment.acknowledgment);
}

std::uint32_t SequenceTracker::acknowledged() const {
  const bool is_true = acknowledged_ahead_ && !is_before(now_.snd_nxt, *acknowledged_ahead_);
  return is_true ? later(now_.snd_una, *acknowledged_ahead_) : now_.snd_una;
}

/// RFC 9293 section 3.10.7.4, and RFC 7323 section 5: a segment older than an earlier one is
/// dropped.
bool SequenceTracker::is_acceptable(const SegmentHeader& segment) const {
  if (!now_.irs || !segment.ack) return false;
  // RFC 5961 section 5.2 also refuses an acknowledgment older than the largest window; this refuses
  // one older than the connection.
  if (is_before(segment.acknowledgment, now_.iss)) return false;
  if (is_before(now_.snd_nxt, segment.acknowledgment)) return false;
  if (!segment.timestamps || !now_.ts_own) return true;  // not negotiated: ignored
  return !is_before(segment.timestamps->value, now_.ts_recent);
}

}  // namespace tcplab::capture
