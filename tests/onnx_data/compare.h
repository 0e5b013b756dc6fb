// Compares an output with the one that ONNX expects.
#pragma once

#include <optional>
#include <string>

#include "tensordsl/buffer.h"

namespace tensordsl::conformance {

/// The tolerances of ONNX's own runner (onnx.backend.test.runner), for all its cases.
constexpr double kRelativeTolerance = 1e-3, kAbsoluteTolerance = 1e-7;

/// How `found` differs in type, shape or values; nothing if it does not. Integers and bools are to be equal;
/// a NaN equals a NaN.
std::optional<std::string> difference(const Buffer& found, const Buffer& expected);

}  // namespace tensordsl::conformance
