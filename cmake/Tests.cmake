# The ctests. Each says in which of two tiers it is, and which layers of src/layers.txt it tests.
#
#   quick   what scripts/test runs: everything that proves a change on the default device
#   full    what scripts/test --all runs too: the other drivers, builds of the whole tree, other systems, long fuzzing
#
# Labels tell them to ctest: the tier, the driver (intel, rusticl, oclgrind, host), the folder of tests/ that has the test, and
# a label `layer:NAME` for each layer that it tests, by which scripts/test --changed chooses.

# Tests are built more often than they are run for long; what is measured is in the libraries.
set(test_options $<$<CONFIG:Release>:-O1>)
tensordsl_precompile(tensordsl_precompiled_tests HEADERS <doctest/doctest.h> LINKS doctest::doctest)
if(TARGET tensordsl_precompiled_tests)
  set_target_properties(tensordsl_precompiled_tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(tensordsl_precompiled_tests PRIVATE -fPIE ${test_options})
endif()

set(tensordsl_tiers quick full)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt tensordsl_layer_names REGEX "^layer ")
list(TRANSFORM tensordsl_layer_names REPLACE "^layer +([a-z_]+) .*" "\\1")

# tensordsl_add_test(NAME COMMAND command ... LAYERS layer ... [TIER quick|full] [COST seconds] [LABELS label ...]
#                    [WORKING_DIRECTORY folder] [PROPERTIES property value ...])
# One ctest. LAYERS names the layers that it tests, that of the program it runs among them; a change of one of these, or of a layer below,
# asks for it. "every": a change of any layer does. "tree": any change does, for tests that read the tree itself. TIER is quick where it is not given. COST is
# the seconds that it takes on a slow machine, given where they are more than twenty: ctest starts long tests first.
function(tensordsl_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIER;COST;WORKING_DIRECTORY" "COMMAND;LAYERS;LABELS;PROPERTIES")
  if(NOT ARG_TIER)
    set(ARG_TIER quick)
  endif()
  if(NOT ARG_TIER IN_LIST tensordsl_tiers)
    message(FATAL_ERROR "tensordsl_add_test(${name}): TIER is quick or full, and was \"${ARG_TIER}\"")
  endif()
  if(NOT ARG_LAYERS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tensordsl_add_test(${name}): it takes COMMAND command ... LAYERS layer ..., and found \"${ARGN}\"")
  endif()
  foreach(layer IN LISTS ARG_LAYERS)
    if(NOT layer IN_LIST tensordsl_layer_names AND NOT layer MATCHES "^(every|tree)$")
      message(FATAL_ERROR "tensordsl_add_test(${name}): src/layers.txt has no layer ${layer}")
    endif()
  endforeach()
  if(NOT ARG_COMMAND)
    message(FATAL_ERROR "tensordsl_add_test(${name}): COMMAND is missing")
  endif()
  if("${ARG_COST}" MATCHES "[^0-9]")
    message(FATAL_ERROR "tensordsl_add_test(${name}): COST is a number of seconds, and was \"${ARG_COST}\"")
  endif()
  if("quick" IN_LIST ARG_LABELS OR "full" IN_LIST ARG_LABELS OR "LABELS" IN_LIST ARG_PROPERTIES)
    message(FATAL_ERROR "tensordsl_add_test(${name}): the tier is said by TIER, other labels by LABELS")
  endif()
  if("${ARG_LABELS}" MATCHES "[A-Z=]")
    message(FATAL_ERROR "tensordsl_add_test(${name}): \"${ARG_LABELS}\" are not labels; a property such as ENVIRONMENT comes after PROPERTIES")
  endif()
  add_test(NAME ${name} COMMAND ${ARG_COMMAND})
  if(ARG_WORKING_DIRECTORY)
    set_property(TEST ${name} PROPERTY WORKING_DIRECTORY ${ARG_WORKING_DIRECTORY})
  endif()
  if(ARG_PROPERTIES)
    set_tests_properties(${name} PROPERTIES ${ARG_PROPERTIES})
  endif()
  list(TRANSFORM ARG_LAYERS PREPEND "layer:")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(TEST ${name} PROPERTY LABELS ${ARG_TIER} ${ARG_LABELS} ${folder} ${ARG_LAYERS})
  if(ARG_COST)
    set_property(TEST ${name} PROPERTY COST ${ARG_COST})
  endif()
  set_property(GLOBAL APPEND PROPERTY tensordsl_tests_with_tiers ${name})
endfunction()

# tensordsl_test(NAME SOURCES a.cpp ... DEPENDS layer ... [LINKS library ...] [LAYERS ..] [TIER ..] [COST ..] [LABELS ..]
#                [PROPERTIES ..])
# One doctest executable, one ctest. It tests the layers of DEPENDS unless LAYERS names others.
function(tensordsl_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIER;COST" "SOURCES;DEPENDS;LINKS;LAYERS;LABELS;PROPERTIES")
  add_executable(test_${name} ${ARG_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE tensordsl_options tensordsl_test_support doctest::doctest fmt::fmt ${ARG_LINKS})
  target_compile_options(test_${name} PRIVATE ${test_options})
  tensordsl_use_precompiled(test_${name} tensordsl_precompiled_tests)
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(test_${name} PRIVATE tensordsl_${layer})
  endforeach()
  if(NOT ARG_LAYERS)
    set(ARG_LAYERS ${ARG_DEPENDS})
  endif()
  tensordsl_add_test(${name} COMMAND test_${name} LAYERS ${ARG_LAYERS} TIER ${ARG_TIER} COST ${ARG_COST} LABELS ${ARG_LABELS}
    PROPERTIES ${ARG_PROPERTIES})
endfunction()

# The layers that a ctest of this folder tests.
function(tensordsl_layers_of_test result name)
  if(NOT TEST ${name})
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}: there is no ctest ${name} above; name one, or give LAYERS")
  endif()
  get_property(labels TEST ${name} PROPERTY LABELS)
  list(FILTER labels INCLUDE REGEX "^layer:")
  list(TRANSFORM labels REPLACE "^layer:" "")
  set(${result} ${labels} PARENT_SCOPE)
endfunction()

# tensordsl_test_on_drivers(NAME DRIVERS driver ... COMMAND command ... [LAYERS ..] [TIER ..] [COST ..] [LABELS ..] [PROPERTIES ..])
# The ctest NAME@DRIVER for each driver of scripts/setup --drivers; one that is not installed when it runs is skipped. TIER is full where it
# is not given; LAYERS are those of the ctest NAME.
function(tensordsl_test_on_drivers name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIER;COST" "DRIVERS;COMMAND;LAYERS;LABELS;PROPERTIES")
  if(NOT ARG_TIER)
    set(ARG_TIER full)
  endif()
  if(NOT ARG_LAYERS)
    tensordsl_layers_of_test(ARG_LAYERS ${name})
  endif()
  set(draws "")
  if(ARG_TIER STREQUAL "full")
    set(draws ${CMAKE_COMMAND} -E env TENSORDSL_TEST_TIER=full)
  endif()
  foreach(driver IN LISTS ARG_DRIVERS)
    tensordsl_add_test(${name}@${driver} COMMAND ${draws} ${PROJECT_SOURCE_DIR}/scripts/with-driver ${driver} ${ARG_COMMAND}
      LAYERS ${ARG_LAYERS} TIER ${ARG_TIER} COST ${ARG_COST} LABELS ${driver} ${ARG_LABELS} PROPERTIES SKIP_RETURN_CODE 77 ${ARG_PROPERTIES})
  endforeach()
endfunction()

# tensordsl_full_test(NAME [COST seconds]): the ctest NAME_full, in the tier full: the program of tensordsl_test(NAME) with all that it draws
# (tests/support/tier.h), of which the ctest NAME draws a part.
function(tensordsl_full_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "COST" "")
  tensordsl_layers_of_test(layers ${name})
  tensordsl_add_test(${name}_full COMMAND test_${name} LAYERS ${layers} TIER full COST ${ARG_COST}
    PROPERTIES ENVIRONMENT TENSORDSL_TEST_TIER=full)
endfunction()

# Refuses ctests that are in no tier, in `folder` and all below it: scripts/test would never run them.
function(tensordsl_check_tiers folder)
  get_property(tests DIRECTORY ${folder} PROPERTY TESTS)
  get_property(with_tiers GLOBAL PROPERTY tensordsl_tests_with_tiers)
  foreach(test IN LISTS tests)
    if(NOT test IN_LIST with_tiers)
      message(FATAL_ERROR "${folder}: the ctest ${test} is in no tier; make it with tensordsl_add_test (cmake/Tests.cmake)")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    tensordsl_check_tiers(${below})
  endforeach()
endfunction()
