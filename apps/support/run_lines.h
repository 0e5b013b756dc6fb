// Another program as a source of lines.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tensordsl::apps {

/// Runs the program `arguments[0]`, with `environment` added to this process's, and calls `told` with each
/// line of its standard output and standard error, in their order. Returns its exit status; -1 if a signal
/// ended it. Throws Error, which starts with `call`, if it cannot be started.
int run_lines(const char* call, const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment,
              const std::function<void(const std::string& line)>& told);

}  // namespace tensordsl::apps
