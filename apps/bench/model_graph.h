// A model's file as the graph that is compiled.
#pragma once

#include <filesystem>

#include "onnx/define_graph.h"

namespace tensordsl::bench {

/// Reads an ONNX model; weights that are absent are random. Throws the errors of Model::load.
definitions::DefinitionGraph graph_of_model(const std::filesystem::path& path);

}  // namespace tensordsl::bench
