#include "tensordsl/stored_tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl {

Expr StoredTensor::elements() const {
  Expr product(1);
  for (const Expr& extent : layout.stored_extents(extents)) product = product * extent;
  return ir::simplify(product);
}

std::vector<std::int64_t> StoredTensor::shape() const {
  std::vector<std::int64_t> numbers;
  for (const Expr& extent : extents) {
    const Expr known = ir::simplify(extent);
    const std::int64_t* number = ir::as_int(known);
    if (!number)
      throw ShapeError(
          fmt::format("{}: the extent {} depends on a Param", to_string(*this), ir::print(known)));
    numbers.push_back(*number);
  }
  return numbers;
}

std::int64_t StoredTensor::bytes() const { return layout.stored_elements(shape()) * type.bytes(); }

bool operator==(const StoredTensor& a, const StoredTensor& b) {
  return a.type == b.type && a.layout == b.layout && a.image == b.image &&
         std::ranges::equal(a.extents, b.extents, ir::ExprSame());
}

std::string to_string(const StoredTensor& tensor) {
  std::vector<std::string> extents, dims;
  for (const Expr& e : tensor.extents) {
    dims.push_back(fmt::format("d{}", dims.size()));
    extents.push_back(ir::print(e));
  }
  std::string text = fmt::format("{} [{}]", to_string(tensor.type), fmt::join(extents, ", "));
  if (!(tensor.layout == Layout::row_major(tensor.layout.rank())))
    text += fmt::format(", layout \"{}\"", tensor.layout.to_string(dims));
  if (tensor.image) text += fmt::format(", {}", to_string(*tensor.image));
  return text;
}

}  // namespace tensordsl
