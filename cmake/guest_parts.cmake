# What runs in and around the kernel of a guest (User-mode Linux). A guest sees the machine's files, but
# perhaps not its libraries' folders; so its agent is static. The preload library lives in a process
# without the C++ library. Neither has sanitizers: they would need their own libraries there.

set(plain -fno-sanitize=all -O2)

# The agent compiles the files that it needs of other rooms again, without sanitizers.
file(GLOB agent_sources CONFIGURE_DEPENDS uml/agent/*.cc)
add_executable(agent_program ${agent_sources} uml/guest_channel.cc uml/configuration.cc uml/message.cc
  base/clock.cc base/endpoint.cc base/error.cc base/escape.cc base/file_descriptor.cc
  base/kernel_questions.cc base/limits.cc base/pseudoterminal.cc base/socket_options.cc
  capture/calls/call_decoder.cc capture/calls/call_filter.cc capture/calls/call_registers.cc
  capture/calls/call_text.cc capture/calls/injections.cc capture/calls/short_transfer.cc
  capture/calls/stack_copy.cc capture/calls/stack_text.cc
  capture/calls/traced_call.cc capture/calls/traced_child.cc capture/calls/traced_programs.cc
  capture/calls/traced_sockets.cc capture/calls/tracee_memory.cc capture/calls/tracer.cc
  capture/calls/watch_request.cc
  capture/decode/decode.cc capture/decode/decode_icmp.cc capture/decode/decode_link.cc
  capture/decode/decode_transport.cc capture/decode/flow_key.cc
  capture/event/event.cc capture/event/event_json.cc capture/event/event_parse.cc
  capture/event/failing_calls.cc
  capture/event/json_text.cc
  netns/clone.cc netns/view/private_file.cc netns/processes.cc netns/view/containment.cc)
set_target_properties(agent_program PROPERTIES OUTPUT_NAME tcplab-agent)
target_include_directories(agent_program PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(agent_program PRIVATE ${plain} -ffunction-sections -fdata-sections)
target_link_libraries(agent_program PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json)
target_link_options(agent_program PRIVATE -fno-sanitize=all -static -s -Wl,--gc-sections)

file(GLOB preload_sources CONFIGURE_DEPENDS uml/preload/*.cc)
add_library(guest_preload MODULE ${preload_sources} uml/extended_state.cc)
set_target_properties(guest_preload PROPERTIES PREFIX "" OUTPUT_NAME tcplab-guest
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
target_include_directories(guest_preload PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(guest_preload PRIVATE ${plain} -fno-exceptions -fno-rtti
  -fno-threadsafe-statics)
target_link_options(guest_preload PRIVATE -fno-sanitize=all -nodefaultlibs)
target_link_libraries(guest_preload PRIVATE c)

configure_file(uml/tcplab-build-kernel ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tcplab-build-kernel COPYONLY)

# Not for users: uml/parts.cc finds them beside the program, or here.
install(PROGRAMS uml/tcplab-build-kernel DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab)
install(TARGETS agent_program guest_preload RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab)
