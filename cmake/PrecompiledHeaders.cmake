# The standard library's headers are parsed once for all files of the same flags.
# A file includes what it uses all the same; the ctest file_by_file builds without this. Where ccache is, it knows
# the files already.
if(CCACHE_PROGRAM)
  set(use_precompiled_headers OFF)
else()
  set(use_precompiled_headers ON)
endif()
option(TENSORDSL_PRECOMPILED_HEADERS "Parse the standard library's headers once, and not in every file" ${use_precompiled_headers})
# GCC forgets of headers so parsed that they are the system's, whose false alarms it holds back otherwise.
if(TENSORDSL_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tensordsl_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# tensordsl_precompile(NAME [HEADERS header ...] [LINKS library ...]): for targets of the flags of the library NAME that link fmt and LINKS.
function(tensordsl_precompile name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINKS" ${ARGN})
  if(TENSORDSL_PRECOMPILED_HEADERS)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE tensordsl_options fmt::fmt ${ARG_LINKS})
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set>
      <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
      ${ARG_HEADERS})
  endif()
endfunction()

# tensordsl_use_precompiled(TARGET NAME)
function(tensordsl_use_precompiled target name)
  if(TENSORDSL_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
