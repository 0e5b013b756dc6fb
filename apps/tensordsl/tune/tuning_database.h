// The default database of tuning records.
#pragma once

#include <string>

namespace tensordsl::cli {

/// Returns $TENSORDSL_DB, else tensordsl/tuning.db in $XDG_DATA_HOME or ~/.local/share; its folder is made.
/// Throws Error if there is no home folder, or the folder cannot be made.
std::string default_database();
/// True if the environment says where the default database is: by TENSORDSL_DB, XDG_DATA_HOME or HOME.
bool has_default_database();
/// Describes the default database for help texts.
std::string default_database_text();

/// Checks that the file of an option is neither the database nor one of its auxiliary files. Throws Error,
/// which begins with the option, if it is.
void check_is_no_database(const std::string& option, const std::string& path, const std::string& database);

}  // namespace tensordsl::cli
