// The parts of the scripting interface: each lua_*.cc registers what it has.
#pragma once

#include "app/script/lua_interface.hh"

namespace tcplab::app {

LuaModule lab_module();                   // waiting, notes, constants
LuaModule topology_module();              // lab:pair, lab:hosts, lab:network
LuaModule connect_module();               // lab:connect, lab:connected
LuaModule timers_module();                // lab:timer
LuaModule filter_module();                // directions and pcap filters
LuaModule faults_module();                // lab:lose and so on; faults
LuaModule forge_module();                 // lab:forge, lab:icmp
LuaModule connection_module();            // lab:connection; connections
LuaModule peer_module();                  // lab:peer; peers
LuaModule peer_connection_module();       // connections of peers
LuaModule subject_module();               // lab:expect, lab:never, lab:await; subjects
LuaModule states_module();                // subjects: TCP states
LuaModule calls_module();                 // subjects: system calls; expected calls
LuaModule program_expectations_module();  // subjects: ends and output of programs
LuaModule kernel_module();                // subjects: kernel events
LuaModule packets_module();               // lab:expect_packet, lab:never_packet
LuaModule claims_module();                // lab:check, lab:require, lab:expect_time
LuaModule first_module();                 // lab:first; conditions
LuaModule when_module();                  // lab:when
LuaModule hosts_module();                 // hosts: programs, sysctls, names, addresses
LuaModule dns_module();                   // lab:dns; resolvers
LuaModule files_module();                 // hosts: files
LuaModule power_module();                 // hosts: power and cables
LuaModule network_module();               // hosts: firewall, routes, MTUs, links, addresses
LuaModule programs_module();              // programs
LuaModule services_module();              // hosts: services; programs: restart
LuaModule inject_module();                // programs: injected errors and delays
LuaModule audit_module();                 // lab:audit

}  // namespace tcplab::app
