// A graph as kernels, launches and a memory plan: plain data, ready for any device.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/define_group.h"
#include "ops/tensor_info.h"
#include "schedules/target.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl {

/// Memory that launches name by index.
struct PlannedBuffer {
  enum class Kind { Input, Output, Constant, Intermediate };
  Kind kind = Kind::Intermediate;
  std::string tensor;  ///< of the graph; for an intermediate inside a pipeline also which one
  StoredTensor stored;
  std::int64_t bytes = 0;
  int slot = -1;  ///< Intermediate: which shared allocation holds it
};

struct PlannedLaunch {
  std::size_t kernel = 0;            ///< index into kernels
  std::vector<std::size_t> buffers;  ///< one per argument
  std::array<std::int64_t, 3> groups{1, 1, 1};
  std::string label;       ///< the operators it computes
  std::int64_t flops = 0;  ///< of the operators, on the launch that ends their group
};

struct CompiledGraph {
  std::vector<KernelSource> kernels;  ///< distinct ones
  std::vector<PlannedLaunch> launches;
  std::vector<PlannedBuffer> buffers;
  std::vector<std::int64_t> slot_bytes;
  std::map<std::string, std::size_t> inputs, outputs;  ///< buffers by the graph's names
  std::map<std::string, TensorInfo> infos;             ///< of inputs and outputs, as the user sees them
  double lowering_seconds = 0;                         ///< spent in lowering and emission
  std::size_t lowered_kernels = 0;

  std::int64_t intermediate_bytes() const;
  std::int64_t flops() const;
};

struct CompileOptions {
  Precision precision = Precision::Float32;
  schedules::Target target;
  std::function<void(int done, int total)> progress;
};

CompiledGraph compile_graph(const DefinitionGraph& graph, const CompileOptions& options);

/// Emits one stage of every group whose label or kernel's name contains `filter`: "funcs", "loops", "ir",
/// "cl".
std::string emit_stage(const DefinitionGraph& graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter);

}  // namespace tensordsl
