#include "schedules/attention_parts.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

bool reads_func(const Func& func, const Func& other) {
  const auto all = classify::classify(func.contents()).reads;
  return std::ranges::any_of(all,
                             [&](const classify::Access& read) { return read.tensor == other.shared(); });
}

/// How `result` reads `sums`: at query/lanes, query%lanes, element; of one lane, at query, 0, element.
bool find_dims(const Func& result, const Func& sums, AttentionParts& parts) {
  const std::vector<std::string>& dims = result.contents().dims;
  const auto place = [&](const Expr& dim) {
    return static_cast<int>(std::ranges::find(dims, dim->name) - dims.begin());
  };
  for (const classify::Access& read : classify::classify(result.contents()).reads) {
    if (read.tensor != sums.shared() || read.indices.size() < 3) continue;
    const Expr& group = read.indices[read.indices.size() - 3].index;
    const bool is_divided = group->kind == ir::ExprKind::Div;
    const Expr &query = is_divided ? (*group)[0] : group, &element = read.indices.back().index;
    const std::int64_t* lanes = is_divided ? ir::as_int((*group)[1]) : nullptr;
    if (is_divided && !lanes) return false;
    if (query->kind != ir::ExprKind::Var || element->kind != ir::ExprKind::Var) return false;
    parts.query = place(query);
    parts.element = place(element);
    parts.lanes = lanes ? static_cast<int>(*lanes) : 1;
    return true;
  }
  return false;
}

/// Whether `reader` reads it, or what takes it as it is: the dimension of the sum that is its `element`.
std::optional<int> dim_of_element(const Group& group, const Func& reader, const Func& sum,
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
std::vector<AddedSum> added_to(const Group& group, int element) {
  std::vector<AddedSum> all;
  for (const Func& sum : group.prologue) {
    if (sum.updates() == 0) continue;
    AddedSum added{sum, std::nullopt};
    for (const Func& func : group.epilogue) {
      const std::vector<std::string>& dims = func.contents().dims;
      if (!added.element && dims.size() == group.outputs[0].contents().dims.size())
        added.element = dim_of_element(group, func, sum, dims[static_cast<std::size_t>(element)]);
    }
    all.push_back(added);
  }
  return all;
}

/// Vectors of elements, as many as are asked for, through all terms of the sum.
void run_in_vectors(const AddedSum& added, int stage, int width) {
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

std::int64_t likely_extent(const Expr& extent, std::int64_t likely) {
  const std::int64_t* value = ir::as_int(extent);
  return value ? *value : likely;
}

}  // namespace

std::optional<AttentionParts> attention_parts_of(const Group& group) {
  const std::vector<Func>& sums = group.anchors;
  const bool is_cut = sums.size() == 5;
  if ((!is_cut && sums.size() != 4) || group.epilogue.size() < 3 || group.outputs.size() != 1)
    return std::nullopt;
  const auto asked =
      std::ranges::find_if(group.prologue, [&](const Func& f) { return reads_func(sums[0], f); });
  if (asked == group.prologue.end()) return std::nullopt;
  AttentionParts p{*asked,
                   sums[0],
                   group.epilogue[0],
                   sums[1],
                   group.epilogue[1],
                   sums[is_cut ? 2 : 3],
                   sums[is_cut ? 3 : 2],
                   group.outputs[0],
                   is_cut ? std::optional(sums[4]) : std::nullopt,
                   {}};
  const Func &result = group.epilogue[2], &averaged = is_cut ? *p.run : p.part;
  const bool is_chain = reads_func(p.score, p.dot) && reads_func(p.highest, p.score) &&
                        reads_func(p.weight, p.score) && reads_func(p.weight, p.highest) &&
                        reads_func(p.total, p.weight) && reads_func(p.part, p.weight) &&
                        reads_func(result, averaged) && reads_func(is_cut ? averaged : result, p.total) &&
                        (!is_cut || (reads_func(averaged, p.part) && reads_func(averaged, p.highest)));
  if (!is_chain || p.part.rank() != p.total.rank() + 1 || !find_dims(result, averaged, p))
    return std::nullopt;
  p.added = added_to(group, p.element);
  return p;
}

Var from_last(const Func& f, int place) { return dim_of(f, f.rank() - 1 - place); }

Var axis_of(const Func& accumulated) {
  return Var(accumulated.contents().definitions.at(1).domain.back().name);
}

std::int64_t keys_of(const AttentionParts& p) {
  return likely_extent(p.total.contents().definitions.at(1).domain.back().extent, 64);
}

std::int64_t elements_of(const Group& group, const AttentionParts& p) {
  return likely_extent(group.stored[0].extents[static_cast<std::size_t>(p.element)], 64);
}

Var block_of_queries(const Group& group, const AttentionParts& p, const Var& queries,
                     const std::vector<Var>& inner) {
  Func out = p.out;
  std::vector<Var> rows, known;
  for (int d = 0; d < out.rank(); ++d) {
    if (d == p.query || d == p.element) continue;
    (is_known(group.stored[0], d) ? known : rows).push_back(dim_of(out, d));
  }
  rows.insert(rows.end(), known.begin(), known.end());
  if (is_known(group.stored[0], p.query) || rows.empty()) {
    rows.push_back(queries);
    return run_as_blocks(out, rows, inner);
  }
  std::vector<Var> order = rows;
  order.push_back(queries);
  order.insert(order.end(), inner.begin(), inner.end());
  out.reorder(order);
  out.gpu_blocks(queries, fuse_all(out, rows, "row"));
  return queries;
}

void run_added_sums(const AttentionParts& p, const Var& lane, int width) {
  for (const AddedSum& added : p.added) {
    Func(added.sum).compute_at(p.out, lane);
    for (int stage = 0; stage < 2 && added.element && width > 1; ++stage) run_in_vectors(added, stage, width);
  }
}

}  // namespace tensordsl::schedules
