// Directives that map loops to work-groups and work-items.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nodes/sub_groups.h"
#include "schedule/directive_call.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/stage.h"

namespace tensordsl {

using namespace schedule;
using ir::LoopKind;

namespace {

void require_axis_kinds(const DirectiveCall& call, const StageSchedule& stage,
                        const std::vector<LoopKind>& kinds) {
  for (const LoopKind kind : kinds) {
    for (const Axis& axis : stage.axes) {
      if (axis.loop == kind) {
        call.fail(fmt::format(
            "dimension {} is already taken by loop \"{}\"; map each dimension once, all in one call",
            ir::gpu_dimension(kind), axis.name));
      }
    }
  }
}

void map_axes(DirectiveCall& call, StageSchedule& stage, const std::vector<std::string>& names, bool blocks) {
  std::vector<LoopKind> kinds;
  for (int d = 0; d < static_cast<int>(names.size()); ++d)
    kinds.push_back(blocks ? ir::block_loop(d) : ir::thread_loop(d));
  require_axis_kinds(call, stage, kinds);
  for (std::size_t d = 0; d < names.size(); ++d) {
    Axis& axis = call.axis(names[d]);
    call.require_serial(axis);
    call.require_parallel(axis, "spread over work-items");
    if (blocks) call.require_apart(axis);
    axis.loop = kinds[d];
  }
}

std::vector<std::string> group_names(std::initializer_list<const Var*> vars) {
  std::vector<std::string> names;
  for (const Var* v : vars) names.push_back(v->name());
  return names;
}

std::vector<Argument> var_names(const std::vector<std::string>& names) {
  std::vector<Argument> arguments;
  for (const std::string& name : names) arguments.emplace_back(VarName{name});
  return arguments;
}

void map_directive(ScheduledFunction& function, StageId place, StageSchedule& stage,
                   const std::string& directive, std::initializer_list<const Var*> vars, bool blocks) {
  const auto names = group_names(vars);
  // A copy is mapped, so that a call that fails halfway changes nothing.
  StageSchedule mapped = stage;
  DirectiveCall call(function, place, mapped, {directive, var_names(names)});
  map_axes(call, mapped, names, blocks);
  stage = std::move(mapped);
  call.done();
}

void tile_directive(ScheduledFunction& function, StageId place, StageSchedule& stage,
                    std::initializer_list<const Var*> vars, const std::vector<int>& sizes, Tail tail) {
  const auto names = group_names(vars);
  std::vector<Argument> arguments = var_names(names);
  arguments.push_back(sizes.size() == 1 ? Argument(sizes[0]) : Argument(sizes));
  arguments.emplace_back(tail);
  StageSchedule tiled = stage;
  DirectiveCall call(function, place, tiled, {"gpu_tile", std::move(arguments)});
  std::vector<std::string> blocks, threads;
  for (std::size_t d = 0; d < names.size(); ++d) {
    const std::string name = tiled.axes[call.find(names[d])].name;
    call.split_axis(name, name + ".b", name + ".t", sizes[d], tail);
    blocks.push_back(name + ".b");
    threads.push_back(name + ".t");
  }
  map_axes(call, tiled, blocks, true);
  map_axes(call, tiled, threads, false);
  // Blocks outermost, then threads, each with dimension 0 innermost; whatever else there is stays inside.
  std::vector<Axis> order;
  for (const auto* group : {&blocks, &threads}) {
    for (auto it = group->rbegin(); it != group->rend(); ++it) order.push_back(call.axis(*it));
  }
  for (const Axis& axis : tiled.axes) {
    if (!ir::is_block_loop(axis.loop) && !ir::is_thread_loop(axis.loop)) order.push_back(axis);
  }
  tiled.axes = std::move(order);
  stage = std::move(tiled);
  call.done();
}

}  // namespace

Stage& Stage::gpu_blocks(const Var& x) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_blocks", {&x}, true);
  return *this;
}

Stage& Stage::gpu_blocks(const Var& x, const Var& y) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_blocks", {&x, &y}, true);
  return *this;
}

Stage& Stage::gpu_blocks(const Var& x, const Var& y, const Var& z) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_blocks", {&x, &y, &z}, true);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_threads", {&x}, false);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x, const Var& y) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_threads", {&x, &y}, false);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x, const Var& y, const Var& z) {
  map_directive(*contents_, {definition_, specialization_}, stage(), "gpu_threads", {&x, &y, &z}, false);
  return *this;
}

Stage& Stage::gpu_lanes(const Var& axis) {
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s, {"gpu_lanes", {VarName{axis.name()}}});
  Axis& a = call.axis(axis.name());
  call.require_serial(a);
  require_axis_kinds(call, s, {LoopKind::Thread0});
  const auto& definition = contents_->definitions[static_cast<std::size_t>(definition_)];
  if (!a.is_reduction)
    call.fail(fmt::format("loop \"{}\" is not a reduction; use gpu_threads for it", a.name));
  if (contents_->is_tuple())
    call.fail(
        "the Func computes tuples, and a sub-group reduces single values; use gpu_threads for the reduction");
  if (!traits_of(*contents_, definition).is_associative ||
      !ir::find_sub_group_reduction(definition.value()->kind)) {
    call.fail("sub-groups can only reduce f(...) = f(...) op value, with op +, min or max");
  }
  for (const std::string& root : roots_of(s, a.name)) {
    for (const Expr& arg : definition.args) {
      if (!ir::uses_var(arg, root)) continue;
      call.fail(
          fmt::format("the update writes a different element, {}, in each iteration, so there is nothing to "
                      "reduce; reduce over an axis that only the value uses",
                      tensordsl::to_string(arg)));
    }
  }
  const Type type = contents_->type();
  if (!ir::is_sub_group_type(type)) {
    call.fail(fmt::format(
        "sub-groups reduce f32, i32 and i64, but {} has type {}; use a Func of one of these types",
        contents_->name, tensordsl::to_string(type)));
  }
  for (const Axis& other : s.axes) {
    if (other.loop == LoopKind::Vectorized) {
      call.fail(fmt::format("loop \"{}\" is vectorized, but sub-groups reduce scalars; unroll it instead",
                            other.name));
    }
  }
  a.loop = LoopKind::Thread0;
  a.is_lanes = true;
  call.done();
  return *this;
}

Stage& Stage::matrix_multiply(const Var& rows, const Var& columns, const Var& depth) {
  DirectiveCall call(
      *contents_, place(), stage(),
      {"matrix_multiply", {VarName{rows.name()}, VarName{columns.name()}, VarName{depth.name()}}});
  for (const Var* var : {&rows, &columns, &depth}) {
    Axis& axis = call.axis(var->name());
    call.require_serial(axis);
    const bool is_depth = var == &depth;
    if (axis.is_reduction != is_depth) {
      call.fail(fmt::format(
          "loop \"{}\" is {} reduction; rows and columns must not be reductions, and the depth must be one",
          axis.name, axis.is_reduction ? "a" : "no"));
    }
  }
  for (const Var* var : {&rows, &columns, &depth}) call.axis(var->name()).loop = LoopKind::Matrix;
  call.done();
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, int x_size, Tail tail) {
  tile_directive(*contents_, {definition_, specialization_}, stage(), {&x}, {x_size}, tail);
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, const Var& y, std::array<int, 2> sizes, Tail tail) {
  tile_directive(*contents_, {definition_, specialization_}, stage(), {&x, &y}, {sizes.begin(), sizes.end()},
                 tail);
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, const Var& y, const Var& z, std::array<int, 3> sizes, Tail tail) {
  tile_directive(*contents_, {definition_, specialization_}, stage(), {&x, &y, &z},
                 {sizes.begin(), sizes.end()}, tail);
  return *this;
}

}  // namespace tensordsl
