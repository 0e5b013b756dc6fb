// A graph compiled in one of the ways that it can be cut into groups, with the kernels that come of it.
#pragma once

#include <string>
#include <vector>

#include "tune/model_kernels.h"

namespace tensordsl::tune {

class ModelVariant {
 public:
  ModelVariant(const definitions::DefinitionGraph& graph, const graph::CompileOptions& options,
               const HwProfile& profile)
      : compiled_(graph::compile_in_full(graph, options)),
        funcs_(compiled_.definitions),
        kernels_(model_kernels(compiled_, funcs_, options, profile)) {}
  ModelVariant(const ModelVariant&) = delete;
  ModelVariant& operator=(const ModelVariant&) = delete;

  const graph::Graph& compiled() const { return compiled_; }
  const std::vector<ModelKernel>& kernels() const { return kernels_; }

 private:
  graph::Graph compiled_;
  definitions::TensorFuncs funcs_;
  std::vector<ModelKernel> kernels_;
};

}  // namespace tensordsl::tune
