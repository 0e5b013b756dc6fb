// Small ONNX models for tests.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "onnx/import_onnx.h"
#include "tensordsl/error.h"

namespace tensordsl::testing {

using Names = std::vector<std::string>;
using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

inline ::onnx::AttributeProto attribute(const std::string& name, ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto result;
  result.set_name(name);
  result.set_type(type);
  return result;
}
inline ::onnx::AttributeProto attribute(const std::string& name, int value) {
  ::onnx::AttributeProto result = attribute(name, ::onnx::AttributeProto::INT);
  result.set_i(value);
  return result;
}
inline ::onnx::AttributeProto attribute(const std::string& name, float value) {
  ::onnx::AttributeProto result = attribute(name, ::onnx::AttributeProto::FLOAT);
  result.set_f(value);
  return result;
}
inline ::onnx::AttributeProto attribute(const std::string& name, const char* value) {
  ::onnx::AttributeProto result = attribute(name, ::onnx::AttributeProto::STRING);
  result.set_s(value);
  return result;
}
inline ::onnx::AttributeProto attribute(const std::string& name, const Ints& values) {
  ::onnx::AttributeProto result = attribute(name, ::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) result.add_ints(value);
  return result;
}

/// A model under construction; use `proto` for parts that the functions do not cover.
struct OnnxModel {
  ::onnx::ModelProto proto;

  explicit OnnxModel(std::int64_t opset = 17) {
    proto.set_ir_version(8);
    proto.add_opset_import()->set_version(opset);
    proto.mutable_graph()->set_name("test");
  }

  static void describe(::onnx::ValueInfoProto& value, const std::string& name, const Ints& shape, int type) {
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* dims = value.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::int64_t extent : shape) dims->add_dim()->set_dim_value(extent);
  }
  /// Dimension `dimension` of input number `input` is the symbolic one called `name`.
  OnnxModel& name_dim(int input, int dimension, const std::string& name) {
    auto* type = proto.mutable_graph()->mutable_input(input)->mutable_type()->mutable_tensor_type();
    type->mutable_shape()->mutable_dim(dimension)->set_dim_param(name);
    return *this;
  }
  OnnxModel& input(const std::string& name, const Ints& shape, int type = ::onnx::TensorProto::FLOAT) {
    describe(*proto.mutable_graph()->add_input(), name, shape, type);
    return *this;
  }
  OnnxModel& output(const std::string& name, const Ints& shape, int type = ::onnx::TensorProto::FLOAT) {
    describe(*proto.mutable_graph()->add_output(), name, shape, type);
    return *this;
  }
  /// An output of undeclared type.
  OnnxModel& output(const std::string& name) {
    proto.mutable_graph()->add_output()->set_name(name);
    return *this;
  }
  OnnxModel& node(const std::string& op, const Names& inputs, const Names& outputs,
                  const std::vector<::onnx::AttributeProto>& attributes = {}) {
    auto* result = proto.mutable_graph()->add_node();
    result->set_op_type(op);
    for (const std::string& name : inputs) result->add_input(name);
    for (const std::string& name : outputs) result->add_output(name);
    for (const auto& value : attributes) *result->add_attribute() = value;
    return *this;
  }
  ::onnx::TensorProto& initializer(const std::string& name, const Ints& shape, int type) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const std::int64_t extent : shape) tensor->add_dims(extent);
    return *tensor;
  }
  OnnxModel& floats(const std::string& name, const Ints& shape, const Floats& values) {
    auto& tensor = initializer(name, shape, ::onnx::TensorProto::FLOAT);
    for (const float value : values) tensor.add_float_data(value);
    return *this;
  }
  /// Adds an initializer of i8, u8 or i32.
  OnnxModel& small_ints(const std::string& name, const Ints& shape, const Ints& values, int type) {
    auto& tensor = initializer(name, shape, type);
    for (const std::int64_t value : values) tensor.add_int32_data(static_cast<std::int32_t>(value));
    return *this;
  }
  OnnxModel& ints(const std::string& name, const Ints& shape, const Ints& values) {
    auto& tensor = initializer(name, shape, ::onnx::TensorProto::INT64);
    for (const std::int64_t value : values) tensor.add_int64_data(value);
    return *this;
  }

  onnx::Graph import(const onnx::ImportOptions& options = {}) const {
    return import_onnx(proto.SerializeAsString(), "m.onnx", "/nonexistent", options);
  }
  /// Returns the text of the error that import gives; "no error" if there is none.
  std::string error(const onnx::ImportOptions& options = {}) const {
    try {
      import(options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "no error";
  }
};

/// One node from an input x of `shape` to y.
inline OnnxModel one_node(const std::string& op, const Ints& shape,
                          const std::vector<::onnx::AttributeProto>& attributes = {},
                          std::int64_t opset = 17) {
  OnnxModel model(opset);
  model.input("x", shape).node(op, {"x"}, {"y"}, attributes).output("y");
  return model;
}

}  // namespace tensordsl::testing
