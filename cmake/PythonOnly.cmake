# The Python module alone, of an installed tensordsl: a minute instead of a quarter of an hour.
find_package(TensorDSL ${PROJECT_VERSION} REQUIRED COMPONENTS core opencl onnx)
find_package(fmt REQUIRED)
set(TENSORDSL_PYTHON ON)
include(cmake/Python.cmake)
add_subdirectory(python)
