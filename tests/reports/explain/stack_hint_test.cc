#include "reports/explain/stack_hint.hh"

#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

namespace {

Said linux_syn(std::uint32_t acknowledgment = 0) {
  return {.acknowledgment = acknowledgment,
          .stamp = 7,
          .scale = 7,
          .segment_size = 1460,
          .sack_permitted = true};
}

Said bare_syn(std::uint8_t hop_limit, std::uint32_t acknowledgment = 0) {
  return {.acknowledgment = acknowledgment, .hop_limit = hop_limit, .segment_size = 1460};
}

std::string hint_of(const Said& syn, const Said& syn_ack) {
  SeenTalk talk;
  talk.say(0, "S", syn).say(1, "S.", syn_ack);
  return stack_hint(talk.facts, 1, "the server");
}

}  // namespace

TEST_CASE("a stack shows in its hop limit and in the options of its SYN") {
  CHECK(hint_of(linux_syn(), linux_syn(1)).empty());
  CHECK(has(hint_of(linux_syn(), bare_syn(255, 1)), "lwIP or another small stack"));
  CHECK(hint_of(linux_syn(), bare_syn(64, 1)) ==
        "The server may run libslirp (QEMU's user network, a rootless container) or another old or "
        "small stack: its hop limit is 64, and it offers no SACK and no timestamps. A proxy, or a "
        "device that rewrites segments, looks the same.");
  Said windows = linux_syn(1);
  windows.hop_limit = 117;
  windows.stamp = 0;
  CHECK(has(hint_of(linux_syn(), windows), "may run Windows: its hop limit is 117."));
}

TEST_CASE("a SYN,ACK lacks what was not offered to it, and says nothing of its stack") {
  CHECK(hint_of(bare_syn(64), bare_syn(64, 1)).empty());
  CHECK(hint_of(bare_syn(255), bare_syn(250, 1)).empty());
}

TEST_CASE("a capture without the handshake has no hint") {
  SeenTalk talk;
  talk.say(0, ".", {.sequence = 1, .acknowledgment = 1, .length = 5, .hop_limit = 128});
  CHECK(stack_hint(talk.facts, 0, "the client").empty());
}

}  // namespace tcplab::reports::tests
