// Sizes and values that a model has to know before it runs, from the inputs that it will be given.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "onnx/import_onnx.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {

/// ImportOptions with more sizes and constants than before, and a text of the new ones: "frames = 40, sr =
/// 16000".
struct FixedImport {
  ImportOptions options;
  std::string text;
};

/// Returns the options for another try where `error` has refused a model: inputs that have to be constants
/// take their values from ImportOptions::inputs, and otherwise every open dimension gets its size in these.
/// Nothing if that changes nothing.
///
///     Scan(x[time, 1, 64]), inputs x: f32[40, 1, 64]   ->   dims: time = 40
///     If(sr == 16000), inputs sr: i64[] 16000          ->   constants: sr = 16000
///     Range(0, sum(round(f(x))), 1), inputs x: ..      ->   values: sum = 181
///
/// `value_of` computes a tensor where all inputs are constants; nothing if it cannot.
using ValueOf =
    std::function<std::optional<Buffer>(const std::string& tensor, const ImportOptions& all_constants)>;
std::optional<FixedImport> fix_by_inputs(const ::onnx::GraphProto& graph, const ImportOptions& options,
                                         const Error& error, const ValueOf& value_of);

/// Returns a text of the first of ImportOptions::inputs that does not fit the sizes that `graph` was taken to
/// have; nothing if all fit. Fixed extents of the file are not checked.
///
///     a[n, 3] + b[m, 3], m taken to be n, inputs a: f32[2, 3], b: f32[1, 3]   ->   "the input 'b' .."
std::optional<std::string> find_misfit(const ::onnx::GraphProto& file, const Graph& graph,
                                       const std::map<std::string, Buffer>& inputs);

}  // namespace tensordsl::onnx
