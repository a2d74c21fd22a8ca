# Adds a run of each fuzzer that takes some seconds. clang++ builds the fuzzers when the test runs,
# separately from the g++ build. If clang++ is missing or cannot link libFuzzer, the tests are skipped
# with a message.
option(TCPLAB_FUZZ "Add short fuzzing runs to the tests" ON)

function(add_fuzzing target runs)
  add_test_entry(fuzz.${target} "pure;fuzz" ${PROJECT_SOURCE_DIR}/tools/fuzz ${target} ${runs})
  set_property(TEST fuzz.${target} APPEND PROPERTY ENVIRONMENT
    "TCPLAB_FUZZ_FOLDER=${PROJECT_BINARY_DIR}/fuzz")
endfunction()

if(TCPLAB_FUZZ)
  add_fuzzing(frame 100000)
  add_fuzzing(capture 20000)
  add_fuzzing(event 20000)
  add_fuzzing(script 20000)
endif()
