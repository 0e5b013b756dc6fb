#pragma once

#include <optional>
#include <string>

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// A tensor of f64: an input before an output before any other; nothing if there is none.
std::optional<std::string> find_double(const Graph& graph);

/// x: f64, y: f64 = Exp(x)  ->  x: f32, y: f32 = Exp(x)
/// Every f64 tensor becomes f32, constants are rounded; inputs and outputs keep f64 as their outer type.
/// Needs: shapes inferred; they are not inferred again.
Graph narrow_doubles(Graph graph);

}  // namespace tensordsl::onnx
