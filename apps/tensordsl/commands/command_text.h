// The command line of a command.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tensordsl::cli {

/// Returns the command with the options that were given, in the order in which the command declares them.
std::string command_text(const CLI::App& app);

}  // namespace tensordsl::cli
