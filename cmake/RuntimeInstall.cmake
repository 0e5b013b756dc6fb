# The files that `cmake --install --component runtime` gives: the library, its two headers, and how to find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/TensorDSL)
# It is also a part of the whole installation.
set(components_with_runtime runtime tensordsl)
if(NOT TENSORDSL_RUNTIME AND NOT TENSORDSL_RUNTIME_ONLY)
  set(components_with_runtime "")
endif()
foreach(component IN LISTS components_with_runtime)
  install(TARGETS tensordsl_rt EXPORT tensordsl_runtime_${component} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT tensordsl_runtime_${component} FILE TensorDSL_runtime.cmake NAMESPACE TensorDSL::
    DESTINATION ${package_dir} COMPONENT ${component})
endforeach()
if(components_with_runtime)
  install(FILES include/tensordsl/runtime.h include/tensordsl/runtime.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensordsl
    COMPONENT runtime)
endif()

# The installation may be moved: the .pc file has a relative path to the headers, not an absolute one.
file(RELATIVE_PATH way_to_headers ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/tensordsl_rt.pc.in ${PROJECT_BINARY_DIR}/tensordsl_rt.pc @ONLY)
configure_package_config_file(cmake/TensorDSLConfig.cmake.in ${PROJECT_BINARY_DIR}/TensorDSLConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TensorDSLConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(component IN LISTS components_with_runtime)
  install(FILES ${PROJECT_BINARY_DIR}/tensordsl_rt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endforeach()
foreach(component runtime tensordsl)
  install(FILES ${PROJECT_BINARY_DIR}/TensorDSLConfig.cmake ${PROJECT_BINARY_DIR}/TensorDSLConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT ${component})
endforeach()
