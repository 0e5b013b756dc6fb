// The command line: commands, their help, exit codes, errors of one line.
#pragma once

#include <vector>

#include "apps/tensordsl/commands/commands.h"

namespace tensordsl::cli {

struct ToolCommand {
  const char* name;
  const char* description;
  Command (*add)(CLI::App&);
};

/// Runs the tool; returns the exit code of main().
int run_tool(int argc, char** argv, const std::vector<ToolCommand>& commands);

}  // namespace tensordsl::cli
