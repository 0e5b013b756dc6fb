# libtensordsl_rt: what runs packages, and nothing that makes them. Its sources are some of the layers' own, compiled for
# size, with headers of libraries alone and its own way to OpenCL (backends/opencl/loader): it needs no library but the
# system's. Cross-compilers build it without anything of the target's.
set(tensordsl_runtime_sources "")
function(tensordsl_runtime_sources folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  list(TRANSFORM ARGN APPEND .cpp)
  string(MAKE_C_IDENTIFIER ${folder} unit)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${unit})
  set(tensordsl_runtime_sources ${tensordsl_runtime_sources} ${ARGN} PARENT_SCOPE)
endfunction()

tensordsl_runtime_sources(src/base
  checksum half image json_text kernel_source mapped_file text/printable run_in_parallel size/evaluate_size size/parse_size size/print_size size/size_expr size/size_function text/token_reader type version write_file)
# No simplifier: where programs run every size is a number.
tensordsl_runtime_sources(src/ir
  analyze/assume_numbers analyze/evaluation_guards analyze/linear_system analyze/number_ranges analyze/select_cases
  nodes/expr_node nodes/expr_order nodes/function nodes/interval nodes/linear_form nodes/name_filter nodes/size_conversion
  nodes/traverse nodes/var nodes/work_counter operations/intrinsics operations/operations text/parse text/print)
tensordsl_runtime_sources(src/layout
  layout layout_notation pack)
tensordsl_runtime_sources(src/runtime
  memory/allocate_slots buffer/buffer device/cache_entries device/check_backend device/check_buffer_range device/check_launch memory/check_memory program/check_parts program/check_program values/check_requirements device/device
  device/driver values/evaluate json/function_json host/interpreter memory/memory_text device/offered_binaries values/param_value device/program_cache json/program_files json/program_folder json/folder_writer
  json/program_from_json memory/program_memory host/required_boxes run/run_host_step run/run_loops program/run_order run/run_states values/run_values run/runner run/runner_impl
  device/select_device program/shared_images values/bounds_of_size host/tracing)
tensordsl_runtime_sources(src/package
  package_index read_package)
tensordsl_runtime_sources(src/c_api
  describe_memory describe_tensor device guarded instance package terminate)
tensordsl_runtime_sources(backends/opencl/device
  build_programs check command_buffer create_image device_info device_list
  device_objects fit_work_group opencl_device opencl_driver own_objects probe_r16f_images
  recordable_queue recording wait)
tensordsl_runtime_sources(backends/opencl/loader
  opencl_functions opencl_library)

# A folder with these libraries' headers alone: the other headers of this machine would hide those of the target.
set(portable_headers ${PROJECT_BINARY_DIR}/portable_headers)
file(MAKE_DIRECTORY ${portable_headers})
set(needed_headers fmt/format.h:libfmt-dev nlohmann/json.hpp:nlohmann-json3-dev xxhash.h:libxxhash-dev CL/cl.h:opencl-headers)
if(TENSORDSL_TOOL_ON_DEVICE)
  list(APPEND needed_headers CLI/CLI.hpp:libcli11-dev)
endif()
foreach(pair IN LISTS needed_headers)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 header)
  list(GET pair 1 package)
  string(MAKE_C_IDENTIFIER "TENSORDSL_DIR_OF_${header}" variable)
  find_path(${variable} ${header} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${variable})
    message(FATAL_ERROR "tensordsl: ${header} was not found. On Debian: apt-get install ${package}")
  endif()
  string(REGEX MATCH "^[^/]+" entry ${header})
  file(CREATE_LINK ${${variable}}/${entry} ${portable_headers}/${entry} SYMBOLIC)
endforeach()

# Objects, for the library and for programs that are built like it.
add_library(tensordsl_rt_objects OBJECT ${tensordsl_runtime_sources})
include(CheckIPOSupported)
check_ipo_supported(RESULT has_link_time_optimization LANGUAGES CXX)
# Sets the compile options of the runtime for a target.
function(tensordsl_compile_for_runtime target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    INTERPROCEDURAL_OPTIMIZATION_RELEASE ${has_link_time_optimization})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${portable_headers})
  target_compile_definitions(${target} PRIVATE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR TENSORDSL_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${target} PRIVATE tensordsl_options Threads::Threads ${CMAKE_DL_LIBS})
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections $<$<CONFIG:Release>:-Os>)
endfunction()
tensordsl_compile_for_runtime(tensordsl_rt_objects)
# Names in unnamed namespaces differ within a layer, not among layers.
set_target_properties(tensordsl_rt_objects PROPERTIES UNITY_BUILD ${TENSORDSL_UNITY} UNITY_BUILD_MODE GROUP)

# The C++ library is linked in: the one on a device may be another one, or none.
include(CheckLinkerFlag)
set(tensordsl_runtime_link_flags "")
# In one partition of the link-time optimization equal functions of all files are one.
foreach(flag -static-libstdc++ -static-libgcc -flto-partition=one -Wl,--gc-sections -Wl,-z,noseparate-code -Wl,-z,max-page-size=16384)
  string(MAKE_C_IDENTIFIER "TENSORDSL_LINKER_TAKES_${flag}" variable)
  check_linker_flag(CXX ${flag} ${variable})
  if(${variable})
    list(APPEND tensordsl_runtime_link_flags ${flag})
  endif()
endforeach()

add_library(tensordsl_rt SHARED $<TARGET_OBJECTS:tensordsl_rt_objects>)
add_library(TensorDSL::runtime ALIAS tensordsl_rt)
set_target_properties(tensordsl_rt PROPERTIES
  LINKER_LANGUAGE CXX EXPORT_NAME runtime VERSION ${PROJECT_VERSION} SOVERSION 1
  INTERPROCEDURAL_OPTIMIZATION_RELEASE ${has_link_time_optimization}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/runtime_symbols.map)
target_include_directories(tensordsl_rt
  INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tensordsl_rt PRIVATE tensordsl_options Threads::Threads ${CMAKE_DL_LIBS})
# Only tdsl_ is seen from outside, and so two copies of the C++ library do not meet.
target_link_options(tensordsl_rt PRIVATE ${tensordsl_runtime_link_flags}
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/runtime_symbols.map)
if(NOT TENSORDSL_SANITIZE)
  target_link_options(tensordsl_rt PRIVATE -Wl,--no-undefined)
endif()
