# The bundled profiles become string literals, in the source ${tensordsl_bundled_profiles}.
set(tensordsl_bundled_profiles ${PROJECT_BINARY_DIR}/bundled_profiles.cpp)
file(GLOB profiles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hwprofile/profiles/*.json)
set(entries "")
foreach(profile IN LISTS profiles)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${profile})
  get_filename_component(name ${profile} NAME_WE)
  file(READ ${profile} text)
  string(APPEND entries "      {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${tensordsl_bundled_profiles} @ONLY CONTENT
[[#include "hwprofile/bundled_profiles.h"

namespace tensordsl::hwprofile {

const std::vector<BundledProfile>& bundled_profiles() {
  static const std::vector<BundledProfile> profiles{
@entries@  };
  return profiles;
}

}  // namespace tensordsl::hwprofile
]])
