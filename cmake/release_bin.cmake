# The programs without sanitizers, as users have them: TCPLAB_RELEASE_BIN. Tests that judge whole runs use
# them. With sanitizers, a run takes five times as much processor time. Many such runs at once wait for a
# processor for so long that the kernels' timers fire first. Also, no program with AddressSanitizer runs
# in a guest, because its shadow memory lies where User-mode Linux places libraries.
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
