# A build of the runtime alone, also for another system than this: its library, and a program that tests it.
include(GNUInstallDirs)
find_package(Threads REQUIRED)
include(cmake/RuntimeLibrary.cmake)
include(cmake/RuntimeInstall.cmake)
add_subdirectory(tests/runtime_library)
