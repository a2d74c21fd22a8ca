# The programs without sanitizers, as users have them: TCPLAB_RELEASE_BIN. Two kinds of tests use them:
# - Tests that judge whole runs. With sanitizers, a run takes five times as much processor time. If many
#   run at once, each waits for a processor until the kernels' timers fire, and fails.
# - Tests of guests. The shadow memory of AddressSanitizer lies where User-mode Linux places libraries.
set(TCPLAB_RELEASE_BIN ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
if(NOT TCPLAB_SANITIZE)
  return()
endif()
set(release_build ${PROJECT_BINARY_DIR}/release)
set(TCPLAB_RELEASE_BIN ${release_build}/bin)

add_custom_target(release_programs ALL
  COMMAND ${PROJECT_SOURCE_DIR}/tools/build ${release_build} -DCMAKE_BUILD_TYPE=Release
    -DTCPLAB_WERROR=${TCPLAB_WERROR} -DTCPLAB_TESTS=OFF
  COMMENT "Building the programs without sanitizers" VERBATIM)
