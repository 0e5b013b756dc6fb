#include "onnx/file/read_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "base/text/printable.h"
#include "onnx/file/read_tensor.h"
#include "ops/operator_spec.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ::onnx::AttributeProto;
using ::onnx::NodeProto;
using ops::OperatorSpec;

std::string name_of(const NodeProto& node) {
  return printable(!node.name().empty() ? node.name() : node.output_size() > 0 ? node.output(0) : "");
}

std::string label(const NodeProto& node) {
  return fmt::format("node '{}' ({})", name_of(node), printable(node.op_type()));
}

std::string supported_operators() {
  std::vector<std::string> names{"Constant", "If", "Loop", "Scan"};
  for (const OperatorSpec& spec : ops::operators()) {
    if (!ops::is_contributed(spec.name)) names.emplace_back(spec.name);
  }
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Lists the supported operators of a domain that is not ONNX's own, and of all such domains.
std::string supported_of_domain(const std::string& domain) {
  // ONNX Runtime writes nodes of such domains for one kind of processor, at its highest optimization level.
  if (domain.starts_with("com.microsoft."))
    return "models that ONNX Runtime writes up to the optimization level ORT_ENABLE_EXTENDED";
  std::vector<std::string> names;
  for (const OperatorSpec& spec : ops::operators()) {
    if (spec.name.starts_with(domain + ".")) names.emplace_back(spec.name.substr(domain.size() + 1));
  }
  return names.empty() ? "operators of ONNX's own domain and of com.microsoft"
                       : fmt::format("of this domain {}", fmt::join(names, ", "));
}

/// True for nodes with bodies, which are expanded elsewhere.
bool is_control_flow(const NodeProto& node) {
  return node.op_type() == "If" || node.op_type() == "Loop" || node.op_type() == "Scan";
}

/// Returns the kind of values that an operator works on, if these are not tensors of numbers; null otherwise.
const char* kind_out_of_scope(const std::string& op) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, op) != names.end();
  };
  if (op.starts_with("Sequence") || is_one_of({"ConcatFromSequence", "SplitToSequence"})) return "sequences";
  if (op.starts_with("Optional")) return "optional values";
  if (op.starts_with("String") || is_one_of({"RegexFullMatch", "TfIdfVectorizer"})) return "strings";
  if (op.starts_with("Random") || is_one_of({"Bernoulli", "Multinomial"})) return "random numbers";
  return nullptr;
}

ops::Attributes::Value read_value(const NodeProto& node, const AttributeProto& attribute,
                                  const std::filesystem::path& folder) {
  switch (attribute.type()) {
    case AttributeProto::INT:
      return attribute.i();
    case AttributeProto::FLOAT:
      return double{attribute.f()};
    case AttributeProto::STRING:
      return printable(attribute.s());
    case AttributeProto::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case AttributeProto::STRINGS: {
      std::vector<std::string> texts;
      for (const std::string& text : attribute.strings()) texts.push_back(printable(text));
      return texts;
    }
    case AttributeProto::TENSOR:
      return read_tensor(attribute.t(), folder);
    case AttributeProto::FLOATS:
      return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    default:
      throw ModelError(fmt::format(
          "{}: attribute {} is of type {}, which is not supported; supported: INT, FLOAT, STRING, "
          "INTS, FLOATS, STRINGS, TENSOR",
          label(node), printable(attribute.name()),
          ::onnx::AttributeProto_AttributeType_Name(attribute.type())));
  }
}

template <typename Element, typename Values>
Buffer to_buffer(Type type, ops::Ints shape, const Values& values) {
  Buffer buffer(type, std::move(shape));
  std::ranges::copy(values, buffer.as<Element>().begin());
  return buffer;
}

}  // namespace

bool is_own_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

void require_supported(const NodeProto& node, std::int64_t opset, const OperatorTable& operators) {
  if (!is_own_domain(node.domain())) {
    if (operators.find(node.domain(), node.op_type()) ||
        ops::find_operator(ops::operator_key(node.domain(), node.op_type())))
      return;
    throw ModelError(fmt::format(
        "node '{}': operator {} of the domain '{}' is not supported; supported: {}{}", name_of(node),
        printable(node.op_type()), printable(node.domain()), supported_of_domain(node.domain()),
        operators.names().empty()
            ? ", and those that a C++ program defines in ModelOptions::operators, here none"
            : fmt::format(" and, of ModelOptions::operators, {}", fmt::join(operators.names(), ", "))));
  }
  static constexpr std::array<std::string_view, 4> kOfImport{"Constant", "If", "Loop", "Scan"};
  if (std::ranges::find(kOfImport, node.op_type()) != kOfImport.end()) return;
  if (const char* kind = kind_out_of_scope(node.op_type())) {
    throw ModelError(fmt::format("{}: operators of {} are not supported", label(node), kind));
  }
  const OperatorSpec* spec = ops::find_operator(node.op_type());
  if (spec && is_step(*spec)) spec = nullptr;
  if (spec && (opset < spec->opsets.first || opset > spec->opsets.last)) {
    throw ModelError(fmt::format("node '{}': operator {} is not in opset {}; it is in opsets {} to {}",
                                 name_of(node), spec->name, opset, spec->opsets.first, spec->opsets.last));
  }
  if (!spec) {
    throw ModelError(fmt::format("node '{}': operator {} (opset {}) is not supported; supported: {}",
                                 name_of(node), printable(node.op_type()), opset, supported_operators()));
  }
}

ops::Node read_node(const NodeProto& node, const std::filesystem::path& folder,
                    const OperatorTable& operators) {
  auto definition = is_own_domain(node.domain()) ? nullptr : operators.find(node.domain(), node.op_type());
  ops::Node result{name_of(node),
                   definition ? node.op_type() : ops::operator_key(node.domain(), node.op_type()),
                   {node.input().begin(), node.input().end()},
                   {node.output().begin(), node.output().end()},
                   {},
                   std::move(definition)};
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g() && is_control_flow(node)) continue;
    if (!is_printable(attribute.name()) || result.attributes.has(attribute.name())) {
      throw ModelError(fmt::format("{}: the attribute name '{}' is not printable text or appears twice",
                                   label(node), printable(attribute.name())));
    }
    result.attributes.set(attribute.name(), read_value(node, attribute, folder));
  }
  return result;
}

int constant_type(const NodeProto& node) {
  return node.attribute_size() == 1 ? node.attribute(0).t().data_type() : 0;
}

Buffer read_constant(const NodeProto& node, const std::filesystem::path& folder) {
  if (node.attribute_size() != 1) {
    throw ModelError(fmt::format("{}: it has {} attributes; it must have one, its value", label(node),
                                 node.attribute_size()));
  }
  const AttributeProto& value = node.attribute(0);
  if (value.name() == "value" && value.has_t()) {
    try {
      return read_tensor(value.t(), folder);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", label(node), error.what()));
    }
  }
  if (value.name() == "value_int") return to_buffer<std::int64_t>(Int(64), {}, std::array{value.i()});
  if (value.name() == "value_float") return to_buffer<float>(Float(32), {}, std::array{value.f()});
  if (value.name() == "value_ints")
    return to_buffer<std::int64_t>(Int(64), {value.ints_size()}, value.ints());
  if (value.name() == "value_floats")
    return to_buffer<float>(Float(32), {value.floats_size()}, value.floats());
  if (value.name() == "sparse_value" && value.has_sparse_tensor())
    return read_sparse_tensor(value.sparse_tensor(), folder);
  throw ModelError(fmt::format(
      "{}: attribute {} is not supported; supported attributes: sparse_value, value, value_float, "
      "value_floats, value_int, value_ints",
      label(node), printable(value.name())));
}

}  // namespace tensordsl::onnx
