// Kernels whose machine code is counted, and how often their launches run them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensordsl::bench {

struct IsaKernel {
  std::string name;                ///< name of its file without the ending
  std::string entry;               ///< name of the kernel's function
  std::string text;                ///< OpenCL C
  std::string options;             ///< options for the compiler
  std::string label;               ///< description of the first launch's result; may be empty
  std::optional<int> registers;    ///< estimate of its 32-bit registers
  double work_items = 1;           ///< work-items of all its launches together
  double predicted_us = 0;         ///< predicted time of all its launches; 0: there is no prediction
  std::int64_t private_bytes = 0;  ///< bytes of private arrays that its schedule asks for
};

/// Returns the kernels of `place`: an ONNX model, compiled for the bundled profile `profile` with weights of
/// random values where they are absent; a package or a folder of one; or a single .cl file, of which each
/// kernel counts as one work-item. `half`: compiles a model in f16. `without`: passes of lowering that are
/// left out. Throws Error on a place that is none of these.
std::vector<IsaKernel> isa_kernels_of(const std::string& place, const std::string& profile, bool half,
                                      const std::vector<std::string>& without);

}  // namespace tensordsl::bench
