# Compilers: GCC >= 12 or Clang >= 15, warnings on everywhere.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "tensordsl needs GCC 12 or newer (found ${CMAKE_CXX_COMPILER_VERSION}): apt-get install g++-12")
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  message(FATAL_ERROR "tensordsl needs Clang 15 or newer (found ${CMAKE_CXX_COMPILER_VERSION}): apt-get install clang-15")
endif()

# Warnings are errors with the compiler and the preset of CI, for everybody: the demo, the tests and CI then run the
# same commands, and what one has built the next need not build again. Other compilers, and other levels of optimization, have
# warnings that were not examined yet; they are not to break a user's build.
set(is_compiler_of_ci OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13
   AND PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O2 -DNDEBUG"
   AND NOT TENSORDSL_SANITIZE)
  set(is_compiler_of_ci ON)
endif()
option(TENSORDSL_WERROR "Treat compiler warnings as errors" ${is_compiler_of_ci})

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(tensordsl_options INTERFACE)
target_compile_options(tensordsl_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# GCC 12 sees overlapping copies in std::string's operator+ that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tensordsl_options INTERFACE -Wno-restrict)
endif()
if(TENSORDSL_WERROR)
  # A newer version of a library may call deprecated what we use of it.
  target_compile_options(tensordsl_options INTERFACE -Werror -Wno-error=deprecated-declarations)
endif()
if(TENSORDSL_SANITIZE)
  target_compile_options(tensordsl_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tensordsl_options INTERFACE -fsanitize=address,undefined)
endif()
