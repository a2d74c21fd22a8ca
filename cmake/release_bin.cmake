# The programs without sanitizers: TCPLAB_RELEASE_BIN. Tests of guests use them in every build: the shadow
# memory of AddressSanitizer lies where User-mode Linux places libraries. ./test --all names the folder of
# its first build; another build with sanitizers makes them itself.
if(NOT TCPLAB_SANITIZE)
  set(TCPLAB_RELEASE_BIN ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
elseif(NOT TCPLAB_RELEASE_BIN)
  set(release_build ${PROJECT_BINARY_DIR}/release)
  set(TCPLAB_RELEASE_BIN ${release_build}/bin)
  add_custom_target(release_programs ALL
    COMMAND ${PROJECT_SOURCE_DIR}/tools/build ${release_build} -DCMAKE_BUILD_TYPE=Release
      -DTCPLAB_WERROR=${TCPLAB_WERROR} -DTCPLAB_TESTS=OFF
    COMMENT "Building the programs without sanitizers" VERBATIM)
endif()
