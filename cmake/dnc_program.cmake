# add_dnc_program(target): dnc with its C++ libraries linked in. A scenario starts dnc several
# times. On a kernel host, loading these libraries took almost a third of each start (14 ms; 10 ms
# without). The distribution has no static fmt and spdlog, so they are compiled in from their
# headers. The C library stays dynamic: getaddrinfo(3) loads parts of it.

file(GLOB_RECURSE dnc_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dnc/*.cc)
file(GLOB dnc_base_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/base/*.cc)

function(add_dnc_program target)
  add_executable(${target} ${dnc_sources} ${dnc_base_sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME dnc)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # Not spdlog::spdlog_header_only itself: it links the dynamic fmt.
  set(spdlog spdlog::spdlog_header_only)
  target_include_directories(${target} SYSTEM PRIVATE
    $<TARGET_PROPERTY:${spdlog},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target} PRIVATE TCPLAB_VERSION="${TCPLAB_VERSION_TEXT}"
    $<TARGET_PROPERTY:${spdlog},INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections
    $<$<CONFIG:Release>:-O2>)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
  target_link_libraries(${target} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json
    CLI11::CLI11)
endfunction()
