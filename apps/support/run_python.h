// A script in a process of python3's.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::apps {

struct PythonResult {
  int code = 0;          ///< the exit code; -1 if a signal ended it
  std::string out, err;  ///< the last line of each that says anything
};

/// Advice for `otherwise` if there is no python3.
inline constexpr const char* kWithOnnxRuntime = " and the package onnxruntime, or drop --peers";

/// Runs a script in python3 and waits for its end. Throws Error if there is no python3: it starts with `call`
/// and ends with `otherwise`, the remedy.
PythonResult run_python(const char* call, const char* otherwise, const std::string& script,
                        const std::vector<std::string>& arguments);

}  // namespace tensordsl::apps
