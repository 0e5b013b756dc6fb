// Concatenates tensors, such as constants, into one, and takes one of them out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "tensordsl/buffer.h"
#include "tensordsl/func.h"

namespace tensordsl::graph {

/// Returns the type and the extents of a tensor as a text that is equal for tensors that can be concatenated
/// along `dim`: "f32_64_n".
std::string shape_text(const definitions::DefinedTensor& tensor, std::optional<std::size_t> dim);

/// Concatenates tensors that differ in nothing but their extent along `dim`, in that dimension.
Buffer concatenated(const std::vector<const Buffer*>& parts, std::size_t dim);

/// Returns `part` as the elements of `whole` from `first` on along `dim`, under its own name.
Func slice_of(const Func& whole, const Func& part, std::size_t dim, std::int64_t first);

}  // namespace tensordsl::graph
