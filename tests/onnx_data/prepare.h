// A case up to what a device runs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "onnx_data/case.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::conformance {

/// A data set of a case with the Program for its shapes.
struct Prepared {
  std::shared_ptr<const Program> program;
  DataSet data;
  std::vector<std::string> constants;  ///< inputs that are built into the program
};

/// One for each data set. Symbolic dimensions have the sizes of the data; inputs that the library has to know
/// when it compiles, such as the shape of a Reshape, become initializers. Throws Error; no text has a path.
std::vector<Prepared> prepare(const Case& of, const DeviceInfo& device);

}  // namespace tensordsl::conformance
