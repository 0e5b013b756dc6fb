#pragma once

#include <functional>

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// An Evaluator: the operator's definition, interpreted on the host. Needs: shapes inferred, and an operator
/// that has a definition.
std::vector<Buffer> evaluate_node(const ops::Node& node, const std::vector<const Buffer*>& inputs);

/// Evaluates like evaluate_node(); calls `progress` now and then with the number of values that are computed,
/// and of all.
std::vector<Buffer> evaluate_with_progress(
    const ops::Node& node, const std::vector<const Buffer*>& inputs,
    const std::function<void(std::int64_t done, std::int64_t total)>& progress);

/// Estimates the number of values that the interpreter computes for the node: elements of its outputs times
/// the reduced extents.
double interpreted_work(const ops::Node& node, const std::vector<const Buffer*>& inputs);

}  // namespace tensordsl::onnx
