#include "ir/nodes/expr_order.h"

#include <bit>
#include <tuple>

namespace tensordsl::ir {
namespace {

template <typename T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : static_cast<int>(b < a);
}

auto payload(const ExprNode& e) {
  return std::tuple(e.type.code, e.type.bits, e.type.lanes, e.value, std::bit_cast<std::uint64_t>(e.number),
                    e.operands.size());
}

}  // namespace

int compare(const Expr& a, const Expr& b) {
  if (a->hash == b->hash) return 0;
  if (a->kind != b->kind) return three_way(a->kind, b->kind);
  if (const int by_name = a->name.compare(b->name)) return by_name;
  if (const int by_payload = three_way(payload(*a), payload(*b))) return by_payload;
  for (std::size_t i = 0; i < a->operands.size(); ++i) {
    if (const int by_operand = compare((*a)[i], (*b)[i])) return by_operand;
  }
  return 0;  // only the function of a Call is different, and names distinguish functions
}

}  // namespace tensordsl::ir
