# A short run of each fuzzer, some seconds. clang++ builds them when the test runs, beside what g++
# builds here; where it is not there, or cannot link libFuzzer, the tests are skipped and say so.
option(TCPLAB_FUZZ "Have short fuzzing runs among the tests" ON)

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
