# The targets for users: TensorDSL::core, ::hostjit, ::opencl, ::onnx, and ::generator for the executables of generators. Each is a set
# of layers, and shows the public headers only. tensordsl::tensordsl is all but the last.
set(tensordsl_core_layers
  base ir layout schedule dsl classify lower runtime package codegen emit llvm_emit backends simulate predict outline pipeline hwprofile analysis
  reported probes profiling definitions schedules graph records measure search tune report)
set(tensordsl_hostjit_layers llvm_device)
set(tensordsl_opencl_layers device cuda_graphs drivers)
set(tensordsl_onnx_layers ops onnx model)
set(tensordsl_generation_layers generator)
set(tensordsl_core_components "")
set(tensordsl_hostjit_components core)
set(tensordsl_opencl_components core hostjit)
set(tensordsl_onnx_components core)
set(tensordsl_generation_components core opencl)

set(tensordsl_components core hostjit opencl)
if(TENSORDSL_ONNX)
  list(APPEND tensordsl_components onnx)
endif()

add_library(tensordsl_all INTERFACE)
add_library(tensordsl::tensordsl ALIAS tensordsl_all)
foreach(component IN LISTS tensordsl_components)
  add_library(tensordsl_component_${component} INTERFACE)
  add_library(TensorDSL::${component} ALIAS tensordsl_component_${component})
  target_compile_features(tensordsl_component_${component} INTERFACE cxx_std_20)
  target_include_directories(tensordsl_component_${component} INTERFACE ${PROJECT_SOURCE_DIR}/include)
  foreach(layer IN LISTS tensordsl_${component}_layers)
    target_link_libraries(tensordsl_component_${component} INTERFACE $<LINK_ONLY:tensordsl_${layer}>)
  endforeach()
  foreach(other IN LISTS tensordsl_${component}_components)
    target_link_libraries(tensordsl_component_${component} INTERFACE tensordsl_component_${other})
  endforeach()
  target_link_libraries(tensordsl_all INTERFACE tensordsl_component_${component})
endforeach()

add_library(tensordsl_component_generator INTERFACE)
add_library(TensorDSL::generator ALIAS tensordsl_component_generator)
target_link_libraries(tensordsl_component_generator
  INTERFACE $<LINK_ONLY:tensordsl_generator_main> tensordsl_component_core tensordsl_component_opencl)
