# CPack reads this for each kind of package: Debian's has the system's libraries, the archive brings them along.
set(CPACK_COMPONENTS_ALL tensordsl)
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(APPEND CPACK_COMPONENTS_ALL bundled_libraries)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
