#include "tensordsl/operator_table.h"

#include <fmt/format.h>

#include <array>

#include "tensordsl/error.h"

namespace tensordsl {
namespace {

constexpr std::array kUserAttributeKinds{
    "an integer",        "a number",          "a string", "a list of integers",
    "a list of numbers", "a list of strings", "a tensor"};
static_assert(kUserAttributeKinds.size() == std::variant_size_v<OperatorNode::Attribute>);

}  // namespace

const OperatorTensor& OperatorNode::input(std::size_t i) const {
  if (i < inputs.size() && inputs[i]) return *inputs[i];
  throw ModelError(fmt::format("input {} is absent", i));
}

const OperatorNode::Attribute& OperatorNode::attribute_at(std::string_view name, std::size_t index) const {
  const auto found = attributes.find(name);
  if (found == attributes.end()) throw ModelError(fmt::format("attribute {} is missing", name));
  if (found->second.index() == index) return found->second;
  throw ModelError(fmt::format("attribute {} is {}; it must be {}", name,
                               kUserAttributeKinds[found->second.index()], kUserAttributeKinds[index]));
}

OperatorTable& OperatorTable::add(const std::string& domain, const std::string& name,
                                  OperatorDefinition definition) {
  const std::string call = fmt::format("OperatorTable::add(\"{}\", \"{}\")", domain, name);
  if (domain.empty() || domain == "ai.onnx")
    throw Error(fmt::format("{}: the domain is reserved for ONNX; use another domain", call));
  if (name.empty()) throw Error(fmt::format("{}: the name is empty", call));
  if (!definition) throw Error(fmt::format("{}: the definition is empty; pass a function", call));
  const bool is_new =
      definitions_
          .try_emplace({domain, name}, std::make_shared<const OperatorDefinition>(std::move(definition)))
          .second;
  if (!is_new) throw Error(fmt::format("{}: the table already has this operator", call));
  return *this;
}

std::shared_ptr<const OperatorDefinition> OperatorTable::find(const std::string& domain,
                                                              const std::string& name) const {
  const auto found = definitions_.find({domain, name});
  return found == definitions_.end() ? nullptr : found->second;
}

std::vector<std::string> OperatorTable::names() const {
  std::vector<std::string> names;
  for (const auto& [key, definition] : definitions_) names.push_back(key.first + "." + key.second);
  return names;
}

}  // namespace tensordsl
