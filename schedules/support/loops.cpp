#include "schedules/support/loops.h"

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::schedules {

Var dim_of(const Func& f, int dim) { return Var(f.contents().dims[static_cast<std::size_t>(dim)]); }

std::vector<Var> dims_of(const Func& f) {
  return f.contents().dims | ranges::views::transform([](const std::string& dim) { return Var(dim); }) |
         ranges::to<std::vector>();
}

Var fuse_all(Stage stage, const std::vector<Var>& loops, const std::string& name) {
  Var fused = loops[0];
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const Var next(i + 1 == loops.size() ? name : name + std::to_string(i));
    stage.fuse(fused, loops[i], next);
    fused = next;
  }
  return fused;
}

Stage stage_of(const Func& f, int stage) { return stage == 0 ? Stage(f) : f.update(stage - 1); }

std::vector<Var> axes_of(const Func& accumulated) {
  return accumulated.contents().definitions.at(1).domain |
         ranges::views::transform([](const ir::ReductionAxis& axis) { return Var(axis.name); }) |
         ranges::to<std::vector>();
}

Var run_as_blocks(Func out, const std::vector<Var>& rows, const std::vector<Var>& inner) {
  std::vector<Var> order = rows;
  order.insert(order.end(), inner.begin(), inner.end());
  out.reorder(order);
  const Var block = fuse_all(out, rows, "block");
  out.gpu_blocks(block);
  return block;
}

void run_as_items(Stage stage, const std::vector<Var>& loops, int items) {
  if (loops.empty()) return;
  const Var item = fuse_all(stage, loops, "item");
  if (items > 1) {
    stage.gpu_tile(item, items, Tail::Guard);
  } else {
    stage.gpu_blocks(item);
  }
}

void run_as_grid(Stage stage, const std::vector<Var>& loops) {
  if (loops.size() == 1) {
    stage.gpu_blocks(loops[0]);
  } else if (loops.size() == 2) {
    stage.gpu_blocks(loops[0], loops[1]);
  } else {
    stage.gpu_blocks(loops[0], loops[1], loops[2]);
  }
}

void share_elements(Func f, int items, const std::vector<Var>& unrolled) {
  if (f.rank() == 0) return;
  std::vector<Var> shared = dims_of(f);
  std::erase_if(shared, [&](const Var& dim) {
    return std::ranges::any_of(unrolled, [&](const Var& one) { return one.name() == dim.name(); });
  });
  if (!unrolled.empty()) {
    std::vector<Var> loops = shared;
    loops.insert(loops.end(), unrolled.begin(), unrolled.end());
    f.reorder(loops);
    for (const Var& one : unrolled) f.unroll(one);
  }
  const Var round("round"), item("item");
  f.split(fuse_all(f, shared, "element"), round, item, items, Tail::Guard).gpu_threads(item);
}

std::vector<int> memory_order(const Layout& layout) {
  std::vector<int> order;
  for (const Layout::Term& term : layout.terms()) {
    if (term.part != Layout::Term::Part::Remainder) order.push_back(term.dim);
  }
  if (layout.groups() > 1) {
    const auto texel = std::ranges::find(order, layout.terms().back().dim);
    std::rotate(texel, texel + 1, order.end());
  }
  return order;
}

void add_layouts_along(const definitions::StoredGroup& group, const Func& f, int dim, WantedStorage& wanted) {
  const std::string& axis = f.contents().dims[static_cast<std::size_t>(dim)];
  for (const classify::Access& read : group.class_of(f).reads) {
    const auto operand = std::ranges::find_if(
        group.operands, [&](const definitions::GroupOperand& o) { return o.input.shared() == read.tensor; });
    const auto along = std::ranges::find_if(
        read.indices, [&](const classify::IndexMap& index) { return index.is_axis(axis); });
    if (operand == group.operands.end() || !operand->is_constant || along == read.indices.end()) continue;
    const int last = static_cast<int>(along - read.indices.begin());
    std::vector<Layout::Term> terms;
    for (int d = 0; d < static_cast<int>(read.indices.size()); ++d) {
      if (d != last) terms.push_back({.dim = d});
    }
    terms.push_back({.dim = last});
    wanted.emplace(operand - group.operands.begin(), ConstantStorage{Layout::of(terms)});
  }
}

std::vector<std::int64_t> likely_shape(const StoredTensor& stored) {
  const auto likely = [](const Expr& extent) {
    if (const std::int64_t* number = ir::as_int(extent)) return std::max<std::int64_t>(*number, 1);
    const Expr known = ir::rewrite(
        extent, [](const Expr& e) { return e->kind == ir::ExprKind::Var ? ir::make_int(e.type(), 64) : e; });
    return std::max<std::int64_t>(*ir::as_int(ir::simplify(known)), 1);
  };
  return stored.extents | ranges::views::transform(likely) | ranges::to<std::vector>();
}

bool is_known(const StoredTensor& stored, int dim) {
  return ir::as_int(stored.extents[static_cast<std::size_t>(dim)]) != nullptr;
}

int power_up_to(std::int64_t most, int limit) {
  int power = 1;
  while (power * 2 <= most && power * 2 <= limit) power *= 2;
  return power;
}

int power_dividing(std::int64_t extent, int most) {
  int power = most;
  while (power > 1 && extent % power != 0) power /= 2;
  return power;
}

std::vector<int> numbers(int first, std::int64_t last) {
  if (last < first) return {};
  return ranges::views::closed_iota(first, static_cast<int>(last)) | ranges::to<std::vector>();
}

std::vector<int> powers_of_two(int most) {
  std::vector<int> values;
  for (int value = 1; value <= most; value *= 2) values.push_back(value);
  return values;
}

}  // namespace tensordsl::schedules
