#include "uml/configuration.hh"

namespace tcplab::uml {

namespace {

void write_text(PayloadWriter& to, const std::string& text) { to.text(text); }

std::vector<std::string> read_texts(PayloadReader& from) {
  std::vector<std::string> texts;
  from.list([&](PayloadReader& each) { texts.push_back(each.text()); });
  return texts;
}

void write_user(PayloadWriter& to, const std::optional<netns::ProgramUser>& user) {
  to.number(user ? 1 : 0);
  if (!user) return;
  to.number(user->user).number(user->group);
  to.list(user->groups, [](PayloadWriter& list, gid_t group) { list.number(group); });
}

std::optional<netns::ProgramUser> read_user(PayloadReader& from) {
  if (from.number() == 0) return std::nullopt;
  netns::ProgramUser user;
  user.user = from.as<uid_t>();
  user.group = from.as<gid_t>();
  from.list([&](PayloadReader& each) { user.groups.push_back(each.as<gid_t>()); });
  return user;
}

}  // namespace

std::vector<std::uint8_t> write_payload(const Configuration& configuration) {
  PayloadWriter to;
  to.text(configuration.name).text(configuration.hosts).text(configuration.folder);
  to.list(configuration.shown, write_text).list(configuration.nics, write_text);
  return to.number(configuration.is_contained ? 1 : 0).payload();
}

Configuration read_configuration(Bytes payload) {
  PayloadReader from(payload);
  Configuration configuration;
  configuration.name = from.text();
  configuration.hosts = from.text();
  configuration.folder = from.text();
  configuration.shown = read_texts(from);
  configuration.nics = read_texts(from);
  configuration.is_contained = from.number() != 0;
  return configuration;
}

std::vector<std::uint8_t> write_payload(const std::vector<base::IpAddress>& addresses) {
  return PayloadWriter()
      .list(addresses,
            [](PayloadWriter& list, const base::IpAddress& address) {
              list.number(static_cast<std::uint64_t>(address.family)).bytes(address.bytes);
            })
      .payload();
}

std::vector<base::IpAddress> read_addresses(Bytes payload) {
  std::vector<base::IpAddress> addresses;
  PayloadReader(payload).list([&](PayloadReader& each) {
    const auto family = each.as<base::Family>();
    const Bytes bytes = each.bytes();
    addresses.push_back(base::IpAddress::from_bytes(family, bytes.data()));
  });
  return addresses;
}

std::vector<std::uint8_t> write_payload(const netns::PrivateFile& file) {
  PayloadWriter to;
  to.text(file.path).text(file.text).number(file.mode);
  write_user(to, file.owner);
  return to.payload();
}

netns::PrivateFile read_private_file(Bytes payload) {
  PayloadReader from(payload);
  netns::PrivateFile file;
  file.path = from.text();
  file.text = from.text();
  file.mode = from.as<mode_t>();
  file.owner = read_user(from);
  return file;
}

std::vector<std::uint8_t> write_payload(const std::vector<netns::TracepointChoice>& choices) {
  return PayloadWriter()
      .list(choices,
            [](PayloadWriter& list, const netns::TracepointChoice& choice) {
              list.text(choice.event).text(choice.filter);
            })
      .payload();
}

std::vector<netns::TracepointChoice> read_tracepoints(Bytes payload) {
  std::vector<netns::TracepointChoice> choices;
  PayloadReader(payload).list([&](PayloadReader& each) {
    netns::TracepointChoice choice;
    choice.event = each.text();
    choice.filter = each.text();
    choices.push_back(std::move(choice));
  });
  return choices;
}

std::vector<std::uint8_t> write_payload(const ProgramStart& start) {
  PayloadWriter to;
  to.list(start.command, write_text);
  to.list(start.environment, [](PayloadWriter& list, const auto& variable) {
    list.text(variable.first).text(variable.second);
  });
  to.number(static_cast<std::uint64_t>(start.privileges));
  to.number(start.user_namespaces ? 1 : 0);
  write_user(to, start.user);
  to.text(start.folder);
  to.list(start.limits, [](PayloadWriter& list, const netns::ResourceLimit& limit) {
    list.text(limit.name).number(static_cast<std::uint64_t>(limit.resource)).number(limit.value);
  });
  to.number(start.mark.number).number(start.has_terminal ? 1 : 0);
  to.list(start.descriptors, [](PayloadWriter& list, const auto& descriptor) {
    list.number(static_cast<std::uint64_t>(descriptor.first));
    list.number(static_cast<std::uint64_t>(descriptor.second));
  });
  return to.list(start.trace, write_text).payload();
}

ProgramStart read_program_start(Bytes payload) {
  PayloadReader from(payload);
  ProgramStart start;
  start.command = read_texts(from);
  from.list([&](PayloadReader& each) {
    std::string name = each.text();
    start.environment.emplace_back(std::move(name), each.text());
  });
  start.privileges = from.as<netns::Privileges>();
  start.user_namespaces = from.number() != 0;
  start.user = read_user(from);
  start.folder = from.text();
  from.list([&](PayloadReader& each) {
    netns::ResourceLimit& limit = start.limits.emplace_back();
    limit.name = each.text();
    limit.resource = each.as<int>();
    limit.value = each.as<rlim_t>();
  });
  start.mark.number = from.number();
  start.has_terminal = from.number() != 0;
  from.list([&](PayloadReader& each) {
    const int descriptor = each.as<int>();
    start.descriptors[descriptor] = each.as<StreamKind>();
  });
  start.trace = read_texts(from);
  return start;
}

}  // namespace tcplab::uml
