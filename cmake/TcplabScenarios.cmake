# Adds the scenarios of another project to its CTests.
#
#   tcplab_add_scenarios(DIR folder
#     [PREFIX prefix]            tests are called prefix.topic.name; the folder's name by default
#     [LABELS label...]          in addition to "tcplab" and the topic of the scenario
#     [TIMEOUT seconds]          of each test; 300 by default
#     [PROGRAM target...]        programs that scenarios run by their names: host:run("server")
#     [ARGUMENTS argument...])   for tcplab run: --family 4, --timers stock
#
# Each .lua file below the folder is a test, on IPv4 and IPv6. The next build finds files that you
# add or remove. Each run writes its folder into tcplab-runs/ in the binary folder. A scenario whose
# needs are not met is skipped, not passed.

function(tcplab_add_scenarios)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIR;PREFIX;TIMEOUT" "LABELS;PROGRAM;ARGUMENTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tcplab_add_scenarios: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_DIR)
    message(FATAL_ERROR "tcplab_add_scenarios: no folder given; add: DIR folder")
  endif()
  get_filename_component(folder ${arg_DIR} ABSOLUTE)
  if(NOT IS_DIRECTORY ${folder})
    message(FATAL_ERROR "tcplab_add_scenarios: ${folder} is not a folder")
  endif()
  if(NOT arg_PREFIX)
    get_filename_component(arg_PREFIX ${folder} NAME)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()

  file(GLOB_RECURSE scripts CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.lua)
  foreach(script ${scripts})
    tcplab_add_scenario(${folder} ${script})
  endforeach()
endfunction()

# Adds one test; the caller's arg_ variables are its options.
function(tcplab_add_scenario folder script)
  string(REGEX REPLACE "\\.lua$" "" name ${arg_PREFIX}/${script})
  string(REPLACE "/" "." test ${name})
  get_filename_component(topic ${folder}/${script} DIRECTORY)
  get_filename_component(topic ${topic} NAME)
  add_test(NAME ${test} COMMAND tcplab::tcplab run ${folder}/${script}
    --out ${CMAKE_CURRENT_BINARY_DIR}/tcplab-runs/${name} ${arg_ARGUMENTS})
  # tcplab exits with 4 if everything was skipped (tcplab(1)).
  set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 4 TIMEOUT ${arg_TIMEOUT}
    LABELS "tcplab;${topic};${arg_LABELS}")
  foreach(program ${arg_PROGRAM})
    set_property(TEST ${test} APPEND PROPERTY
      ENVIRONMENT_MODIFICATION PATH=path_list_prepend:$<TARGET_FILE_DIR:${program}>)
  endforeach()
endfunction()
