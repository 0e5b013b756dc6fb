# libtensordsl_rt: what runs packages, and nothing that makes them. Its sources are some of the layers' own, compiled for
# size, with headers of libraries alone and its own way to OpenCL (backends/opencl/loader): it needs no library but the
# system's. Cross-compilers build it without anything of the target's.
set(tensordsl_runtime_sources "")
function(tensordsl_runtime_sources folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  list(TRANSFORM ARGN APPEND .cpp)
  set(tensordsl_runtime_sources ${tensordsl_runtime_sources} ${ARGN} PARENT_SCOPE)
endfunction()

tensordsl_runtime_sources(src/base
  checksum half image kernel_source mapped_file printable run_in_parallel type version write_file)
tensordsl_runtime_sources(src/ir
  bitwise_operators congruence constant_fold evaluation_guards expr_node expr_order extent_form function
  guarded_reads index_ranges index_ranges_assume index_ranges_system interval intrinsics linear_form
  linear_system monotonic name_filter operations operators parse print promotion prove simplifier simplify
  simplify_arithmetic simplify_bitwise simplify_division simplify_extremum simplify_logic simplify_rules
  simplify_stmt simplify_vector stmt substitute symbolic_interval var verify work_counter)
tensordsl_runtime_sources(src/layout
  layout layout_notation pack stored_tensor)
tensordsl_runtime_sources(src/runtime
  allocate_slots buffer check_launch check_memory check_program check_r16f_images check_requirements device
  driver evaluate function_json interpreter memory_text param_value program_files program_folder
  program_from_json program_memory required_boxes run_host_step run_order run_states run_values runner
  select_device shared_images tracing)
tensordsl_runtime_sources(src/package
  package_index read_package)
tensordsl_runtime_sources(src/c_api
  describe_tensor device guarded instance package terminate)
tensordsl_runtime_sources(backends/opencl/device
  build_programs check check_extensions check_sub_groups command_buffer create_image device_info device_list
  device_objects fit_work_group offered_binaries opencl_device opencl_driver own_objects probe_r16f_images
  program_cache recordable_queue recording wait)
tensordsl_runtime_sources(backends/opencl/loader
  opencl_functions opencl_library)

# A folder with these libraries' headers alone: beside others of this machine they would hide those of the target.
set(portable_headers ${PROJECT_BINARY_DIR}/portable_headers)
file(MAKE_DIRECTORY ${portable_headers})
foreach(pair fmt/format.h:libfmt-dev nlohmann/json.hpp:nlohmann-json3-dev xxhash.h:libxxhash-dev CL/cl.h:opencl-headers)
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

add_library(tensordsl_rt SHARED ${tensordsl_runtime_sources})
add_library(TensorDSL::runtime ALIAS tensordsl_rt)
set_target_properties(tensordsl_rt PROPERTIES
  EXPORT_NAME runtime VERSION ${PROJECT_VERSION} SOVERSION 1
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/runtime_symbols.map)
target_compile_features(tensordsl_rt PRIVATE cxx_std_20)
target_include_directories(tensordsl_rt PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}
  INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(tensordsl_rt SYSTEM PRIVATE ${portable_headers})
target_compile_definitions(tensordsl_rt PRIVATE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR TENSORDSL_VERSION="${PROJECT_VERSION}")
target_link_libraries(tensordsl_rt PRIVATE tensordsl_options Threads::Threads ${CMAKE_DL_LIBS})
target_compile_options(tensordsl_rt PRIVATE -ffunction-sections -fdata-sections $<$<CONFIG:Release>:-Os>)
include(CheckIPOSupported)
check_ipo_supported(RESULT has_link_time_optimization LANGUAGES CXX)
set_target_properties(tensordsl_rt PROPERTIES INTERPROCEDURAL_OPTIMIZATION_RELEASE ${has_link_time_optimization})
# The C++ library is linked in: the one on a device may be another one, or none. Only tdsl_ is seen from outside, and so two
# copies do not meet.
target_link_options(tensordsl_rt PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-z,noseparate-code
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/runtime_symbols.map)
if(NOT TENSORDSL_SANITIZE)
  target_link_options(tensordsl_rt PRIVATE -Wl,--no-undefined)
endif()
