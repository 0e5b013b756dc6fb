#include "backends/opencl/emit/index_bounds.h"

#include <algorithm>

#include "lower/lowered.h"

namespace tensordsl::opencl {

using namespace ir;

IndexBounds::IndexBounds() {
  for (const char* name : lower::kBlockNames) bounds_[name] = {0, INT64_MAX};
  for (const char* name : lower::kThreadNames) bounds_[name] = {0, INT64_MAX};
}

void IndexBounds::note_value(const StmtNode& let) {
  const Type type = let.value().type();
  if (type.is_integer() && type.lanes == 1) add(let.name, bounds_of(let.value(), bounds_));
}

void IndexBounds::note_loop(const StmtNode& loop) {
  add(loop.name,
      {bounds_of(loop.min(), bounds_).low, bounds_of(loop.min() + loop.extent() - 1, bounds_).high});
}

std::int64_t IndexBounds::vectors_after_base(const Expr& index, int lanes) const {
  if (index->kind != ExprKind::Add) return 0;
  const std::int64_t* offset = as_int((*index)[1]);
  if (!offset || *offset <= 0 || *offset % lanes != 0) return 0;
  return bounds_of((*index)[0], bounds_).low >= 0 ? *offset / lanes : 0;
}

void IndexBounds::add(const std::string& name, Interval range) {
  const auto [known, is_new] = bounds_.try_emplace(name, range);
  if (is_new) return;
  known->second.low = std::min(known->second.low, range.low);
  known->second.high = std::max(known->second.high, range.high);
}

}  // namespace tensordsl::opencl
