# What runs in and around the kernel of a guest (User-mode Linux). A guest sees the machine's files, but
# perhaps not its libraries' folders; so its agent is static. The preload library lives in a process
# without the C++ library. Neither has sanitizers: they would need their own libraries there. So a build
# with sanitizers has none; its tests of guests use those of another build (cmake/release_bin.cmake).

configure_file(uml/tcplab-build-kernel ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tcplab-build-kernel COPYONLY)

# The recipes of TCP stacks (docs/stacks.md): the script finds the sources below its folder's parent.
set(recipes examples/stacks)
configure_file(${recipes}/tcplab-build-stack ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tcplab-build-stack COPYONLY)
file(GLOB stack_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${recipes}/*.c ${recipes}/*.h
     ${recipes}/*.go)
foreach(source ${stack_sources})
  configure_file(${source} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/../share/tcplab/${source} COPYONLY)
  install(FILES ${source} DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/${recipes})
endforeach()
install(PROGRAMS ${recipes}/tcplab-build-stack DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab)

if(TCPLAB_SANITIZE)
  return()
endif()
if(TCPLAB_CHECKS)
  set(plain -fno-sanitize=all -O1)
else()
  set(plain -fno-sanitize=all -O2)
endif()

# The agent is linked with the objects of the rooms. Of some rooms it needs only these files: each is an
# object of its own, so that the rest of the room, which needs dynamic libraries, stays away.
set_source_files_properties(netns/clone.cc uml/guest_channel.cc uml/configuration.cc uml/message.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(agent_rooms uml netns capture_calls capture_event capture_decode netns_programs netns_view base)
foreach(room ${agent_rooms})
  target_compile_options(${room} PRIVATE -ffunction-sections -fdata-sections)
endforeach()
# The distribution has no static fmt.
add_library(static_fmt STATIC EXCLUDE_FROM_ALL cmake/static_fmt.cc)
target_compile_options(static_fmt PRIVATE ${plain} -w -ffunction-sections)

file(GLOB agent_sources CONFIGURE_DEPENDS uml/agent/*.cc)
add_executable(agent_program ${agent_sources})
set_target_properties(agent_program PROPERTIES OUTPUT_NAME tcplab-agent)
target_include_directories(agent_program PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(agent_program PRIVATE -ffunction-sections -fdata-sections)
# By file: the libraries that a room names are dynamic.
list(TRANSFORM agent_rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE agent_archives)
add_dependencies(agent_program ${agent_rooms})
target_link_libraries(agent_program PRIVATE -Wl,--start-group ${agent_archives} static_fmt -Wl,--end-group)
target_link_options(agent_program PRIVATE -static -s -Wl,--gc-sections)

# A library for LD_PRELOAD: without the C++ library and exceptions.
function(add_preload target name)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${plain} -fno-exceptions -fno-rtti
    -fno-threadsafe-statics)
  target_link_options(${target} PRIVATE -fno-sanitize=all -nodefaultlibs)
  target_link_libraries(${target} PRIVATE c)
endfunction()

file(GLOB preload_sources CONFIGURE_DEPENDS uml/preload/*.cc)
add_preload(guest_preload tcplab-guest ${preload_sources} uml/extended_state.cc)
# Of stack hosts: their clock is the run's.
file(GLOB clock_sources CONFIGURE_DEPENDS lab/clock/preload/*.cc)
add_preload(clock_preload tcplab-clock ${clock_sources})

# Not for users: uml/parts.cc finds them beside the program, or here.
install(PROGRAMS uml/tcplab-build-kernel DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab)
install(TARGETS agent_program guest_preload clock_preload RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tcplab)
