# The files that `cmake --install` and `cpack` give: a shared library for each component, the headers, the CMake package, the
# command line tool, the documents; in the archive also the libraries that a bare machine does not have.
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/TensorDSL)
set(document_dir ${CMAKE_INSTALL_DATADIR}/doc/tensordsl)

# Files find each other wherever the folder is moved. RPATH and not RUNPATH: it holds for the libraries' libraries too.
function(tensordsl_set_rpath target rpath)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endfunction()

foreach(component IN LISTS tensordsl_components ITEMS generation)
  set(library tensordsl_shared_${component})
  add_library(${library} SHARED)
  set_target_properties(${library} PROPERTIES
    OUTPUT_NAME tensordsl_${component} EXPORT_NAME ${component} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  foreach(layer IN LISTS tensordsl_${component}_layers)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:tensordsl_${layer}>)
    target_link_libraries(${library} PRIVATE $<TARGET_PROPERTY:tensordsl_${layer},TENSORDSL_LINKS>)
  endforeach()
  foreach(other IN LISTS tensordsl_${component}_components)
    target_link_libraries(${library} PUBLIC tensordsl_shared_${other})
  endforeach()
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE tensordsl_options)
  if(NOT TENSORDSL_SANITIZE)
    target_link_options(${library} PRIVATE -Wl,--no-undefined)
  endif()
  tensordsl_set_rpath(${library} "$ORIGIN")
  # An export set for each component: the package offers those that were built.
  install(TARGETS ${library} EXPORT tensordsl_${component} RUNTIME_DEPENDENCY_SET tensordsl_dependencies
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tensordsl)
  install(EXPORT tensordsl_${component} FILE TensorDSL_${component}.cmake NAMESPACE TensorDSL::
    DESTINATION ${package_dir} COMPONENT tensordsl)
endforeach()

# main() of generators; all that it calls is shared.
add_library(tensordsl_installed_generator STATIC $<TARGET_OBJECTS:tensordsl_generator_main>)
set_target_properties(tensordsl_installed_generator PROPERTIES
  OUTPUT_NAME tensordsl_generator_main EXPORT_NAME generator LINKER_LANGUAGE CXX)
target_link_libraries(tensordsl_installed_generator INTERFACE tensordsl_shared_generation)
install(TARGETS tensordsl_installed_generator EXPORT tensordsl_generation
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tensordsl)

if(TENSORDSL_APPS)
  tensordsl_set_rpath(tensordsl "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS tensordsl RUNTIME_DEPENDENCY_SET tensordsl_dependencies RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tensordsl)
endif()

if(TENSORDSL_ONNX)
  install(DIRECTORY include/tensordsl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT tensordsl)
else()
  install(DIRECTORY include/tensordsl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT tensordsl PATTERN model.h EXCLUDE)
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${document_dir} COMPONENT tensordsl)
install(DIRECTORY docs DESTINATION ${document_dir} COMPONENT tensordsl)
install(FILES src/runtime/json/program.schema.json DESTINATION ${document_dir}/schemas COMPONENT tensordsl)
install(FILES hwprofile/schema.json DESTINATION ${document_dir}/schemas RENAME profile.schema.json COMPONENT tensordsl)

include(cmake/RuntimeInstall.cmake)
install(FILES cmake/TensorDSLGenerators.cmake DESTINATION ${package_dir} COMPONENT tensordsl)

# The archive runs where nothing is but the C and C++ libraries of the system and an OpenCL driver. Those two are left
# out: a driver may need newer ones than this machine has.
install(RUNTIME_DEPENDENCY_SET tensordsl_dependencies
  PRE_EXCLUDE_REGEXES [[^libtensordsl_]] [[^lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so]] [[^ld-linux]]
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT bundled_libraries EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME tensordsl)
set(CPACK_PACKAGE_VENDOR "The tensordsl authors")
set(CPACK_PACKAGE_CONTACT "The tensordsl authors <tensordsl@example.org>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageContents.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libllvm16 | libllvm15, ocl-icd-opencl-dev, cmake, g++, graphviz")
include(CPack)
