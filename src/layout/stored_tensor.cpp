#include "tensordsl/stored_tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/expr_node.h"
#include "ir/print.h"
#include "ir/simplify.h"

namespace tensordsl {

Expr StoredTensor::elements() const {
  Expr product(1);
  for (const Expr& extent : layout.stored_extents(extents)) product = product * extent;
  return ir::simplify(product);
}

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
