// Constants that are stored in another form, and the Funcs that read them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "definitions/definition_graph.h"
#include "definitions/redirector.h"

namespace tensordsl {

/// Changes a tensor. Returns what is stored beside it, before it in the order of the graph: its scales.
using StoreTensor = std::function<std::optional<DefinedTensor>(std::size_t tensor, DefinedTensor& stored)>;

/// Returns the graph with every tensor as `store` leaves it. `rebuild` is called with each Func after those
/// that it reads, and says by the redirector what is read in its place.
///
///     w, y = sum(x*w)   ->   w_scale, w of i8, y = sum(x*w)*w_scale
DefinitionGraph store_otherwise(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                const Redirector& redirector, const StoreTensor& store,
                                const std::function<void(const Func& func)>& rebuild);

}  // namespace tensordsl
