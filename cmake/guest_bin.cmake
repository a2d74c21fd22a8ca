# The programs for the tests of guests: TCPLAB_GUEST_BIN. A program with AddressSanitizer does not run
# in a guest, because its shadow memory lies where User-mode Linux places libraries. So a build with
# sanitizers has a dnc without them, in a folder with links to the other programs.
set(TCPLAB_GUEST_BIN ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
if(NOT TCPLAB_SANITIZE)
  return()
endif()
set(TCPLAB_GUEST_BIN ${PROJECT_BINARY_DIR}/guest-bin)

add_dnc_program(guest_dnc)
set_target_properties(guest_dnc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TCPLAB_GUEST_BIN})
target_compile_options(guest_dnc PRIVATE -fno-sanitize=all)
target_link_options(guest_dnc PRIVATE -fno-sanitize=all)

# tcplab looks for the others beside itself: hard links, because a symbolic one leads away.
set(linked $<TARGET_FILE:tcplab_program> $<TARGET_FILE:agent_program>
  $<TARGET_FILE:guest_preload>)
add_custom_target(guest_bin ALL COMMAND ln -f ${linked} ${TCPLAB_GUEST_BIN}
  DEPENDS guest_dnc tcplab_program agent_program guest_preload VERBATIM)
