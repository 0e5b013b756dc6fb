#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// y = Conv(x, w, b); z = BatchNormalization(y)  ->  z = Conv(x, w', b')
/// where nothing else reads y, and w and b are constants; an Identity or Dropout may be between them; others:
/// z = BatchNormalization(y)  ->  z = y * scale' + shift' with constants of the shape [C,1,..]. The new
/// constants are computed in double precision.
/// Needs: shapes inferred.  Gives: no BatchNormalization but those whose statistics are not constants.
void fold_batch_norm(Graph& graph);

}  // namespace tensordsl::onnx
