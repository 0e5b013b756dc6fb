#include "support/model_mutator.h"

#include <cstdint>
#include <iterator>

namespace tensordsl::testing {
namespace {

template <typename Repeated>
auto& at(Repeated& fields, std::size_t i) {
  return *fields.Mutable(static_cast<int>(i));
}

}  // namespace

std::size_t ModelMutator::pick(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
}

std::int64_t ModelMutator::value() {
  constexpr std::int64_t kValues[] = {
      0, 1, -1, 2, 3, 7, 32, -8, 1 << 20, std::int64_t{1} << 31, std::int64_t{1} << 33, INT64_MAX, INT64_MIN};
  return kValues[pick(std::size(kValues))];
}

std::string ModelMutator::damage_bytes(std::string bytes) {
  for (std::size_t n = 1 + pick(4); n > 0 && !bytes.empty(); --n) {
    const std::size_t place = pick(bytes.size());
    switch (pick(5)) {
      case 0:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << pick(8)));
        break;
      case 1:
        bytes[place] = static_cast<char>(pick(256));
        break;
      case 2:
        bytes.resize(place);
        break;
      case 3:
        bytes.erase(place, 1 + pick(8));
        break;
      default:
        bytes.insert(place, bytes.substr(pick(bytes.size()), pick(64)));
        break;
    }
  }
  return bytes;
}

void ModelMutator::damage_fields(::onnx::GraphProto& graph) {
  for (std::size_t n = 1 + pick(3); n > 0; --n) {
    const auto nodes = static_cast<std::size_t>(graph.node_size());
    const auto initializers = static_cast<std::size_t>(graph.initializer_size());
    const auto inputs = static_cast<std::size_t>(graph.input_size());
    switch (pick(4)) {
      case 0:
        if (initializers > 0) damage_initializer(at(*graph.mutable_initializer(), pick(initializers)));
        break;
      case 1:
        if (inputs > 0) damage_input(at(*graph.mutable_input(), pick(inputs)));
        break;
      default:
        if (nodes > 0) damage_node(graph, at(*graph.mutable_node(), pick(nodes)));
        break;
    }
  }
}

void ModelMutator::damage_node(const ::onnx::GraphProto& graph, ::onnx::NodeProto& node) {
  const auto inputs = static_cast<std::size_t>(node.input_size());
  const auto outputs = static_cast<std::size_t>(node.output_size());
  switch (pick(8)) {
    case 0: {
      const auto nodes = static_cast<std::size_t>(graph.node_size());
      node.set_op_type(graph.node(static_cast<int>(pick(nodes))).op_type());
      break;
    }
    case 1:
      node.add_input(some_name(graph));
      break;
    case 2:
      if (inputs > 0) node.mutable_input()->RemoveLast();
      break;
    case 3:
      if (inputs > 0) node.set_input(static_cast<int>(pick(inputs)), some_name(graph));
      break;
    case 4:
      if (outputs > 0) node.set_output(static_cast<int>(pick(outputs)), some_name(graph));
      break;
    default:
      damage_attribute(node);
      break;
  }
}

void ModelMutator::damage_initializer(::onnx::TensorProto& tensor) {
  switch (pick(5)) {
    case 0:
      tensor.add_dims(value());
      break;
    case 1:
      if (tensor.dims_size() > 0) tensor.set_dims(0, value());
      break;
    case 2:
      tensor.set_data_type(static_cast<int>(pick(24)));
      break;
    case 3:
      if (tensor.raw_data().size() >= sizeof(std::int64_t)) {
        const std::int64_t number = value();
        tensor.mutable_raw_data()->replace(0, sizeof(number), reinterpret_cast<const char*>(&number),
                                           sizeof(number));
      }
      break;
    default:
      if (tensor.int64_data_size() > 0) tensor.set_int64_data(0, value());
      break;
  }
}

void ModelMutator::damage_input(::onnx::ValueInfoProto& input) {
  auto& type = *input.mutable_type()->mutable_tensor_type();
  auto& dims = *type.mutable_shape()->mutable_dim();
  const auto rank = static_cast<std::size_t>(dims.size());
  switch (pick(5)) {
    case 0:
      type.set_elem_type(static_cast<int>(pick(24)));
      break;
    case 1:
      dims.Add()->set_dim_value(value());
      break;
    case 2:
      if (rank > 0) dims.RemoveLast();
      break;
    case 3:
      if (rank > 0) at(dims, pick(rank)).set_dim_param(pick(2) == 0 ? "n" : "m");
      break;
    default:
      if (rank > 0) at(dims, pick(rank)).set_dim_value(value());
      break;
  }
}

std::string ModelMutator::some_name(const ::onnx::GraphProto& graph) {
  const auto& node = graph.node(static_cast<int>(pick(static_cast<std::size_t>(graph.node_size()))));
  if (node.input_size() > 0 && (pick(2) == 0 || node.output_size() == 0)) {
    return node.input(static_cast<int>(pick(static_cast<std::size_t>(node.input_size()))));
  }
  return node.output_size() > 0 ? node.output(0) : "";
}

void ModelMutator::damage_attribute(::onnx::NodeProto& node) {
  const bool has_none = node.attribute_size() == 0;
  if (has_none && pick(4) > 0) return;
  if (has_none || pick(16) == 0) {
    constexpr const char* kNames[] = {"axis", "axes",     "pads",  "perm", "mode",  "strides",
                                      "to",   "keepdims", "group", "min",  "shape", "auto_pad"};
    auto& added = *node.add_attribute();
    added.set_name(kNames[pick(std::size(kNames))]);
    added.set_type(::onnx::AttributeProto::INTS);
    added.add_ints(value());
    return;
  }
  auto& target = at(*node.mutable_attribute(), pick(static_cast<std::size_t>(node.attribute_size())));
  if (target.has_g() && pick(4) > 0) {
    damage_fields(*target.mutable_g());
    return;
  }
  switch (pick(6)) {
    case 0:
      target.set_i(value());
      break;
    case 1:
      target.add_ints(value());
      break;
    case 2:
      if (target.ints_size() > 0)
        target.set_ints(static_cast<int>(pick(static_cast<std::size_t>(target.ints_size()))), value());
      break;
    case 3:
      target.set_type(static_cast<::onnx::AttributeProto::AttributeType>(pick(12)));
      break;
    case 4:
      if (target.ints_size() > 0) target.mutable_ints()->RemoveLast();
      break;
    default:
      target.set_s("VALID");
      break;
  }
}

}  // namespace tensordsl::testing
