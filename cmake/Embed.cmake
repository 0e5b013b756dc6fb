# tensordsl_embed(OUTPUT file.cpp HEADER header.h FUNCTION namespace::name FILES name=path ...)
# A C++ source with the bytes of files: the function, declared in the header, gives a std::vector<EmbeddedFile>. Bytes are
# written as \xNN in literals of a moderate length, so that no file has a text that a compiler could take for something else.
function(tensordsl_embed)
  cmake_parse_arguments(ARG "" "OUTPUT;HEADER;FUNCTION" "FILES" ${ARGN})
  set(piece_bytes 8192)
  math(EXPR piece_digits "2 * ${piece_bytes}")
  set(entries "")
  foreach(file IN LISTS ARG_FILES)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched ${file})
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} digits HEX)
    string(LENGTH "${digits}" length)
    string(APPEND entries "      {\"${name}\",\n       {")
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${digits}" ${at} ${piece_digits} piece)
      string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
      string(APPEND entries "\"${piece}\",\n        ")
      math(EXPR at "${at} + ${piece_digits}")
    endwhile()
    string(APPEND entries "}},\n")
  endforeach()
  string(REGEX MATCH "^(.+)::([^:]+)$" matched ${ARG_FUNCTION})
  set(namespace ${CMAKE_MATCH_1})
  set(function ${CMAKE_MATCH_2})
  file(CONFIGURE OUTPUT ${ARG_OUTPUT} @ONLY CONTENT
[[#include "@ARG_HEADER@"

namespace @namespace@ {

const std::vector<EmbeddedFile>& @function@() {
  static const std::vector<EmbeddedFile> all{
@entries@  };
  return all;
}

}  // namespace @namespace@
]])
endfunction()
