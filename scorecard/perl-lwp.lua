-- Perl's LWP as it is: 180 s for each read. Two requests on one connection, with a pause between
-- them.
-- Packages: libwww-perl
local http = include "servers/http.lib.lua"
local CLIENT = [[
my $agent = LWP::UserAgent->new(keep_alive => 1);
$| = 1;
for my $pause (1, 0) {
  my $answer = $agent->get("http://SERVER/page");
  die $answer->status_line . "\n" unless $answer->is_success;
  print length($answer->content), "\n";
  sleep $pause;
}
]]

return http.audit {
  title = "Perl LWP",
  needs = { "program perl" },
  client = { "perl", "-MLWP::UserAgent", "-e", CLIENT },
}
