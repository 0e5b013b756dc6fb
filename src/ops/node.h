// One operator application, in the form of the file and of the operators' own rules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "tensordsl/operator_table.h"

namespace tensordsl::ops {

struct Node {
  std::string name;                  ///< name in messages; not necessarily unique
  std::string op;                    ///< ONNX operator type, as operator_key gives it
  std::vector<std::string> inputs;   ///< tensor names in ONNX's order; "" is an optional input that is absent
  std::vector<std::string> outputs;  ///< tensor names; "" is an output that is absent
  Attributes attributes;
  /// The definition of a user's operator; null for ONNX's own.
  std::shared_ptr<const OperatorDefinition> definition = nullptr;

  /// The name of input `i`; "" if it is absent.
  std::string input(std::size_t i) const { return i < inputs.size() ? inputs[i] : ""; }
};

/// "node 'conv1' (Conv)", for messages.
std::string label(const Node& node);

}  // namespace tensordsl::ops
