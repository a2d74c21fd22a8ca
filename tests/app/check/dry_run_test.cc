// Misuse of the scripting interface is found without hosts, and a script that is right is never
// refused.
#include "app/check/dry_run.hh"

#include "app/verbs/script_interface.hh"
#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using Catch::Matchers::Contains;

namespace {

/// A script whose `run` begins with two hosts in line 2, and goes on with these lines.
app::DryRunResult check(const std::string& lines) {
  const tests::TemporaryFolder folder;
  return app::check_uses(folder.write("mine.lua",
                                      "return { title = 't', asks = 'q', run = function(lab)\n"
                                      "local kang, kodos = lab:pair()\n"
                                      "local client = kang:dnc(kodos, 8080)\n" +
                                          lines + "\nend }\n"),
                         app::script_interface());
}

/// What is wrong in line 4; empty if nothing is.
std::string error_of(const std::string& line) {
  const app::DryRunResult result = check(line);
  if (result.errors.empty()) return "";
  REQUIRE(result.errors.size() == 1);
  CHECK_THAT(result.errors.front(), Contains("mine.lua:4: "));
  return result.errors.front();
}

}  // namespace

TEST_CASE("an unknown verb is refused with the nearest ones") {
  CHECK_THAT(error_of("lab:pear()"), Contains("no verb or field `pear`; did you mean peer"));
  CHECK_THAT(error_of("kang:explode()"), Contains("a host has no verb `explode`; did you mean"));
  CHECK_THAT(error_of("lab:expect(client):in_stat 'CLOSED'"), Contains("did you mean in_state"));
  CHECK_THAT(error_of("lab.expect(client)"), Contains("call it with a colon: lab:expect()"));
}

TEST_CASE("an unknown word is refused with the nearest ones") {
  CHECK_THAT(error_of("lab:expect(client):in_state 'ESTABLISH'"),
             Contains("subject:in_state: argument 1 (state) is \"ESTABLISH\"; did you mean "
                      "ESTABLISHED"));
  CHECK_THAT(error_of("lab:expect(client):call 'conect'"), Contains("did you mean connect"));
  CHECK_THAT(error_of("lab:expect(client):call('read'):fails 'ECONRESET'"),
             Contains("there is no errno ECONRESET"));
  CHECK_THAT(error_of("client:stop 'SIGTREM'"), Contains("there is no signal SIGTREM"));
  CHECK_THAT(error_of("lab:timer('r3', kang)"), Contains("did you mean r1"));
  CHECK(error_of("client:stop 'SIGUSR2'").empty());
}

TEST_CASE("the fields of a peer's segments are checked") {
  const auto said = [](const std::string& verb) {
    return error_of("lab:peer(kang):connect(kodos, { port = 80 })" + verb);
  };
  CHECK(said(":ack():expect { flags = 'PA', ack = -1, options = { sack = false } }").empty());
  CHECK(said(":data('x', { fragment_size = 16, urgent = 1, checksum = 0 })").empty());
  CHECK(said(":syn { options = { timestamps = true, sack = { { 1, 2 } } } }").empty());
  CHECK_THAT(said(":expct {}"), Contains("a peer connection has no verb or field `expct`"));
  CHECK_THAT(said(":expect { flag = 'S' }"), Contains("no option `flag`; did you mean flags"));
  CHECK_THAT(said(":expect { flags = 'SX' }"), Contains("TCP has no flag \"X\""));
  CHECK_THAT(said(":expect { ack = 'all' }"), Contains("`ack` must be"));
  CHECK_THAT(said(":expect { options = { sack = true } }"), Contains("or false for none"));
  CHECK_THAT(said(":expect { options = { raw = 'x' } }"), Contains("no option `raw`"));
  CHECK_THAT(said(":ack { faults = false }"), Contains("no option `faults`"));
  CHECK_THAT(said(":data('x', { fragment_size = 12 })"), Contains("is a multiple of 8 bytes"));
  CHECK_THAT(said(":data('x', { checksum = 65536 })"), Contains("from 0 to 65535"));
  CHECK_THAT(said(":segment {}"), Contains("lacks the option `flags`"));
  CHECK_THAT(said(":expect_nothing '1s'"), Contains("must be a number"));
  CHECK_THAT(said(":acknowledges()"), Contains("argument 1 (by_itself)"));
  CHECK_THAT(error_of("lab:peer(kang):accept {}"), Contains("lacks the option `port`"));
  CHECK_THAT(error_of("lab:peer('kang')"), Contains("must be a host"));
}

TEST_CASE("a peer is one of the hosts, and not all of them") {
  CHECK(error_of("lab:hosts({ 'a', 'b', 'c' }, { peer = { 'a', 'b' } })").empty());
  CHECK_THAT(error_of("lab:pair { peer = 'kong' }"),
             Contains("option `peer`: no host is called \"kong\"; did you mean kang or kodos"));
  CHECK_THAT(error_of("lab:pair { peer = 7 }"), Contains("`peer` must be"));
  CHECK_THAT(error_of("lab:pair { peer = { 'kang', 'kodos' } }"),
             Contains("at least one host must have a kernel"));
  CHECK_THAT(error_of("lab:network { links = { lan = {}, wan = {} }, peer = 'gw', "
                      "hosts = { kang = { 'lan' }, gw = { 'lan', 'wan' }, kodos = { 'wan' } } }"),
             Contains("gw is on several links; a peer is on one"));
  CHECK_THAT(error_of("lab:connected { peer = 'kang' }"), Contains("a peer runs no programs"));
}

TEST_CASE("a wrong argument is refused with its number and name") {
  CHECK_THAT(error_of("lab:wait 'long'"),
             Contains("lab:wait: argument 1 (seconds) must be a number, not a text"));
  CHECK_THAT(error_of("kang:dnc()"), Contains("host:dnc: argument 1 (argument) is missing"));
  CHECK_THAT(error_of("kang:dnc(kodoss, 8080)"), Contains("argument 1 (argument)"));
  CHECK_THAT(error_of("kang:run('sh', print)"), Contains("argument 2 must be"));
  CHECK_THAT(error_of("kang:run { 'sh', probes = { 1 } }"),
             Contains("`probes` must be a text or a list of texts, not a table"));
  CHECK_THAT(error_of("lab:expect(lab)"),
             Contains("must be a host, a program or a connection, not a lab"));
  CHECK_THAT(error_of("kang:mtu('eth0', 12.5)"), Contains("must be a whole number"));
  CHECK_THAT(error_of("kang:sysctl('net.ipv4.tcp_sack', true)"), Contains("argument 2 (value)"));
}

TEST_CASE("a wrong option is refused") {
  CHECK_THAT(error_of("lab:lose('', 'tcp', { colour = 1 })"),
             Contains("argument 3 (options) has no option `colour`; did you mean count"));
  CHECK_THAT(error_of("lab:lose({ colour = 1 })"), Contains("no option `colour`"));
  CHECK_THAT(error_of("lab:delay('', '', {})"), Contains("lacks the option `by`, a number"));
  CHECK_THAT(error_of("lab:lose({ count = 'x' })"),
             Contains("`count` must be a whole number, not a text"));
  CHECK_THAT(error_of("lab:corrupt({ checksum = 'right' })"), Contains("did you mean"));
}

TEST_CASE("a version of Linux is checked") {
  for (const char* line : {"lab:expect(client):since('six'):in_state 'CLOSED'",
                           "lab:expect_packet('kang > kodos', 'SYN', { since = '6' })",
                           "lab:check(true, 'it is', 1, { since = '6.5-rc1' })",
                           "lab:expect_time(1, 1, 'it', { since = 'v6.5' })",
                           "if lab:since '6,5' then lab:wait(1) end"}) {
    INFO(line);
    CHECK_THAT(error_of(line), Contains("is no version of Linux; write it as \"6.5\""));
  }
  CHECK(error_of("lab:never(client, 1):since '6.1.60':in_state 'CLOSED'").empty());
}

TEST_CASE("both branches of lab:since are checked") {
  CHECK_THAT(error_of("if lab:since '6.5' then lab:pear() end"), Contains("no verb"));
  CHECK_THAT(error_of("if not lab:since '6.5' then lab:pear() end"), Contains("no verb"));
}

TEST_CASE("what is injected is checked") {
  const auto inject = [](const std::string& arguments) {
    return error_of("kang:run('curl'):inject(" + arguments + ")");
  };
  CHECK(inject("'recv', { errno = 'EINTR', nth = 3, state = 'ESTABLISHED' }").empty());
  CHECK(inject("'send', { bytes = 7, on = lab:connection(client), after_bytes = 100 }").empty());
  CHECK(inject("'poll', { delay = lab:timer('r1', kang) }").empty());
  CHECK_THAT(inject("'reecv', { errno = 'EINTR' }"), Contains("did you mean recv"));
  CHECK_THAT(inject("'close', { errno = 'EIO' }"), Contains("is \"close\"; "));
  CHECK_THAT(inject("'recv', { errno = 'EINTER' }"), Contains("there is no errno EINTER"));
  CHECK_THAT(inject("'recv', { eror = 'EIO' }"), Contains("did you mean errno"));
  CHECK_THAT(inject("'recv'"), Contains("argument 2 (options) is missing"));
  CHECK_THAT(inject("'recv', {}"), Contains("option `errno`, `bytes` or `delay`"));
  CHECK_THAT(inject("'recv', { errno = 'EIO', bytes = 1 }"), Contains("do not go together"));
  CHECK_THAT(inject("'recv', { errno = 'EIO', nth = 0 }"), Contains("whole number from 1"));
  CHECK_THAT(inject("'recv', { delay = 0 }"), Contains("more than 0 and at most 3600"));
  CHECK_THAT(inject("'recv', { errno = 'EIO', state = 'OPEN' }"), Contains("is \"OPEN\""));
  CHECK_THAT(inject("'connect', { bytes = 1 }"), Contains("connect moves none"));
  CHECK_THAT(inject("'poll', { errno = 'EINTR', state = 'LISTEN' }"),
             Contains("poll is not about one"));
}

TEST_CASE("numbers out of their range are found, as in a run") {
  CHECK_THAT(error_of("lab:lose { nth = 0 }"), Contains("`nth` must be a whole number from 1"));
  CHECK_THAT(error_of("lab:lose { probability = 2 }"), Contains("a number from 0 to 1, not 2"));
  CHECK_THAT(error_of("lab:delay { by = -1 }"), Contains("a number of seconds from 0 to 3600"));
  CHECK_THAT(error_of("lab:delay { by = 0/0 }"), Contains("a number of seconds from 0 to 3600"));
  CHECK_THAT(error_of("lab:delay { by = 1, jitter = 2 }"), Contains("no longer than `by`"));
  CHECK_THAT(error_of("lab:limit { rate = 0 }"), Contains("a number of bits per second from 1"));
  CHECK_THAT(error_of("lab:corrupt { bits = 256 }"), Contains("a whole number from 1 to 255"));
  CHECK_THAT(error_of("lab:corrupt { bits = 1, value = 2 }"), Contains("do not go together"));
  CHECK_THAT(error_of("lab:mtu { mtu = 67 }"), Contains("a whole number from 68 to 65535"));
  CHECK_THAT(error_of("lab:wait(-1)"),
             Contains("argument 1 (seconds) must be a number of seconds"));
  CHECK_THAT(error_of("lab:expect(kang):listens(70000)"), Contains("from 1 to 65535, not 70000"));
  CHECK_THAT(error_of("lab:expect(client):exits(256)"), Contains("from 0 to 255"));
  CHECK_THAT(error_of("lab:connect(kang, kodos, { port = 0 })"), Contains("from 1 to 65535"));
  CHECK_THAT(error_of("kang:crash { boot_time = 4000 }"), Contains("from 0 to 3600"));
  CHECK_THAT(error_of("lab:expect_packet('kang > kodos', 'data', { window = 70000 })"),
             Contains("from 0 to 65535"));
  CHECK_THAT(error_of("lab:when(client:exits(), function() end, { times = 0 })"),
             Contains("from 1 to"));
  CHECK(error_of("lab:delay { by = lab:now(), jitter = 2 }").empty());
}

TEST_CASE("wrong values of forged frames are found, as in a run") {
  const auto segment = [](const std::string& options) {
    return error_of("lab:connection(client):segment { " + options + " }");
  };
  CHECK(segment("flags = 'SA', seq = -1, window = 65535, options = { mss = 65535 }").empty());
  CHECK_THAT(segment("flags = 'AN'"), Contains("TCP has no flag \"N\""));
  CHECK_THAT(segment("seq = lab:connection(client).rcv_nxt + 1, flags = 'AN'"),
             Contains("TCP has no flag \"N\""));
  CHECK_THAT(segment("flags = 'A', window = 70000"), Contains("from 0 to 65535, not 70000"));
  CHECK_THAT(segment("flags = 'A', seq = 2 ^ 33"), Contains("to 4294967295"));
  CHECK_THAT(segment("flags = 'A', ack = 1.5"), Contains("`ack` must be a whole number"));
  CHECK_THAT(segment("flags = 'A', age = -1"), Contains("a number of seconds from 0"));
  CHECK_THAT(segment("flags = 'A', options = { mss = 70000 }"), Contains("from 0 to 65535"));
  CHECK_THAT(segment("flags = 'A', options = { window_scale = 256 }"), Contains("from 0 to 255"));
  CHECK_THAT(segment("flags = 'A', options = { raw = ('x'):rep(41) }"), Contains("room for 40"));
  CHECK_THAT(segment("flags = 'A', options = { sack = { { 1 } } }"), Contains("list of blocks"));
  CHECK_THAT(segment("flags = 'A', options = { timestamps = { value = 1 } }"),
             Contains("or false for none"));
  CHECK(segment("flags = 'A', options = { timestamps = true }").empty());
  CHECK_THAT(error_of("lab:connection(client):rst { window = -1 }"), Contains("from 0 to 65535"));
  CHECK_THAT(error_of("lab:connection(client):data('x', { window = -1 })"),
             Contains("from 0 to 65535"));
  const auto forge = [](const std::string& options) {
    return error_of("lab:forge { to = kodos, flags = 'S', " + options + " }");
  };
  CHECK(forge("from = '10.0.0.77', source_port = 1, port = 65535").empty());
  CHECK_THAT(forge("from = kang, source_port = 0, port = 1"), Contains("`source_port` must be"));
  CHECK_THAT(forge("from = kang, source_port = 1, port = 65536"), Contains("`port` must be"));
  CHECK_THAT(forge("from = '10.0.0', source_port = 1, port = 1"),
             Contains("is not an IPv4 or IPv6"));
  const auto icmp = [](const std::string& options) {
    return error_of("lab:icmp { about = lab:connection(client), " + options + " }");
  };
  CHECK(icmp("error = 'fragmentation-needed', mtu = 1400").empty());
  CHECK_THAT(icmp("error = 'fragmentation-needed'"), Contains("option `mtu` is missing"));
  CHECK_THAT(icmp("error = 'fragmentation-needed', mtu = 20"), Contains("from 68 to 65535"));
  CHECK_THAT(icmp("error = 'host-unreachable', mtu = 1400"), Contains("only"));
  CHECK_THAT(icmp("error = 'host-unreachabel'"), Contains("has no error"));
}

TEST_CASE("directions and filters are checked") {
  CHECK_THAT(error_of("lab:lose('kang > krusty')"),
             Contains("no host is called \"krusty\"; did you mean"));
  CHECK_THAT(error_of("lab:lose 'wan'"), Contains("no link of this run"));
  CHECK_THAT(error_of("lab:expect_packet('kang', 'tcp')"), Contains("\"kang > kodos\""));
  CHECK_THAT(error_of("lab:expect_packet('kang > *', 'tcp[')"), Contains("not valid"));
  CHECK(error_of("lab:lose('* > kodos', 'tcp'):remove()").empty());
}

TEST_CASE("the hosts of a list and of a network are known") {
  const tests::TemporaryFolder folder;
  const auto errors_of = [&](const std::string& run) {
    return app::check_uses(
               folder.write("mine.lua", "return { title = 't', asks = 'q', run = function(lab)\n" +
                                            run + "\nend }\n"),
               app::script_interface())
        .errors;
  };
  CHECK(errors_of("local a, b = lab:hosts { 'a', 'b' } lab:lose 'a > b' b:power_off()").empty());
  CHECK(errors_of("local net = lab:network { links = { wan = {} }, hosts = { a = { 'wan' }, "
                  "b = { 'wan' } } } lab:lose 'wan' lab:lose 'a > b' net.b:unplug 'wan'")
            .empty());
  const auto unknown = errors_of("lab:network { links = { wan = {} }, hosts = { a = { 'lan' } } }");
  REQUIRE(unknown.size() == 1);
  CHECK_THAT(unknown.front(), Contains("lan"));
}

TEST_CASE("every mistake is reported, and each once") {
  const auto result = check("lab:wait 'x'\nfor _ = 1, 3 do lab:pear() end\nclient:typ 'x'");
  CHECK(result.errors.size() == 3);
}

TEST_CASE("a script may compute with values of a run") {
  const auto result = check(
      "local e = lab:expect(client):call('connect'):returns(0)\n"
      "local t = math.max(e.t - 1, lab:now() * 2) .. ' s'\n"
      "lab:say('it took ' .. t .. tostring(e.result) .. #e.args)\n"
      "for _, x in ipairs(e.list) do x() end\n"
      "while lab:now() < 7 do lab:wait(1) end\n"
      "if e.t > 3 then lab:say 'late' else lab:say 'early' end\n"
      "kodos:dnc('-l', e.port + 1)\n"
      "lab:lose('kang > ' .. kodos:name())");
  CHECK(result.errors.empty());
  CHECK(result.stopped_at == 0);
}

TEST_CASE("what a value of a run decides is not reported") {
  for (const char* lines :
       {"if lab:now() ~= 1 then error 'x' end\nlab:pear()", "assert(lab:now() == 1)\nlab:pear()",
        "local t = { [1] = 'x' }\nlab:say(t[lab:now()])\nt[lab:now()].x = 1\nlab:pear()",
        "for i = 1, lab:now() do end\nlab:pear()",
        "repeat lab:wait(1) until lab:now() == 7\nlab:pear()"}) {
    const auto result = check(lines);
    INFO(lines);
    CHECK(result.errors.empty());
    CHECK(result.stopped_at >= 4);
  }
}

TEST_CASE("a mistake behind a comparison is found, whatever its answer") {
  CHECK_THAT(error_of("if lab:now() < 1 then lab:pear() end"), Contains("pear"));
  CHECK_THAT(error_of("if lab:now() < 1 then else lab:pear() end"), Contains("pear"));
  CHECK_THAT(error_of("if lab.family == 6 then lab:pear() end"), Contains("pear"));
  CHECK_THAT(error_of("if lab.timers == 'stock' then lab:pear() end"), Contains("pear"));
}

TEST_CASE("an error that no value of a run can cause is reported") {
  CHECK_THAT(error_of("clint:type 'x'"), Contains("global 'clint'"));
  CHECK_THAT(error_of("while true do end"), Contains("does it loop forever?"));
}

TEST_CASE("a script that expects an error of a verb gets it") {
  const auto result = check(
      "local done, said = pcall(function() lab:wait 'x' end)\n"
      "if done or not said:find 'must be a number' then lab:pear() end");
  CHECK(result.errors.empty());
}

TEST_CASE("a skipped script is not checked on") {
  const auto result = check("lab:skip 'no'\nlab:pear()");
  CHECK(result.errors.empty());
}
