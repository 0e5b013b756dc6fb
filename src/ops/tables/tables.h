// The operators by kind, each table in alphabetical order.
#pragma once

#include <limits>
#include <span>

#include "ops/operator_spec.h"

namespace tensordsl::ops::tables {

inline constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
inline constexpr std::int64_t kLatest = 28;

std::span<const OperatorSpec> attention();
std::span<const OperatorSpec> contributed();
std::span<const OperatorSpec> elementwise();
std::span<const OperatorSpec> indexing();
std::span<const OperatorSpec> logic();
std::span<const OperatorSpec> matrices();
std::span<const OperatorSpec> movement();
std::span<const OperatorSpec> normalization();
std::span<const OperatorSpec> quantization();
std::span<const OperatorSpec> recurrent();
std::span<const OperatorSpec> reductions();
std::span<const OperatorSpec> resampling();
std::span<const OperatorSpec> signals();
std::span<const OperatorSpec> sizes();
std::span<const OperatorSpec> windows();

/// Steps that rules of ops/normalize make of operators; they are of no operator set.
std::span<const OperatorSpec> steps();

}  // namespace tensordsl::ops::tables
