// The directives: each checks itself against the stage, then edits the schedule data.
#include "tensordsl/stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace schedule;
using ir::LoopKind;

namespace {

const char* name_of(Tail tail) {
  switch (tail) {
    case Tail::RoundUp: return "Tail::RoundUp";
    case Tail::Guard: return "Tail::Guard";
    case Tail::ShiftInwards: return "Tail::ShiftInwards";
    case Tail::Exact: return "Tail::Exact";
  }
  return "?";
}

std::string stage_name(const ScheduledFunction& function, int definition) {
  return definition == 0 ? function.name : fmt::format("{}.update({})", function.name, definition - 1);
}

std::vector<std::string> printed(const std::vector<Expr>& exprs) {
  std::vector<std::string> texts;
  for (const Expr& e : exprs) texts.push_back(tensordsl::to_string(e));
  return texts;
}

std::vector<std::string> names_of(const StageSchedule& stage) {
  std::vector<std::string> names;
  for (const Axis& axis : stage.axes) names.push_back(axis.name);
  return names;
}

/// One call of a directive on one stage: finds axes and words the errors.
class Call {
 public:
  Call(const ScheduledFunction& function, int definition, StageSchedule& stage, std::string text)
      : function_(function), definition_(definition), stage_(stage), text_(std::move(text)) {}

  [[noreturn]] void fail(const std::string& finding) const {
    throw ScheduleError(fmt::format("{}.{}: {}", stage_name(function_, definition_), text_, finding));
  }

  /// The position of the axis a Var names: the loop itself, or what a directive with a factor left of it
  /// (gpu_tile leaves NAME.t, unroll and vectorize leave NAME.o).
  std::size_t find(const std::string& name) const {
    for (std::string candidate = name;;) {
      for (std::size_t i = 0; i < stage_.axes.size(); ++i) {
        if (stage_.axes[i].name == candidate) return i;
      }
      const Transform* split = split_of(candidate);
      if (!split) break;
      candidate = split->split->inner == candidate + ".t" ? candidate + ".t" : candidate + ".o";
    }
    fail(fmt::format("there is no loop \"{}\"; the loops are {}", name, fmt::join(names_of(stage_), ", ")));
  }

  Axis& axis(const std::string& name) const { return stage_.axes[find(name)]; }

  void require_serial(const Axis& axis) const {
    if (axis.loop != LoopKind::Serial) {
      fail(fmt::format("loop \"{}\" is already {}; give each loop one kind", axis.name, kind_name(axis.loop)));
    }
  }

  void require_new(const std::string& name) const {
    bool taken = std::any_of(stage_.axes.begin(), stage_.axes.end(), [&](const Axis& a) { return a.name == name; });
    for (const Transform& t : stage_.transforms) {
      taken |= t.split ? t.split->axis == name || t.split->outer == name || t.split->inner == name
                       : t.fuse->outer == name || t.fuse->inner == name || t.fuse->fused == name;
    }
    if (taken) fail(fmt::format("the name \"{}\" is used already; take a new Var", name));
  }

  /// The reduction axes may be run in another order or at once only where the result stays the same.
  void require_parallel(const Axis& axis, std::string_view what) const {
    if (!axis.is_reduction) return;
    const auto& definition = function_.definitions[static_cast<std::size_t>(definition_)];
    const auto parallel = traits_of(function_, definition).parallel_axes;
    for (const std::string& root : schedule::roots_of(stage_, axis.name)) {
      if (std::find(parallel.begin(), parallel.end(), root) == parallel.end()) {
        fail(fmt::format("loop \"{}\" is a reduction whose steps write the same element, so it cannot be {}; "
                         "use a pure variable",
                         axis.name, what));
      }
    }
  }

  static std::string kind_name(LoopKind kind) {
    if (ir::is_block_loop(kind)) return "a block loop";
    if (ir::is_thread_loop(kind)) return "a thread loop";
    return kind == LoopKind::Unrolled ? "unrolled" : kind == LoopKind::Vectorized ? "vectorized" : "serial";
  }

  void done() { stage_.directives.push_back(text_); }

 private:
  const Transform* split_of(const std::string& name) const {
    for (const Transform& t : stage_.transforms) {
      if (t.split && t.split->axis == name) return &t;
    }
    return nullptr;
  }

  const ScheduledFunction& function_;
  int definition_;
  StageSchedule& stage_;
  std::string text_;
};

void split_axis(Call& call, StageSchedule& stage, const ScheduledFunction& function, int definition,
                const std::string& name, const std::string& outer, const std::string& inner, int factor, Tail tail) {
  const std::size_t at = call.find(name);
  const Axis axis = stage.axes[at];
  call.require_serial(axis);
  if (factor < 1) call.fail(fmt::format("the factor must be at least 1, found {}", factor));
  if (outer == inner) call.fail("the outer and the inner loop need different names");
  call.require_new(outer);
  call.require_new(inner);
  if (tail == Tail::ShiftInwards && (definition > 0 || function.definitions.size() > 1)) {
    call.fail("Tail::ShiftInwards computes some points twice, which only a Func without updates survives; "
              "use Tail::Guard");
  }
  if (tail == Tail::RoundUp && axis.is_reduction) {
    call.fail("Tail::RoundUp would run the reduction past its domain; use Tail::Guard or Tail::Exact");
  }
  stage.transforms.push_back({Split{axis.name, outer, inner, factor, tail}, std::nullopt});
  stage.axes[at].name = outer;
  stage.axes.insert(stage.axes.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    Axis{inner, LoopKind::Serial, axis.is_reduction});
}

void require_axis_kinds(const Call& call, const StageSchedule& stage, const std::vector<LoopKind>& kinds) {
  for (const LoopKind kind : kinds) {
    for (const Axis& axis : stage.axes) {
      if (axis.loop == kind) {
        call.fail(fmt::format("dimension {} is taken by loop \"{}\"; map each dimension once, all in one call",
                              ir::gpu_dimension(kind), axis.name));
      }
    }
  }
}

/// The listed axes take their places among themselves in the listed order.
void reorder_axes(StageSchedule& stage, const Call& call, const std::vector<std::string>& order) {
  std::vector<std::size_t> places;
  std::vector<Axis> axes;
  for (const std::string& name : order) {
    const std::size_t at = call.find(name);
    if (std::find(places.begin(), places.end(), at) != places.end()) {
      call.fail(fmt::format("loop \"{}\" is listed twice", stage.axes[at].name));
    }
    places.push_back(at);
    axes.push_back(stage.axes[at]);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) stage.axes[places[i]] = axes[i];
}

std::vector<std::string> reduction_order(const StageSchedule& stage) {
  std::vector<std::string> names;
  for (const Axis& axis : stage.axes) {
    if (axis.is_reduction) names.push_back(axis.name);
  }
  return names;
}

}  // namespace

Stage::Stage(std::shared_ptr<ScheduledFunction> function, int definition)
    : contents_(std::move(function)), definition_(definition) {}

const std::string& Stage::function_name() const { return contents_->name; }

StageSchedule& Stage::stage() const {
  if (contents_->is_input()) {
    throw ScheduleError(fmt::format("{}: an Input is not computed, so it has no loops to schedule", contents_->name));
  }
  return contents_->stages[static_cast<std::size_t>(definition_)];
}

Stage& Stage::split(const Var& axis, const Var& outer, const Var& inner, int factor, Tail tail) {
  Call call(*contents_, definition_, stage(), fmt::format("split({}, {}, {}, {}, {})", axis.name(), outer.name(),
                                                          inner.name(), factor, name_of(tail)));
  split_axis(call, stage(), *contents_, definition_, axis.name(), outer.name(), inner.name(), factor, tail);
  call.done();
  return *this;
}

Stage& Stage::fuse(const Var& outer, const Var& inner, const Var& fused) {
  StageSchedule& s = stage();
  Call call(*contents_, definition_, s, fmt::format("fuse({}, {}, {})", outer.name(), inner.name(), fused.name()));
  const std::size_t o = call.find(outer.name());
  const std::size_t i = call.find(inner.name());
  call.require_serial(s.axes[o]);
  call.require_serial(s.axes[i]);
  if (i != o + 1) {
    call.fail(fmt::format("the loops must be neighbours, outer first; the loops are {}; reorder first",
                          fmt::join(names_of(s), ", ")));
  }
  if (s.axes[o].is_reduction != s.axes[i].is_reduction) {
    call.fail("one loop is a reduction and the other is not; fuse loops of one sort");
  }
  call.require_new(fused.name());
  s.transforms.push_back({std::nullopt, Fuse{s.axes[o].name, s.axes[i].name, fused.name()}});
  s.axes[o].name = fused.name();
  s.axes.erase(s.axes.begin() + static_cast<std::ptrdiff_t>(i));
  call.done();
  return *this;
}

Stage& Stage::reorder(const std::vector<Var>& axes) {
  StageSchedule& s = stage();
  std::vector<std::string> names;
  for (const Var& v : axes) names.push_back(v.name());
  Call call(*contents_, definition_, s, fmt::format("reorder({{{}}})", fmt::join(names, ", ")));
  const auto before = reduction_order(s);
  StageSchedule reordered = s;
  reorder_axes(reordered, call, names);
  if (reduction_order(reordered) != before) {
    const auto& definition = contents_->definitions[static_cast<std::size_t>(definition_)];
    const UpdateTraits traits = traits_of(*contents_, definition);
    if (!traits.is_associative && traits.parallel_axes.size() != definition.domain.size()) {
      call.fail(fmt::format("the update is not a sum, product, minimum or maximum, so its reduction loops must stay "
                            "in the order {}",
                            fmt::join(before, ", ")));
    }
  }
  s = std::move(reordered);
  call.done();
  return *this;
}

Stage& Stage::tile(const Var& x, const Var& y, const Var& xo, const Var& yo, const Var& xi, const Var& yi, int xfactor,
                   int yfactor, Tail tail) {
  const StageSchedule before = stage();
  try {
    split(x, xo, xi, xfactor, tail);
    split(y, yo, yi, yfactor, tail);
    return reorder({xo, yo, xi, yi});
  } catch (const ScheduleError&) {
    stage() = before;
    throw;
  }
}

Stage& Stage::unroll(const Var& axis) {
  Call call(*contents_, definition_, stage(), fmt::format("unroll({})", axis.name()));
  Axis& a = call.axis(axis.name());
  call.require_serial(a);
  a.loop = LoopKind::Unrolled;
  call.done();
  return *this;
}

Stage& Stage::unroll(const Var& axis, int factor, Tail tail) {
  StageSchedule& s = stage();
  Call call(*contents_, definition_, s, fmt::format("unroll({}, {}, {})", axis.name(), factor, name_of(tail)));
  const std::string name = s.axes[call.find(axis.name())].name;
  split_axis(call, s, *contents_, definition_, name, name + ".o", name + ".u", factor, tail);
  call.axis(name + ".u").loop = LoopKind::Unrolled;
  call.done();
  return *this;
}

Stage& Stage::vectorize(const Var& axis) {
  Call call(*contents_, definition_, stage(), fmt::format("vectorize({})", axis.name()));
  Axis& a = call.axis(axis.name());
  call.require_serial(a);
  call.require_parallel(a, "vectorized");
  for (const Axis& other : stage().axes) {
    if (other.loop == LoopKind::Vectorized) {
      call.fail(fmt::format("loop \"{}\" is vectorized already; a stage has one vector loop", other.name));
    }
  }
  a.loop = LoopKind::Vectorized;
  call.done();
  return *this;
}

Stage& Stage::vectorize(const Var& axis, int factor, Tail tail) {
  StageSchedule& s = stage();
  Call call(*contents_, definition_, s, fmt::format("vectorize({}, {}, {})", axis.name(), factor, name_of(tail)));
  if (factor != 1 && factor != 2 && factor != 3 && factor != 4 && factor != 8 && factor != 16) {
    call.fail(fmt::format("OpenCL has no vectors of {} lanes; the widths are 2, 3, 4, 8 and 16", factor));
  }
  const std::string name = s.axes[call.find(axis.name())].name;
  call.require_parallel(s.axes[call.find(axis.name())], "vectorized");
  for (const Axis& other : s.axes) {
    if (other.loop == LoopKind::Vectorized) {
      call.fail(fmt::format("loop \"{}\" is vectorized already; a stage has one vector loop", other.name));
    }
  }
  split_axis(call, s, *contents_, definition_, name, name + ".o", name + ".v", factor, tail);
  call.axis(name + ".v").loop = LoopKind::Vectorized;
  call.done();
  return *this;
}

namespace {

void map_axes(Call& call, StageSchedule& stage, const std::vector<std::string>& names, bool blocks) {
  std::vector<LoopKind> kinds;
  for (int d = 0; d < static_cast<int>(names.size()); ++d) kinds.push_back(blocks ? ir::block_loop(d) : ir::thread_loop(d));
  require_axis_kinds(call, stage, kinds);
  for (std::size_t d = 0; d < names.size(); ++d) {
    Axis& axis = call.axis(names[d]);
    call.require_serial(axis);
    call.require_parallel(axis, "spread over work-items");
    axis.loop = kinds[d];
  }
}

std::vector<std::string> names_of(std::initializer_list<const Var*> vars) {
  std::vector<std::string> names;
  for (const Var* v : vars) names.push_back(v->name());
  return names;
}

void map_directive(ScheduledFunction& function, int definition, StageSchedule& stage, std::string_view directive,
                   std::initializer_list<const Var*> vars, bool blocks) {
  const auto names = names_of(vars);
  Call call(function, definition, stage, fmt::format("{}({})", directive, fmt::join(names, ", ")));
  StageSchedule mapped = stage;
  Call trial(function, definition, mapped, fmt::format("{}({})", directive, fmt::join(names, ", ")));
  map_axes(trial, mapped, names, blocks);
  stage = std::move(mapped);
  call.done();
}

void tile_directive(ScheduledFunction& function, int definition, StageSchedule& stage,
                    std::initializer_list<const Var*> vars, const std::vector<int>& sizes, Tail tail) {
  const auto names = names_of(vars);
  const std::string text = sizes.size() == 1
                               ? fmt::format("gpu_tile({}, {}, {})", names[0], sizes[0], name_of(tail))
                               : fmt::format("gpu_tile({}, {{{}}}, {})", fmt::join(names, ", "), fmt::join(sizes, ", "),
                                             name_of(tail));
  StageSchedule tiled = stage;
  Call call(function, definition, tiled, text);
  std::vector<std::string> blocks, threads;
  for (std::size_t d = 0; d < names.size(); ++d) {
    const std::string name = tiled.axes[call.find(names[d])].name;
    split_axis(call, tiled, function, definition, name, name + ".b", name + ".t", sizes[d], tail);
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
  stage.directives.push_back(text);
}

}  // namespace

Stage& Stage::gpu_blocks(const Var& x) {
  map_directive(*contents_, definition_, stage(), "gpu_blocks", {&x}, true);
  return *this;
}

Stage& Stage::gpu_blocks(const Var& x, const Var& y) {
  map_directive(*contents_, definition_, stage(), "gpu_blocks", {&x, &y}, true);
  return *this;
}

Stage& Stage::gpu_blocks(const Var& x, const Var& y, const Var& z) {
  map_directive(*contents_, definition_, stage(), "gpu_blocks", {&x, &y, &z}, true);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x) {
  map_directive(*contents_, definition_, stage(), "gpu_threads", {&x}, false);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x, const Var& y) {
  map_directive(*contents_, definition_, stage(), "gpu_threads", {&x, &y}, false);
  return *this;
}

Stage& Stage::gpu_threads(const Var& x, const Var& y, const Var& z) {
  map_directive(*contents_, definition_, stage(), "gpu_threads", {&x, &y, &z}, false);
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, int x_size, Tail tail) {
  tile_directive(*contents_, definition_, stage(), {&x}, {x_size}, tail);
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, const Var& y, std::array<int, 2> sizes, Tail tail) {
  tile_directive(*contents_, definition_, stage(), {&x, &y}, {sizes.begin(), sizes.end()}, tail);
  return *this;
}

Stage& Stage::gpu_tile(const Var& x, const Var& y, const Var& z, std::array<int, 3> sizes, Tail tail) {
  tile_directive(*contents_, definition_, stage(), {&x, &y, &z}, {sizes.begin(), sizes.end()}, tail);
  return *this;
}

Stage& Stage::compute_root() {
  stage().directives.push_back("compute_root()");
  contents_->schedule.level = ComputeLevel{ComputeLevel::Kind::Root, {}, 0, {}};
  return *this;
}

Stage& Stage::compute_at(const Stage& consumer, const Var& axis) {
  const std::string text = fmt::format("compute_at({}, {})", stage_name(*consumer.contents_, consumer.definition_), axis.name());
  Call call(*contents_, definition_, stage(), text);
  if (consumer.contents_ == contents_) call.fail("a Func cannot be computed inside itself; name its consumer");
  Call target(*contents_, definition_, consumer.stage(), text);
  const std::string resolved = consumer.stage().axes[target.find(axis.name())].name;
  contents_->schedule.level =
      ComputeLevel{ComputeLevel::Kind::At, consumer.function_name(), consumer.definition_, resolved};
  call.done();
  return *this;
}

Stage& Stage::compute_inline() {
  Call call(*contents_, definition_, stage(), "compute_inline()");
  if (contents_->definitions.size() > 1) {
    call.fail("a Func with updates cannot be inlined; use compute_at or compute_root");
  }
  contents_->schedule.level = ComputeLevel{};
  call.done();
  return *this;
}

Stage& Stage::bound(const std::vector<Expr>& extents) {
  Call call(*contents_, definition_, stage(), fmt::format("bound({{{}}})", fmt::join(printed(extents), ", ")));
  if (static_cast<int>(extents.size()) != contents_->rank()) {
    call.fail(fmt::format("the Func has {} dimensions", contents_->rank()));
  }
  for (const Expr& e : extents) {
    if (!e.defined() || e.type() != Int(32)) call.fail("every extent must be an i32 expression");
    if (!ir::is_launch_constant(e)) call.fail("every extent must be made of constants and Params");
    if (const auto* value = ir::as_int(e); value && *value < 0) call.fail(fmt::format("extent {} is negative", *value));
  }
  contents_->schedule.bounds.clear();
  for (const Expr& e : extents) contents_->schedule.bounds.push_back(ir::unmarked(e));
  call.done();
  return *this;
}

Stage& Stage::layout(std::string_view notation) {
  try {
    contents_->schedule.layout = Layout::parse(notation, contents_->dims);
  } catch (const ParseError& e) {
    throw ScheduleError(fmt::format("{}.layout(\"{}\"): {}", contents_->name, notation, e.what()));
  }
  if (!contents_->is_input()) stage().directives.push_back(fmt::format("layout(\"{}\")", notation));
  return *this;
}

std::string Stage::to_string() const {
  std::string text = stage_name(*contents_, definition_);
  for (const std::string& directive : stage().directives) text += "." + directive;
  return text + ";";
}

}  // namespace tensordsl
