#include "graph/rewrite/side_by_side.h"

#include <cstring>
#include <string>

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using namespace ir;

std::string shape_text(const definitions::DefinedTensor& tensor, std::optional<std::size_t> dim) {
  std::string text = to_string(tensor.type());
  const std::vector<Expr> extents = tensor.extents();
  for (std::size_t d = 0; d < extents.size(); ++d) text += "_" + (dim == d ? "n" : to_string(extents[d]));
  return text;
}

Buffer concatenated(const std::vector<const Buffer*>& parts, std::size_t dim) {
  std::vector<std::int64_t> shape = parts[0]->shape();
  shape[dim] = 0;
  for (const Buffer* part : parts) shape[dim] += part->shape()[dim];
  Buffer whole(parts[0]->type(), shape);
  std::size_t rows = 1, bytes = static_cast<std::size_t>(whole.type().bytes());
  for (std::size_t d = 0; d < dim; ++d) rows *= static_cast<std::size_t>(shape[d]);
  for (std::size_t d = dim + 1; d < shape.size(); ++d) bytes *= static_cast<std::size_t>(shape[d]);
  std::byte* to = whole.bytes().data();
  for (std::size_t row = 0; row < rows; ++row) {
    for (const Buffer* part : parts) {
      const std::size_t size = bytes * static_cast<std::size_t>(part->shape()[dim]);
      std::memcpy(to, part->bytes().data() + row * size, size);
      to += size;
    }
  }
  return whole;
}

Func slice_of(const Func& whole, const Func& part, std::size_t dim, std::int64_t first) {
  const std::vector<std::string>& dims = part.contents().dims;
  std::vector<Expr> vars, indices;
  for (const std::string& name : dims) vars.push_back(make_var(name));
  indices = vars;
  if (first > 0) indices[dim] = indices[dim] + static_cast<int>(first);
  const Expr value = make_call(whole.type(), whole.shared(), whole.name(), indices);
  return func_of(part.name(), dims, {Definition{vars, {value}, {}}});
}

}  // namespace tensordsl::graph
