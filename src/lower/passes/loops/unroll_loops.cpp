#include "lower/passes/loops/unroll_loops.h"

#include <fmt/format.h>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr std::int64_t kMaximumUnrolledCopies = 4096;
constexpr std::int64_t kMaximumUnrolledStores = 16384;

std::int64_t stores_in(const Stmt& stmt) {
  std::int64_t stores = 0;
  visit(stmt, [&](const Stmt& s) {
    stores += s->kind == StmtKind::Store;
    return true;
  });
  return stores;
}

Stmt unroll(const StmtNode& loop) {
  const Expr& extent = loop.extent();
  const Interval count = bounds_of(extent, {});
  if (count.high > kMaximumUnrolledCopies) {
    throw ScheduleError(
        fmt::format("unroll: loop \"{}\" has the extent {}, which is {}; split it by a small constant and "
                    "unroll the inner part",
                    loop.name, tensordsl::to_string(extent),
                    count.high >= INT32_MAX ? std::string("not constant")
                                            : fmt::format("over {}", kMaximumUnrolledCopies)));
  }
  const std::int64_t stores = count.high * stores_in(loop.body[0]);
  if (stores > kMaximumUnrolledStores) {
    throw ScheduleError(
        fmt::format("unroll: loop \"{}\" of {} iterations would make {} stores, more than the limit of {}; "
                    "unroll fewer of the loops inside it",
                    loop.name, count.high, stores, kMaximumUnrolledStores));
  }
  const bool is_constant = as_int(extent) != nullptr;
  std::vector<Stmt> copies;
  for (std::int64_t i = 0; i < count.high; ++i) {
    const Expr step(static_cast<int>(i));
    Stmt copy = substitute(loop.body[0], loop.name, simplify(loop.min() + step));
    if (!is_constant) copy = make_if(step < extent, copy);
    copies.push_back(std::move(copy));
  }
  return make_block(std::move(copies));
}

}  // namespace

Stmt unroll_loops(const Stmt& stmt) {
  const Stmt s = map_children(stmt, nullptr, unroll_loops);
  if (!s.defined() || s->kind != StmtKind::For || s->loop != LoopKind::Unrolled) return s;
  return unroll(*s);
}

}  // namespace tensordsl::lower
