# The reference of the public headers as pages, where Doxygen is: cmake --build DIR --target api_reference
configure_file(docs/api/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
find_program(DOXYGEN_PROGRAM doxygen)
if(DOXYGEN_PROGRAM)
  add_custom_target(api_reference COMMAND ${DOXYGEN_PROGRAM} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
endif()
