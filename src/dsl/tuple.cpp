#include "tensordsl/tuple.h"

#include <fmt/format.h>

#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {

Tuple::Tuple(std::vector<Expr> values) : values_(std::move(values)) {
  if (values_.empty()) throw DefinitionError("Tuple(): needs at least one value");
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i].defined()) throw DefinitionError(fmt::format("Tuple(): value {} is undefined", i));
  }
}

Tuple::Tuple(const FuncRef& element) : Tuple(element.components()) {}

const Expr& Tuple::operator[](int index) const {
  if (index < 0 || index >= size()) {
    throw DefinitionError(
        fmt::format("Tuple[{}]: the index is out of range; the tuple has {} values, 0 to {}", index,
                    values_.size(), values_.size() - 1));
  }
  return values_[static_cast<std::size_t>(index)];
}

Tuple select(const Expr& condition, const Tuple& if_true, const Tuple& if_false) {
  if (if_true.size() != if_false.size()) {
    throw DefinitionError(
        fmt::format("select(...): one Tuple has {} values, the other {}", if_true.size(), if_false.size()));
  }
  std::vector<Expr> values;
  for (int i = 0; i < if_true.size(); ++i) values.push_back(select(condition, if_true[i], if_false[i]));
  return Tuple(std::move(values));
}

}  // namespace tensordsl
