tensordsl_precompile(tensordsl_precompiled)

# tensordsl_layer(NAME SOURCES a.cpp ... DEPENDS layer ... LINKS library ...)
# One static library per layer of src/layers.txt. DEPENDS names layers, LINKS outside libraries.
function(tensordsl_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_library(tensordsl_${name} STATIC ${ARG_SOURCES})
  target_include_directories(tensordsl_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                                                      ${PROJECT_SOURCE_DIR})
  target_compile_features(tensordsl_${name} PUBLIC cxx_std_20)
  target_link_libraries(tensordsl_${name} PRIVATE tensordsl_options range-v3::range-v3 PUBLIC ${ARG_LINKS})
  tensordsl_use_precompiled(tensordsl_${name} tensordsl_precompiled)
  tensordsl_use_unity(tensordsl_${name})
  set_target_properties(tensordsl_${name} PROPERTIES TENSORDSL_LINKS "${ARG_LINKS}")
  foreach(layer IN LISTS ARG_DEPENDS)
    target_link_libraries(tensordsl_${name} PUBLIC tensordsl_${layer})
  endforeach()
endfunction()
