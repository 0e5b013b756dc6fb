// A convolution as the one task of a model.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "support/convolutions.h"
#include "support/definitions.h"
#include "tune/tuning_tasks.h"

namespace tensordsl::tune {

class SingleTask {
 public:
  explicit SingleTask(int outputs = 32, int columns = 11)
      : compiled_(graph::compile_in_full(definitions(outputs, columns), {})), funcs_(compiled_.definitions) {
    const std::vector<Task> tasks = tasks_of(compiled_, funcs_, Precision::Float32);
    REQUIRE(!tasks.empty());
    source_ = source_of(compiled_, funcs_, tasks[0].places[0], Precision::Float32);
    target_ = compiled_.scheduled[tasks[0].places[0]].target;
    key_ = tasks[0].key;
  }
  SingleTask(const SingleTask&) = delete;
  SingleTask& operator=(const SingleTask&) = delete;

  const GroupSource& source() const { return source_; }
  const Target& target() const { return target_; }
  const records::KernelKey& key() const { return key_; }
  HwProfile profile() const { return load_hw_profile("pocl_cpu_avx512"); }

 private:
  static definitions::DefinitionGraph definitions(int outputs, int columns) {
    testing::OnnxModel model;
    const testing::SmallConvolution convolution{
        .inputs = 8, .outputs = outputs, .rows = 9, .columns = columns};
    model.input("x", convolution.input_shape());
    convolution.append(model, "x", "y", "w");
    model.output("y");
    return testing::definitions_of(model);
  }

  graph::Graph compiled_;
  definitions::TensorFuncs funcs_;
  GroupSource source_;
  Target target_;
  records::KernelKey key_;
};

}  // namespace tensordsl::tune
