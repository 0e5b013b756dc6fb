# tensordsl for a phone: the commands that have to run where the device is, built as the runtime is.
function(tensordsl_tool_sources folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  list(TRANSFORM ARGN APPEND .cpp)
  string(MAKE_C_IDENTIFIER ${folder} unit)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${unit})
  set(tensordsl_tool_sources ${tensordsl_tool_sources} ${ARGN} PARENT_SCOPE)
endfunction()
set(tensordsl_tool_sources "")
tensordsl_tool_sources(src/base
  cpp_text)
tensordsl_tool_sources(src/runtime
  buffer/default_input json/list_program_files json/program_json)
tensordsl_tool_sources(src/measure
  check_outputs child_process device_measurer measure_candidates operand_values serve_worker worker_measurer
  worker_protocol)
tensordsl_tool_sources(backends/drivers
  open_device opencl_driver_alone)
tensordsl_tool_sources(hwprofile
  load_profile profile_json profile_schema)
tensordsl_tool_sources(hwprofile/analysis
  agree first_step hierarchy level_bandwidth line merge peak spill staircase steady sweep tick)
tensordsl_tool_sources(hwprofile/reported
  cross_check derived_profile reported_by_driver)
tensordsl_tool_sources(hwprofile/probes
  all_probes arithmetic barrier bench buffer_cache cache_sweep chase clock constant_memory footprint_bandwidth
  image_cache launch local_memory memory parallelism registers step_sweep transfer warp)
tensordsl_tool_sources(hwprofile/profiling
  calibrator checkpoint profile_device unsteady_lines)
tensordsl_tool_sources(apps/tensordsl
  main_on_device run_tool console/files console/interrupt console/print_json console/progress console/quoted console/terminal
  console/text_table profile/measure_profile profile/no_profile_pages profile/profile_rows profile/profile_table
  profile/show_profile tune/worker_commands commands/devices commands/profile commands/worker)

include(cmake/Embed.cmake)
include(hwprofile/BundledProfiles.cmake)
tensordsl_embed(OUTPUT ${PROJECT_BINARY_DIR}/dask_script.cpp HEADER apps/tensordsl/tune/dask_script.h
                FUNCTION tensordsl::cli::dask_script FILES dask_measurer=${PROJECT_SOURCE_DIR}/apps/tensordsl/tune/dask_measurer.py)

add_executable(tensordsl ${tensordsl_tool_sources} ${tensordsl_bundled_profiles} ${PROJECT_BINARY_DIR}/dask_script.cpp
  $<TARGET_OBJECTS:tensordsl_rt_objects>)
tensordsl_compile_for_runtime(tensordsl)
set_target_properties(tensordsl PROPERTIES UNITY_BUILD ${TENSORDSL_UNITY} UNITY_BUILD_MODE GROUP)
target_link_options(tensordsl PRIVATE ${tensordsl_runtime_link_flags})
