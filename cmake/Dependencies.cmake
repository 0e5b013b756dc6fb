# Every dependency comes from a Debian package; a missing one is named with the package that has it.
function(tensordsl_find name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "tensordsl: ${name} was not found. On Debian: apt-get install ${package} "
                        "(scripts/setup installs everything that is missing)")
  endif()
endfunction()

tensordsl_find(Threads libc6-dev)
tensordsl_find(fmt libfmt-dev)
tensordsl_find(nlohmann_json nlohmann-json3-dev)
tensordsl_find(range-v3 librange-v3-dev)
tensordsl_find(Boost libboost-graph-dev 1.74)
tensordsl_find(OpenSSL libssl-dev)
tensordsl_find(SQLite3 libsqlite3-dev)
tensordsl_find(OpenCL "ocl-icd-opencl-dev opencl-headers")

# Debian's libzip-config.cmake also asks for three command-line packages; the library alone is enough.
find_path(LIBZIP_INCLUDE_DIR zip.h)
find_library(LIBZIP_LIBRARY zip)
if(NOT LIBZIP_INCLUDE_DIR OR NOT LIBZIP_LIBRARY)
  message(FATAL_ERROR "tensordsl: libzip was not found. On Debian: apt-get install libzip-dev "
                      "(scripts/setup installs everything that is missing)")
endif()
add_library(tensordsl_libzip INTERFACE)
target_include_directories(tensordsl_libzip SYSTEM INTERFACE ${LIBZIP_INCLUDE_DIR})
target_link_libraries(tensordsl_libzip INTERFACE ${LIBZIP_LIBRARY})

# xxHash is used as headers alone.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
if(NOT XXHASH_INCLUDE_DIR)
  message(FATAL_ERROR "tensordsl: xxHash was not found. On Debian: apt-get install libxxhash-dev "
                      "(scripts/setup installs everything that is missing)")
endif()
add_library(tensordsl_xxhash INTERFACE)
target_include_directories(tensordsl_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})

if(TENSORDSL_XGBOOST)
  find_path(XGBOOST_INCLUDE_DIR xgboost/c_api.h)
  find_library(XGBOOST_LIBRARY xgboost)
  if(NOT XGBOOST_INCLUDE_DIR OR NOT XGBOOST_LIBRARY)
    message(FATAL_ERROR "tensordsl: XGBoost was not found. On Debian: apt-get install libxgboost-dev "
                        "(scripts/setup installs everything that is missing); or configure with -DTENSORDSL_XGBOOST=OFF")
  endif()
  add_library(tensordsl_libxgboost INTERFACE)
  target_include_directories(tensordsl_libxgboost SYSTEM INTERFACE ${XGBOOST_INCLUDE_DIR})
  target_link_libraries(tensordsl_libxgboost INTERFACE ${XGBOOST_LIBRARY})
endif()

if(TENSORDSL_APPS)
  tensordsl_find(CLI11 libcli11-dev)
endif()

if(TENSORDSL_ONNX)
  tensordsl_find(Protobuf "libprotobuf-dev protobuf-compiler")
  find_path(ONNX_INCLUDE_DIR onnx/onnx_pb.h)
  find_library(ONNX_PROTO_LIBRARY onnx_proto)
  if(NOT ONNX_INCLUDE_DIR OR NOT ONNX_PROTO_LIBRARY)
    message(FATAL_ERROR "tensordsl: the ONNX library was not found. On Debian: apt-get install libonnx-dev "
                        "(scripts/setup installs everything that is missing)")
  endif()
  add_library(tensordsl_onnx_proto INTERFACE)
  target_include_directories(tensordsl_onnx_proto SYSTEM INTERFACE ${ONNX_INCLUDE_DIR})
  target_compile_definitions(tensordsl_onnx_proto INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
  target_link_libraries(tensordsl_onnx_proto INTERFACE ${ONNX_PROTO_LIBRARY} protobuf::libprotobuf)
endif()

# Vega draws the charts of report pages. Its parts are copied into the pages.
find_path(VEGA_DIR vega-view.min.js PATHS /usr/share/javascript/vega)
if(NOT VEGA_DIR)
  message(FATAL_ERROR "tensordsl: Vega was not found. On Debian: apt-get install libjs-vega "
                      "(scripts/setup installs everything that is missing)")
endif()

if(TENSORDSL_TESTS)
  tensordsl_find(doctest doctest-dev)
endif()
