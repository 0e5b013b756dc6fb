// The JSON Schema of profiles, made from the list of their fields.
#pragma once

#include <string>

namespace tensordsl::hwprofile {

/// Returns the text of hwprofile/schema.json.
std::string profile_schema();

}  // namespace tensordsl::hwprofile
