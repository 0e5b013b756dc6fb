// Constants that follow from others: small ones are interpreted, large ones are computed by kernels.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "onnx/onnx_graph.h"
#include "tensordsl/model.h"

namespace tensordsl {

/// An Evaluator (onnx/onnx_graph.h) that stays the same object over the nodes of one model.
class ConstantEvaluator {
 public:
  /// `options` must outlive it.
  explicit ConstantEvaluator(const ModelOptions& options) : options_(options) {}

  std::vector<Buffer> evaluate(const ops::Node& node, const std::vector<const Buffer*>& inputs);

 private:
  bool may_interpret(double work);
  std::shared_ptr<Device> device();
  std::vector<Buffer> interpret_node(const ops::Node& node, const std::vector<const Buffer*>& inputs) const;

  const ModelOptions& options_;
  double interpreted_ = 0;                         // values
  std::optional<std::shared_ptr<Device>> device_;  // once it was asked for
};

}  // namespace tensordsl
