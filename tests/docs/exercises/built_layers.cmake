# Included after cmake/Layer.cmake in the copy of the tree that check_exercises builds: the layers in TENSORDSL_CHANGED_LAYERS are
# compiled, and the archives of the others are those of the build folder TENSORDSL_BUILT.
function(tensordsl_layer name)
  if(name IN_LIST TENSORDSL_CHANGED_LAYERS)
    _tensordsl_layer(${name} ${ARGN})
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(archive ${CMAKE_STATIC_LIBRARY_PREFIX}tensordsl_${name}${CMAKE_STATIC_LIBRARY_SUFFIX})
  add_library(tensordsl_${name} STATIC IMPORTED GLOBAL)
  set_target_properties(tensordsl_${name} PROPERTIES
    IMPORTED_LOCATION ${TENSORDSL_BUILT}/${folder}/${archive} SYSTEM OFF TENSORDSL_LINKS "${ARG_LINKS}")
  target_compile_features(tensordsl_${name} INTERFACE cxx_std_20)
  target_include_directories(tensordsl_${name} INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  list(TRANSFORM ARG_DEPENDS PREPEND tensordsl_)
  target_link_libraries(tensordsl_${name} INTERFACE ${ARG_LINKS} ${ARG_DEPENDS})
endfunction()
