// User-defined operators: a definition in the language for an ONNX operator of another domain.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/func.h"

namespace tensordsl {

/// A tensor of a node, as a Func to be read in a definition.
struct OperatorTensor {
  Func func;  ///< Func over the tensor's dimensions; for a scalar, over one dimension of extent 1
  std::vector<Expr> shape;  ///< extents, of numbers and Params; empty for a scalar
};

/// A node of a model, as its operator's definition sees it.
struct OperatorNode {
  /// A value of an attribute in the model: a number, a text, a list of either, or a tensor.
  using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>, Buffer>;

  std::vector<std::optional<OperatorTensor>> inputs;         ///< inputs by position; nullopt for one that is
                                                             ///< absent
  std::size_t outputs = 1;                                   ///< number of outputs that the node lists
  std::map<std::string, Attribute, std::less<>> attributes;  ///< attributes by name; absent ones are left out

  /// Returns input `i`. Throws ModelError if it is absent.
  const OperatorTensor& input(std::size_t i) const;

  /// Returns the attribute `name`. T is one of Attribute's types. Throws ModelError if it is absent or of
  /// another type.
  template <typename T>
  const T& attribute(std::string_view name) const {
    return std::get<T>(attribute_at(name, Attribute(std::in_place_type<T>).index()));
  }
  /// Returns the attribute `name`, or `fallback` if it is absent. Throws ModelError if it is of another type.
  template <typename T>
  T attribute(std::string_view name, T fallback) const {
    return attributes.contains(name) ? attribute<T>(name) : fallback;
  }

 private:
  const Attribute& attribute_at(std::string_view name, std::size_t index) const;
};

/// Defines the outputs of a node, in their order: they have the types of the Funcs. It is called more than
/// once, with other Funcs each time, so it must depend only on its argument: read the node's inputs and no
/// other Input, and name no Params except in their extents. Values are not tuples. Outputs beyond those that
/// the node lists are dropped. Its exceptions, and mistakes in the definition, become a ModelError that names
/// the node.
using OperatorDefinition = std::function<std::vector<OperatorTensor>(const OperatorNode&)>;

/// User-defined operators that Model::load accepts in addition to ONNX's. They are fused, laid out and
/// scheduled like those.
class OperatorTable {
 public:
  /// Adds the operator `name` of `domain`. Throws Error if the table has it, if the domain is ONNX's own (""
  /// or "ai.onnx"), or if a name or the definition is empty.
  OperatorTable& add(const std::string& domain, const std::string& name, OperatorDefinition definition);
  /// Returns the definition of the operator; null if there is none.
  std::shared_ptr<const OperatorDefinition> find(const std::string& domain, const std::string& name) const;
  /// Returns the names with their domains, such as "com.example.Scale", in alphabetical order.
  std::vector<std::string> names() const;

 private:
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const OperatorDefinition>> definitions_;
};

}  // namespace tensordsl
