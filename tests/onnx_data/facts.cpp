#include "onnx_data/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ops/narrow_types.h"
#include "ops/tables/tables.h"

namespace tensordsl::conformance {
namespace {

constexpr std::array<std::string_view, 6> kRandomOperators{
    "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"};

bool is_onnx(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

/// False for complex numbers.
bool is_type_of_language(int type) {
  return type <= ::onnx::TensorProto::UINT64 || ops::find_narrow_type(type);
}

std::optional<std::string> unusual_type(const ::onnx::TypeProto& type) {
  switch (type.value_case()) {
    case ::onnx::TypeProto::kSequenceType:
      return "a sequence";
    case ::onnx::TypeProto::kMapType:
      return "a map";
    case ::onnx::TypeProto::kOptionalType:
      return "an optional";
    case ::onnx::TypeProto::kSparseTensorType:
      return "a sparse tensor";
    case ::onnx::TypeProto::kOpaqueType:
      return "an opaque value";
    default:
      break;
  }
  if (type.tensor_type().elem_type() == ::onnx::TensorProto::STRING) return "a tensor of strings";
  if (!is_type_of_language(type.tensor_type().elem_type()))
    return "of a type that the language does not have";
  return std::nullopt;
}

bool trains(const ::onnx::NodeProto& node) {
  const bool has_mode = std::ranges::any_of(node.attribute(), [](const auto& attribute) {
    return attribute.name() == "training_mode" && attribute.i() != 0;
  });
  return has_mode || (node.op_type() == "Dropout" && node.input_size() > 2 && !node.input(2).empty());
}

class Reader {
 public:
  explicit Reader(const ::onnx::ModelProto& model) {
    for (const auto& set : model.opset_import()) {
      if (is_onnx(set.domain())) facts_.opset = set.version();
    }
    if (facts_.opset > ops::tables::kLatest) leave_out(fmt::format("operator set {} is newer", facts_.opset));
    read(model.graph());
  }

  Facts result() { return std::move(facts_); }

 private:
  /// The first reason counts.
  void leave_out(const std::string& reason) {
    if (!facts_.out_of_scope) facts_.out_of_scope = reason;
  }

  void read(const ::onnx::GraphProto& graph) {
    const auto read_values = [&](const auto& values) {
      for (const auto& value : values) {
        if (const auto type = unusual_type(value.type()))
          leave_out(fmt::format("'{}' is {}", value.name(), *type));
        // ONNX 1.12 wrote truncated values as u16, some with other shapes than the model's.
        if (facts_.opset < 19 && value.type().tensor_type().elem_type() == ::onnx::TensorProto::BFLOAT16) {
          leave_out(fmt::format("'{}' is of bfloat16, of which old data is wrong", value.name()));
          facts_.has_wrong_data = true;
        }
      }
    };
    read_values(graph.input());
    read_values(graph.output());
    read_values(graph.value_info());
    for (const auto& node : graph.node()) read(node);
  }

  void read(const ::onnx::NodeProto& node) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) read(attribute.g());
      if (attribute.t().data_type() == ::onnx::TensorProto::STRING)
        leave_out(fmt::format("the attribute '{}' is a tensor of strings", attribute.name()));
    }
    const std::string& name = node.op_type();
    if (name == "Constant") return;
    ++facts_.nodes;
    facts_.operators.insert(is_onnx(node.domain()) ? name : node.domain() + "::" + name);
    if (!is_onnx(node.domain())) leave_out(fmt::format("{} is of the domain {}", name, node.domain()));
    if (name.find("Sequence") != std::string::npos) leave_out(name + " is about sequences");
    if (name.find("Optional") != std::string::npos) leave_out(name + " is about optional values");
    if (trains(node) || name == "NegativeLogLikelihoodLoss" || name == "SoftmaxCrossEntropyLoss")
      leave_out(name + " is to train");
    if (std::ranges::find(kRandomOperators, name) != kRandomOperators.end()) {
      facts_.is_random = true;
      leave_out(name + " is random");
    }
  }

  Facts facts_;
};

}  // namespace

Facts facts_of(const ::onnx::ModelProto& model) { return Reader(model).result(); }

}  // namespace tensordsl::conformance
