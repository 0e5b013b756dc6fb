// A file with the cases that pass, so that changes are seen.
#pragma once

#include <string>
#include <vector>

#include "onnx_data/report.h"

namespace tensordsl::conformance {

struct Change {
  std::vector<std::string> lost;  ///< cases that are to pass and do not, with what became of them
  std::vector<std::string>
      gained;  ///< cases that pass, or are no longer in the data, and the file says otherwise
  std::vector<std::string> wrong;  ///< cases that give wrong values or fail, whatever the file says
};

/// The names of the cases that pass, a line for each. Needs: a device with f64.
std::string expected_text(const std::vector<Finding>& findings);

/// `expected`: the text of the file. A case that needs f64 is skipped if the device lacks it, and so are
/// `driver_faults`, which the driver is known to get wrong.
Change changes(const std::vector<Finding>& findings, const std::string& expected,
               const std::vector<std::string>& driver_faults = {});

}  // namespace tensordsl::conformance
