# A short run of each fuzzer. clang++ builds them when the test runs, beside what g++ builds here;
# where it is not there, or cannot link libFuzzer, the tests are skipped and say so.
option(TCPLAB_FUZZ "Have short fuzzing runs among the tests" ON)
if(TCPLAB_FUZZ)
  foreach(target frame capture event script)
    add_test_entry(fuzz.${target} "pure;fuzz" ${PROJECT_SOURCE_DIR}/tools/fuzz ${target} 20000)
    set_property(TEST fuzz.${target} APPEND PROPERTY ENVIRONMENT
      "TCPLAB_FUZZ_FOLDER=${PROJECT_BINARY_DIR}/fuzz")
  endforeach()
endif()
