// Prints the results of `tensordsl diff`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/diff/difference.h"
#include "tensordsl/model.h"

namespace tensordsl::cli {

struct TensorCheck {
  NodeOutput tensor;
  std::vector<std::int64_t> shape;  ///< shape of the tensor that was found
  Difference difference;
};

struct DiffReport {
  struct LeftOut {
    std::string tensor, reason;
  };

  std::string model, device, precision, against;
  std::vector<std::string> inputs;  ///< a line for each
  double rtol = 0;
  std::vector<TensorCheck> outputs;  ///< outputs of the Program that runs
  /// The tensors in the model's order: those that a kernel stores; with --fused those that were compared.
  std::vector<TensorCheck> tensors;
  std::vector<LeftOut> left_out;
  bool keeps_fusion = false;  ///< --fused
  bool lists_all = false;     ///< --all

  const TensorCheck* first() const;  ///< the first that differs; null if there is none
  bool holds() const;
};

nlohmann::ordered_json to_json(const DiffReport& report);

/// Formats the report as text, in lines that are not wider than the terminal. `columns`: its width; nullopt
/// if the output is not a terminal.
std::string to_text(const DiffReport& report, std::optional<int> columns);

}  // namespace tensordsl::cli
