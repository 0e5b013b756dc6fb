// Damages models, for fuzzers: the same seed, the same damage.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <random>
#include <string>

namespace tensordsl::testing {

class ModelMutator {
 public:
  explicit ModelMutator(std::uint32_t seed) : random_(seed) {}

  /// Flips, replaces, cuts off, removes and repeats some.
  std::string damage_bytes(std::string bytes);
  /// Stays a valid protobuf message: what damaged bytes rarely get through to. Operators, operands,
  /// attributes, types, extents and values of the graph and of the bodies in it.
  void damage_fields(::onnx::GraphProto& graph);

 private:
  std::size_t pick(std::size_t count);
  std::int64_t value();
  std::string some_name(const ::onnx::GraphProto& graph);
  void damage_node(const ::onnx::GraphProto& graph, ::onnx::NodeProto& node);
  void damage_initializer(::onnx::TensorProto& tensor);
  void damage_input(::onnx::ValueInfoProto& input);
  void damage_attribute(::onnx::NodeProto& node);

  std::mt19937 random_;
};

}  // namespace tensordsl::testing
