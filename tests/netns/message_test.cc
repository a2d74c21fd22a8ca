#include "netns/message.hh"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("a message carries text and working descriptors") {
  const auto channel = netns::make_channel();
  base::Pipe pipe = base::make_pipe();
  netns::send_message(channel.theirs.get(), "ready", std::vector{pipe.write_end.get()});
  const auto message = netns::receive_message(channel.ours.get());
  REQUIRE(message.text == "ready");
  REQUIRE(message.descriptors.size() == 1);
  CHECK((fcntl(message.descriptors[0].get(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(message.descriptors[0].get(), "x", 1) == 1);
  char read_back = 0;
  REQUIRE(::read(pipe.read_end.get(), &read_back, 1) == 1);
  CHECK(read_back == 'x');
}

TEST_CASE("a message takes a hundred descriptors, and rejects three hundred") {
  const auto channel = netns::make_channel();
  netns::send_message(channel.theirs.get(), "many", std::vector<int>(100, 0));
  CHECK(netns::receive_message(channel.ours.get()).descriptors.size() == 100);
  CHECK_THROWS_AS(netns::send_message(channel.theirs.get(), "more", std::vector<int>(300, 0)),
                  base::LabError);
}

TEST_CASE("when the other side closes, receiving returns an empty text") {
  auto channel = netns::make_channel();
  SECTION("after it has read everything") {}
  SECTION("with a message unread") { netns::send_message(channel.ours.get(), "go"); }
  channel.theirs.reset();
  CHECK(netns::receive_message(channel.ours.get()).text.empty());
}
