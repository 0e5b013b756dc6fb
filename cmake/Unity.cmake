# Unity builds: several files of a target are one translation unit, which parses its headers and instantiates its templates once.
# Names in unnamed namespaces differ within a layer for that.
option(TENSORDSL_UNITY "Compile several files of a layer as one translation unit, in half of the time" ON)

# A unit holds up to a gigabyte of syntax trees that all live to its end. By default GCC walks them again and again for garbage.
if(TENSORDSL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=600000>)
endif()

# tensordsl_use_unity(TARGET): units of up to 28 of the target's files, equally filled. The tool then takes half of the CPU
# seconds that it takes file by file (measured), and a changed file is compiled, with the others of its unit, in up to half a minute.
function(tensordsl_use_unity target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources files)
  math(EXPR units "(${files} + 27) / 28")
  math(EXPR files_of_unit "(${files} + ${units} - 1) / ${units}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TENSORDSL_UNITY} UNITY_BUILD_BATCH_SIZE ${files_of_unit})
endfunction()
