// Where tuning records are kept if nobody says.
#pragma once

#include <string>

namespace tensordsl::cli {

/// $TENSORDSL_DB, else tensordsl/tuning.db in $XDG_DATA_HOME or ~/.local/share; its folder is made. Throws
/// Error if there is no such place.
std::string default_database();
/// The same for help texts.
std::string default_database_text();

}  // namespace tensordsl::cli
