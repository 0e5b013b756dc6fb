// The part of a launcher header that is the same for all pipelines.
#pragma once

namespace tensordsl::generator {

/// C++17 and OpenCL 1.2: errors, memory, and arithmetic of sizes, in the namespace `detail` of the launcher.
extern const char* const kLauncherRuntime;

}  // namespace tensordsl::generator
