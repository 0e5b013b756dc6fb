// What the commands that take a model share: options, loading, compiling, placing it on a device.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/executor.h"
#include "onnx/graph.h"
#include "tensordsl/device.h"

namespace CLI {
class App;
}

namespace tensordsl::cli {

struct ModelOptions {
  std::string model;
  bool random_weights = false;
  std::string precision = "fp32";
  std::string device;
  std::vector<std::string> dims;  // NAME=VALUE
  bool json = false;
};

void add_model_options(CLI::App& app, ModelOptions& options);

/// Imported and cleaned up, as operators.
Graph load_graph(const ModelOptions& options);
/// The same as Funcs, simplified.
DefinitionGraph load_definitions(const ModelOptions& options);

Precision precision_of(const ModelOptions& options);
CompileOptions compile_options(const ModelOptions& options, const DeviceInfo& device);

/// A model ready to run, and how long it took to get there.
struct LoadedModel {
  std::unique_ptr<Executor> executor;
  double import_seconds = 0;
  double compile_seconds = 0;
  double build_seconds = 0;
};

/// With progress on stderr.
LoadedModel load_model(const ModelOptions& options);

/// Every input of the model: from `given` (an .npz, or empty), the others from the documented generator.
std::map<std::string, Buffer> model_inputs(const CompiledGraph& model, const std::string& given);

/// Writes NNN_NAME.cl for every kernel, manifest.json (how to launch them) and plan.json (buffers and
/// memory).
void write_compiled(const CompiledGraph& compiled, const std::string& folder);

}  // namespace tensordsl::cli
