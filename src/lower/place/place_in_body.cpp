#include "lower/place/place_in_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/simplify/simplify.h"
#include "lower/analyze/tensor_reads.h"
#include "lower/place/build_loop_nest.h"
#include "lower/place/infer_bounds.h"
#include "lower/place/loop_body_editor.h"
#include "lower/place/placement.h"
#include "lower/place/tile_gaps.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Returns a Func without a compute level as vectorized, if each lane of a vectorized loop reads one element
/// of it.
std::optional<schedule::ScheduledFunction> computed_in_lanes(const Producer& p, const Stmt& reader,
                                                             const Box& box) {
  const bool is_vector = reader->kind == StmtKind::For && reader->loop == LoopKind::Vectorized;
  if (!is_vector || p.function->level().kind == schedule::ComputeLevel::Kind::At) return {};
  std::optional<std::size_t> along;
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (same(box[d].extent, Expr(1))) continue;
    if (along || box[d].stride > 0 || !same(box[d].extent, reader->extent())) return {};
    along = d;
  }
  if (!along) return {};
  const std::string& lane = p.function->dims[*along];
  schedule::ScheduledFunction result = *p.function;
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    std::vector<schedule::Axis>& axes = result.stages[i].axes;
    const auto axis = std::ranges::find(axes, lane, &schedule::Axis::name);
    const Definition& definition = p.definitions[i];
    const auto ordered = schedule::traits_of(*p.function, definition).ordered_dims;
    const bool is_plain = result.stages[i].transforms.empty() && !definition.predicate.defined() &&
                          std::ranges::all_of(axes, [](const schedule::Axis& a) {
                            return a.loop == LoopKind::Serial && !a.is_lanes;
                          });
    if (axis == axes.end() || !is_plain || std::ranges::find(ordered, lane) != ordered.end()) return {};
    std::rotate(axis, axis + 1, axes.end());
    axes.back().loop = LoopKind::Vectorized;
  }
  return result;
}

/// Doubles the tile in its outermost dimension; the loop's iterations alternate between the halves.
void double_up(const Producer& p, const std::vector<Stmt>& path, Box& stored, std::vector<Expr>& extents,
               const std::string& call) {
  const StmtNode* loop = repeating_loop(path);
  if (!loop) {
    throw ScheduleError(
        fmt::format("{}.double_buffer(): {} is not a serial loop, so there is nothing to overlap with; "
                    "compute the Func at a serial loop, for example that of a reduction",
                    p.function->name, call));
  }
  const Layout layout = p.function->layout_or_default();
  const auto d = static_cast<std::size_t>(layout.terms()[0].dim);
  const int padding = layout.padding(static_cast<int>(d));
  const Expr tile = simplify((extents[d] + (padding - 1)) / padding * padding);
  const Expr iteration = simplify(make_var(loop->name) - loop->min());
  stored[d].min = stored[d].min - iteration % 2 * tile;
  extents[d] = simplify(tile * 2);
}

}  // namespace

Stmt place_in_body(const Producer& p, const Stmt& body, const std::vector<Stmt>& path,
                   const std::string& call, PlacedFunctions& placed) {
  const Memory memory = memory_of(p.function->schedule.scope);
  const Sharing sharing = memory == Memory::Local      ? Sharing::Group
                          : memory == Memory::SubGroup ? Sharing::SubGroup
                                                       : Sharing::None;
  const auto needed = required_box(over_those_who_share(body, path, sharing), p.function->name);
  if (!needed) return without_reads(body, p.function->name);
  Box exact = with_own_reads(p, *needed);
  if (sharing == Sharing::None && !p.function->schedule.double_buffer) exact = without_gaps(p, body, exact);
  const Box box = round_up(p, exact);
  note_run_over(p.function->name, exact, box, placed);
  const auto in_lanes = computed_in_lanes(p, body, box);
  Producer computed = p;
  if (in_lanes) computed.function = &*in_lanes;
  std::vector<Stmt> statements;
  for (int stage = 0; stage < static_cast<int>(p.definitions.size()); ++stage) {
    statements.push_back(build_loop_nest(computed, stage, box));
  }
  statements.push_back(body);
  std::vector<Expr> extents;
  for (const Range& r : box) extents.push_back(r.extent);
  Box stored = box;
  if (p.function->schedule.double_buffer) double_up(p, path, stored, extents, call);
  return allocated(p, memory, extents, rebase(make_block(std::move(statements)), p.function->name, stored));
}

void note_run_over(const std::string& function, const Box& box, const Box& rounded, PlacedFunctions& placed) {
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (!can_prove(rounded[d].extent == box[d].extent)) placed.run_over.insert(function);
  }
}

}  // namespace tensordsl::lower
