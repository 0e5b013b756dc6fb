# Kernels as build products. docs/GENERATORS.md says more.

# tensordsl_add_generator(NAME SOURCES a.cpp ...)
# The executable of a generator: one of the sources has TENSORDSL_GENERATOR.
function(tensordsl_add_generator name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES")
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tensordsl_add_generator(${name}): it takes SOURCES a.cpp ..., and found \"${ARGN}\"")
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE TensorDSL::generator)
endfunction()

# Returns the name of a file and of a namespace: my-kernels gives my_kernels.
function(tensordsl_kernel_file_name result name call)
  string(MAKE_C_IDENTIFIER "${name}" file_name)
  string(REGEX REPLACE "__+" "_" file_name "${file_name}")
  if(NOT file_name MATCHES "^[A-Za-z]")
    message(FATAL_ERROR "${call}: files and a namespace are called so, and \"${name}\" begins with no letter; give a name that does")
  endif()
  set(${result} ${file_name} PARENT_SCOPE)
endfunction()

# When all of the project has been read: that the generator is there.
function(tensordsl_check_generator call generator)
  if(NOT TARGET "${generator}")
    message(FATAL_ERROR "${call}: FROM ${generator}: there is no target of that name; make it with "
                        "tensordsl_add_generator(${generator} SOURCES ...), or give the absolute path of a program")
  endif()
endfunction()

# tensordsl_add_kernels(NAME FROM generator [PARAMS name=value ...] [TARGETS target ...] [EMIT kind ...])
# Runs the generator whenever the project is built and it has changed, also alone as the target NAME_files, and makes the INTERFACE library NAME: who links it
# can include the headers, and links OpenCL. Files are called NAME; with several TARGETS, NAME_TARGET. `generator` is a
# target, which may be made later, or the path of a program. The property TENSORDSL_FOLDER of NAME says where the files are.
function(tensordsl_add_kernels name)
  set(call "tensordsl_add_kernels(${name})")
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FROM" "PARAMS;TARGETS;EMIT")
  if(NOT ARG_FROM OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: it takes FROM generator [PARAMS ...] [TARGETS ...] [EMIT ...], and found \"${ARGN}\"")
  endif()
  if(NOT TARGET "${ARG_FROM}" AND NOT IS_ABSOLUTE "${ARG_FROM}" AND NOT ARG_FROM MATCHES "[$]<")
    cmake_language(EVAL CODE
      "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL tensordsl_check_generator [[${call}]] [[${ARG_FROM}]])")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS any)
  endif()
  if(NOT ARG_EMIT)
    set(ARG_EMIT cl manifest header)
  endif()
  list(REMOVE_DUPLICATES ARG_EMIT)
  set(ending_cl .cl)
  set(ending_manifest .json)
  set(ending_header .h)
  set(ending_schedule .schedule.json)
  set(ending_ir .ir)
  set(ending_html .html)
  foreach(kind IN LISTS ARG_EMIT)
    if(NOT DEFINED ending_${kind})
      message(FATAL_ERROR "${call}: EMIT ${kind}: there are cl, manifest, header, schedule, ir and html")
    endif()
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.kernels)
  list(JOIN ARG_EMIT "," kinds)
  list(LENGTH ARG_TARGETS target_count)
  set(all_files "")
  foreach(target IN LISTS ARG_TARGETS)
    set(given ${target})
    set(stem ${target})
    set(depends ${ARG_FROM})
    if(target MATCHES "[./]")
      # A profile's file: of this folder, and what is made again when it changes.
      get_filename_component(given ${target} ABSOLUTE)
      get_filename_component(stem ${target} NAME_WLE)
      list(APPEND depends ${given})
    endif()
    if(target_count GREATER 1)
      tensordsl_kernel_file_name(file_name "${name}_${stem}" "${call}")
    else()
      tensordsl_kernel_file_name(file_name "${name}" "${call}")
    endif()
    if(DEFINED target_of_${file_name})
      message(FATAL_ERROR "${call}: the files of both TARGETS ${target_of_${file_name}} and ${target} would be called ${file_name}; "
                          "leave one out, or make it in a tensordsl_add_kernels of its own")
    endif()
    set(target_of_${file_name} ${target})
    set(files "")
    foreach(kind IN LISTS ARG_EMIT)
      list(APPEND files ${folder}/${file_name}${ending_${kind}})
    endforeach()
    set(constants "")
    set(touch_constants "")
    if("manifest" IN_LIST ARG_EMIT)
      # Only some pipelines have constants; a build knows files that are always there.
      set(constants BYPRODUCTS ${folder}/${file_name}.bin)
      set(touch_constants COMMAND ${CMAKE_COMMAND} -E touch ${folder}/${file_name}.bin)
    endif()
    add_custom_command(
      OUTPUT ${files}
      ${constants}
      COMMAND ${ARG_FROM} -o ${folder} -n ${file_name} -e ${kinds} target=${given} ${ARG_PARAMS}
      ${touch_constants}
      DEPENDS ${depends}
      COMMENT "Generating kernels ${file_name}"
      VERBATIM)
    list(APPEND all_files ${files})
  endforeach()
  add_custom_target(${name}_files ALL DEPENDS ${all_files})
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_files)
  # A project that installs the headers gives their installed folder itself.
  target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${folder}>)
  set_target_properties(${name} PROPERTIES TENSORDSL_FOLDER ${folder})
  find_package(OpenCL QUIET)
  if(OpenCL_FOUND)
    target_link_libraries(${name} INTERFACE OpenCL::OpenCL)
  endif()
endfunction()
