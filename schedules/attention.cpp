#include "schedules/attention.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

/// A sum of the prologue, which is added to the average.
struct Added {
  Func sum;
  std::optional<int> element;  ///< the dimension along which it runs with the output's elements
};

/// The Funcs of such a group, and where the output has queries and elements.
struct Parts {
  Func asked, dot, score, highest, weight, total, part, out;
  std::vector<Added> added;
  int query = 0, element = 0;  ///< dimensions of the output
  int lanes = 1;
};

bool reads(const Func& func, const Func& other) {
  const auto all = classify::classify(func.contents()).reads;
  return std::ranges::any_of(all,
                             [&](const classify::Access& read) { return read.tensor == other.shared(); });
}

/// How `result` reads `part`: at query/lanes, query%lanes, element.
bool find_dims(const Func& result, Parts& parts) {
  const std::vector<std::string>& dims = result.contents().dims;
  const auto place = [&](const std::string& dim) {
    return static_cast<int>(std::ranges::find(dims, dim) - dims.begin());
  };
  for (const classify::Access& read : classify::classify(result.contents()).reads) {
    if (read.tensor != parts.part.shared() || read.indices.size() < 3) continue;
    const Expr& group = read.indices[read.indices.size() - 3].index;
    const Expr& element = read.indices.back().index;
    if (group->kind != ir::ExprKind::Div || (*group)[0]->kind != ir::ExprKind::Var) return false;
    const std::int64_t* lanes = ir::as_int((*group)[1]);
    if (!lanes || element->kind != ir::ExprKind::Var) return false;
    parts.query = place((*group)[0]->name);
    parts.element = place(element->name);
    parts.lanes = static_cast<int>(*lanes);
    return true;
  }
  return false;
}

/// Whether `reader` reads it, or what takes it as it is: the dimension of the sum that is its `element`.
std::optional<int> dim_along(const Group& group, const Func& reader, const Func& sum,
                             const std::string& element) {
  for (const classify::Access& read : classify::classify(reader.contents()).reads) {
    const auto of_prologue =
        std::ranges::find_if(group.prologue, [&](const Func& f) { return f.shared() == read.tensor; });
    if (of_prologue == group.prologue.end()) continue;
    const bool is_it =
        of_prologue->shared() == sum.shared() ||
        (of_prologue->updates() == 0 && classify::reads_in_place(of_prologue->contents(), sum.name()));
    if (!is_it) continue;
    for (std::size_t d = 0; d < read.indices.size(); ++d) {
      if (read.indices[d].coefficient_of(element) == 1) return static_cast<int>(d);
    }
  }
  return std::nullopt;
}

/// The sums of the prologue. Needs: where the output has its elements.
std::vector<Added> added_to(const Group& group, int element) {
  std::vector<Added> all;
  for (const Func& sum : group.prologue) {
    if (sum.updates() == 0) continue;
    Added added{sum, std::nullopt};
    for (const Func& func : group.epilogue) {
      const std::vector<std::string>& dims = func.contents().dims;
      if (!added.element && dims.size() == group.outputs[0].contents().dims.size())
        added.element = dim_along(group, func, sum, dims[static_cast<std::size_t>(element)]);
    }
    all.push_back(added);
  }
  return all;
}

std::optional<Parts> parts_of(const Group& group) {
  if (group.anchors.size() != 4 || group.epilogue.size() < 3 || group.outputs.size() != 1)
    return std::nullopt;
  const auto asked =
      std::ranges::find_if(group.prologue, [&](const Func& f) { return reads(group.anchors[0], f); });
  if (asked == group.prologue.end()) return std::nullopt;
  Parts p{*asked,           group.anchors[0],  group.epilogue[0],
          group.anchors[1], group.epilogue[1], group.anchors[3],
          group.anchors[2], group.outputs[0],  {}};
  const Func& result = group.epilogue[2];
  const bool is_chain = reads(p.score, p.dot) && reads(p.highest, p.score) && reads(p.weight, p.score) &&
                        reads(p.weight, p.highest) && reads(p.total, p.weight) && reads(p.part, p.weight) &&
                        reads(result, p.part) && reads(result, p.total);
  if (!is_chain || p.part.rank() != p.total.rank() + 1 || !find_dims(result, p)) return std::nullopt;
  p.added = added_to(group, p.element);
  return p;
}

/// The variable of a dimension, counted from the last one.
Var from_last(const Func& f, int place) { return dim_of(f, f.rank() - 1 - place); }

Var axis_of(const Func& accumulated) {
  return Var(accumulated.contents().definitions.at(1).domain.back().name);
}

std::int64_t extent_of(const Expr& extent, std::int64_t likely) {
  const std::int64_t* value = ir::as_int(extent);
  return value ? *value : likely;
}

std::int64_t keys_of(const Parts& p) {
  return extent_of(p.total.contents().definitions.at(1).domain.back().extent, 64);
}

std::int64_t elements_of(const Group& group, const Parts& p) {
  return extent_of(group.stored[0].extents[static_cast<std::size_t>(p.element)], 64);
}

/// The output's loops over `inner`, the innermost, and one over all others, which are work-groups: its
/// variable.
Var block_of_queries(Func out, const Parts& p, const Var& queries, const std::vector<Var>& inner) {
  std::vector<Var> rows;
  for (int d = 0; d < out.rank(); ++d) {
    if (d != p.query && d != p.element) rows.push_back(dim_of(out, d));
  }
  rows.push_back(queries);
  return run_as_blocks(out, rows, inner);
}

/// Vectors of elements, as many as are asked for, through all terms of the sum.
void run_in_vectors(const Added& added, int stage, int width) {
  const Var vector("vector"), element("element");
  Stage sum = stage_of(added.sum, stage);
  sum.split(dim_of(added.sum, *added.element), vector, element, width).vectorize(element).unroll(vector);
  std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(added.sum);
  for (int d = 0; d < added.sum.rank(); ++d) {
    if (d != *added.element) loops.push_back(dim_of(added.sum, d));
  }
  loops.insert(loops.end(), {vector, element});
  sum.reorder(loops);
}

void run_on_cpu(const Group& group, Parts p, int tile, int width) {
  const std::int64_t elements = elements_of(group, p);
  width = power_up_to(elements, width);
  const int vectors = power_up_to(elements / width, std::max(1, tile / p.lanes));
  const int keys = static_cast<int>(std::min<std::int64_t>(tile, keys_of(p)));

  const Var queries("queries_of"), lane("lane_of"), outer("outer"), vector("vector"), element("element"),
      inner("inner");
  p.out.split(dim_of(p.out, p.query), queries, lane, p.lanes)
      .split(dim_of(p.out, p.element), outer, inner, vectors * width, Tail::ShiftInwards)
      .split(inner, vector, element, width);
  const Var block = block_of_queries(p.out, p, queries, {outer, lane, vector, element});
  p.out.unroll(vector);
  if (width > 1) p.out.vectorize(element);
  for (const Added& added : p.added) {
    Func(added.sum).compute_at(p.out, lane);
    for (int stage = 0; stage < 2 && added.element && width > 1; ++stage) run_in_vectors(added, stage, width);
  }

  for (Func f : {p.asked, p.score, p.highest, p.weight, p.total})
    f.compute_at(p.out, block).vectorize(from_last(f, 0));
  for (Func f : {p.highest, p.total}) {
    f.update().reorder({axis_of(f), from_last(f, 0)}).vectorize(from_last(f, 0));
  }
  p.score.split(from_last(p.score, 1), outer, inner, keys, Tail::ShiftInwards).unroll(inner);
  p.dot.compute_at(p.score, outer);
  for (int stage = 0; stage < 2; ++stage) {
    Stage dot = stage_of(p.dot, stage);
    std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(p.dot);
    loops.insert(loops.end(), {from_last(p.dot, 1), from_last(p.dot, 0)});
    dot.reorder(loops).unroll(from_last(p.dot, 1)).vectorize(from_last(p.dot, 0));
    Stage part = stage_of(p.part, stage);
    if (stage == 0) p.part.compute_at(p.out, outer);
    part.split(from_last(p.part, 0), vector, element, width);
    loops = stage == 0 ? std::vector<Var>() : axes_of(p.part);
    loops.insert(loops.end(), {from_last(p.part, 1), vector, element});
    part.reorder(loops).unroll(from_last(p.part, 1)).unroll(vector);
    if (width > 1) part.vectorize(element);
  }
}

void run_on_gpu(const Group& group, Parts p, int tile, int most) {
  const std::int64_t elements = elements_of(group, p);
  int each = 1;  // as few as give all items work
  while ((elements + each - 1) / each > most) each *= 2;
  const int items = static_cast<int>((elements + each - 1) / each);
  const int keys = static_cast<int>(std::min<std::int64_t>(tile, keys_of(p)));

  const Var queries("queries_of"), lane("lane_of"), item("item"), element("element_of_item"), outer("outer"),
      inner("inner"), rounds("rounds");
  p.out.split(dim_of(p.out, p.query), queries, lane, p.lanes)
      .split(dim_of(p.out, p.element), item, element, each);
  const Var block = block_of_queries(p.out, p, queries, {item, lane, element});
  p.out.gpu_threads(item);

  for (Func f : {p.asked, p.score, p.weight, p.highest, p.total})
    f.compute_at(p.out, block).store_in(MemoryScope::Local);
  p.asked.split(from_last(p.asked, 1), rounds, item, items).gpu_threads(item).unroll(from_last(p.asked, 0));
  for (Func f : {p.score, p.weight}) {
    f.split(from_last(f, 1), outer, inner, keys, Tail::ShiftInwards)
        .split(outer, rounds, item, items)
        .gpu_threads(item)
        .unroll(inner)
        .unroll(from_last(f, 0));
  }
  p.dot.compute_at(p.score, item);
  p.part.compute_at(p.out, item);
  for (const Added& added : p.added) Func(added.sum).compute_at(p.out, lane);
  for (int stage = 0; stage < 2; ++stage) {
    for (Func f : {p.dot, p.part}) {
      Stage s = stage_of(f, stage);
      std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(f);
      loops.insert(loops.end(), {from_last(f, 1), from_last(f, 0)});
      s.reorder(loops).unroll(from_last(f, 1)).unroll(from_last(f, 0));
    }
    for (Func f : {p.highest, p.total}) {
      Stage s = stage_of(f, stage);
      s.split(from_last(f, 0), lane, item, power_up_to(p.lanes, items));
      if (stage == 1) s.reorder({lane, item, axis_of(f)});
      s.gpu_threads(item);
    }
  }
}

}  // namespace

std::map<std::size_t, Layout> layouts_for_attention(const Group& group, const Point&) {
  const Parts parts = *parts_of(group);
  std::map<std::size_t, Layout> layouts;
  for (const Added& added : parts.added) {
    if (added.element) add_layouts_along(group, added.sum, *added.element, layouts);
  }
  return layouts;
}

bool applies_attention(const Group& group, const Target&) { return parts_of(group).has_value(); }

Space attention_space(const Group&, const Target& target) {
  const bool is_gpu = target.group_items > 1;
  const int tile = is_gpu ? 2 : target.accumulators < 16 ? 8 : 16;
  return {{{"tile", powers_of_two(std::max(16, tile))}, {"items", powers_of_two(256)}},
          {{"tile", tile}, {"items", target.group_items}}};
}

void apply_attention(const Group& group, const Point& point, const Target& target) {
  const Parts parts = *parts_of(group);
  if (target.group_items == 1) {
    run_on_cpu(group, parts, point["tile"], target.vector_width);
  } else {
    run_on_gpu(group, parts, point["tile"], point["items"]);
  }
}

}  // namespace tensordsl::schedules
