# The Python module alone, of an installed tensordsl, which need not be built again.
find_package(TensorDSL ${PROJECT_VERSION} REQUIRED COMPONENTS core opencl onnx)
find_package(fmt REQUIRED)
set(TENSORDSL_PYTHON ON)
include(cmake/Python.cmake)
add_subdirectory(python)
