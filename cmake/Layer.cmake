# tensordsl_layer(NAME SOURCES a.cpp ... DEPENDS layer ... LINKS library ...)
# One static library per layer of src/layers.txt. DEPENDS names layers, LINKS outside libraries.
function(tensordsl_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_library(tensordsl_${name} STATIC ${ARG_SOURCES})
  target_include_directories(tensordsl_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                                                      ${PROJECT_SOURCE_DIR})
  target_compile_features(tensordsl_${name} PUBLIC cxx_std_20)
  target_link_libraries(tensordsl_${name} PRIVATE tensordsl_options PUBLIC ${ARG_LINKS})
  set_target_properties(tensordsl_${name} PROPERTIES TENSORDSL_LINKS "${ARG_LINKS}")
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(tensordsl_${name} PUBLIC tensordsl_${layer})
  endforeach()
endfunction()

# tensordsl_test(NAME SOURCES a.cpp ... DEPENDS layer ... LINKS library ...): one doctest executable, one ctest.
function(tensordsl_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE tensordsl_options tensordsl_test_support doctest::doctest ${ARG_LINKS})
  # Tests are built more often than they are run for long; what is measured is in the libraries.
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(test_${name} PRIVATE tensordsl_${layer})
  endforeach()
  add_test(NAME ${name} COMMAND test_${name})
endfunction()

# tensordsl_test_on_drivers(NAME DRIVERS driver ... COMMAND command ... [PROPERTIES property value ...])
# The ctest NAME@DRIVER for each driver of scripts/setup --drivers; one that is not installed when it runs is skipped.
function(tensordsl_test_on_drivers name)
  cmake_parse_arguments(ARG "" "" "DRIVERS;COMMAND;PROPERTIES" ${ARGN})
  foreach(driver IN LISTS ARG_DRIVERS)
    set(test ${name}@${driver})
    add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/scripts/with-driver ${driver} ${ARG_COMMAND})
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 ${ARG_PROPERTIES})
  endforeach()
endfunction()
