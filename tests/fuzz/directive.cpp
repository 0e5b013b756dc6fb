#include "fuzz/directive.h"

#include <fmt/format.h>

#include <algorithm>

#include <optional>

#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/schedule.h"

namespace tensordsl::fuzz {
namespace {

using schedule::Axis;
using schedule::StageSchedule;

void call(const Directive& d, const Func& f, Definition& definition) {
  std::vector<Var> v;
  for (const std::string& name : d.vars) v.emplace_back(name);
  Stage stage = stage_of(f, d.stage, d.specialization);
  switch (d.kind) {
    case DirectiveKind::Split:
      stage.split(v[0], v[1], v[2], d.factors[0], d.tail);
      return;
    case DirectiveKind::Fuse:
      stage.fuse(v[0], v[1], v[2]);
      return;
    case DirectiveKind::Reorder:
      stage.reorder(v);
      return;
    case DirectiveKind::Tile:
      stage.tile(v[0], v[1], v[2], v[3], v[4], v[5], d.factors[0], d.factors[1], d.tail);
      return;
    case DirectiveKind::Unroll:
      stage.unroll(v[0]);
      return;
    case DirectiveKind::UnrollBy:
      stage.unroll(v[0], d.factors[0], d.tail);
      return;
    case DirectiveKind::Vectorize:
      stage.vectorize(v[0]);
      return;
    case DirectiveKind::VectorizeBy:
      stage.vectorize(v[0], d.factors[0], d.tail);
      return;
    case DirectiveKind::GpuBlocks:
      if (v.size() == 1) stage.gpu_blocks(v[0]);
      if (v.size() == 2) stage.gpu_blocks(v[0], v[1]);
      if (v.size() == 3) stage.gpu_blocks(v[0], v[1], v[2]);
      return;
    case DirectiveKind::GpuThreads:
      if (v.size() == 1) stage.gpu_threads(v[0]);
      if (v.size() == 2) stage.gpu_threads(v[0], v[1]);
      if (v.size() == 3) stage.gpu_threads(v[0], v[1], v[2]);
      return;
    case DirectiveKind::HalfArithmetic:
      stage.half_arithmetic();
      return;
    case DirectiveKind::GpuLanes:
      stage.gpu_lanes(v[0]);
      return;
    case DirectiveKind::GpuTile:
      if (v.size() == 1) stage.gpu_tile(v[0], d.factors[0], d.tail);
      if (v.size() == 2) stage.gpu_tile(v[0], v[1], {d.factors[0], d.factors[1]}, d.tail);
      if (v.size() == 3) stage.gpu_tile(v[0], v[1], v[2], {d.factors[0], d.factors[1], d.factors[2]}, d.tail);
      return;
    case DirectiveKind::ComputeRoot:
      stage.compute_root();
      return;
    case DirectiveKind::ComputeAt: {
      const Func* consumer = find(definition, d.consumer);
      if (consumer && d.consumer_stage <= consumer->updates())
        stage.compute_at(stage_of(*consumer, d.consumer_stage), v[0]);
      return;
    }
    case DirectiveKind::ComputeInline:
      stage.compute_inline();
      return;
    case DirectiveKind::StoreAt: {
      const Func* consumer = find(definition, d.consumer);
      if (consumer && d.consumer_stage <= consumer->updates())
        stage.store_at(stage_of(*consumer, d.consumer_stage), v[0]);
      return;
    }
    case DirectiveKind::FoldStorage:
      stage.fold_storage(v[0], d.factors[0]);
      return;
    case DirectiveKind::ComputeWith: {
      const Func* other = find(definition, d.consumer);
      if (other && d.consumer_stage <= other->updates())
        stage.compute_with(stage_of(*other, d.consumer_stage), v[0]);
      return;
    }
    case DirectiveKind::AlignStorage:
      stage.align_storage(v[0], d.factors[0]);
      return;
    case DirectiveKind::Bound:
      stage.bound({d.factors.begin(), d.factors.end()});
      return;
    case DirectiveKind::Layout:
      stage.layout(d.notation);
      return;
    case DirectiveKind::SetImage:
      stage.set_image(d.image);
      return;
    case DirectiveKind::In: {
      const auto consumer = std::find_if(definition.functions.begin(), definition.functions.end(),
                                         [&](const Func& g) { return g.name() == d.consumer; });
      if (consumer == definition.functions.end()) return;
      std::vector<Func> others;
      for (const std::string& name : d.others) {
        if (const Func* other = find(definition, name)) others.push_back(*other);
      }
      const Func copy = f.in(*consumer, others);
      // Inserts the copy after all of its readers.
      auto place = consumer;
      for (auto g = definition.functions.begin(); g != definition.functions.end(); ++g) {
        if (std::ranges::any_of(others, [&](const Func& other) { return other.shared() == g->shared(); }))
          place = std::max(place, g);
      }
      definition.functions.insert(place + 1, copy);
      return;
    }
    case DirectiveKind::Rfactor:
    case DirectiveKind::SplitK: {
      const Func part = d.kind == DirectiveKind::Rfactor ? stage.rfactor(v[0], v[1])
                                                         : stage.split_k(v[0], d.factors[0], v[1]);
      const auto whole = std::find_if(definition.functions.begin(), definition.functions.end(),
                                      [&](const Func& g) { return g.name() == f.name(); });
      definition.functions.insert(whole + 1, part);
      return;
    }
    case DirectiveKind::Specialize: {
      const Param param(d.param);
      const int value = d.factors[0];
      stage.specialize(d.test == Directive::Test::Equal     ? param == value
                       : d.test == Directive::Test::AtLeast ? param >= value
                                                            : param % value == 0);
      return;
    }
    case DirectiveKind::StoreLocal:
      stage.store_in(Local);
      return;
    case DirectiveKind::StoreSubGroup:
      stage.store_in(SubGroup);
      return;
    case DirectiveKind::StorePrivate:
      stage.store_in(Private);
      return;
    case DirectiveKind::DoubleBuffer:
      stage.double_buffer();
      return;
    case DirectiveKind::Autobroadcast:
      stage.autobroadcast();
      return;
  }
}

/// Prints the loops that a refused directive must leave unchanged.
std::string print_loops(const Func& f) {
  std::string text;
  const auto print = [&](const StageSchedule& stage) {
    for (const Axis& axis : stage.axes)
      text += fmt::format("{} {}, ", axis.name, static_cast<int>(axis.loop));
    text += fmt::format("{}\n", stage.transforms.size());
  };
  for (const StageSchedule& stage : f.contents().stages) {
    print(stage);
    for (const schedule::Specialization& s : stage.specializations) print(s.schedule);
  }
  for (const schedule::LoggedDirective& entry : f.contents().log)
    text += schedule::to_string(entry.directive) + "\n";
  return text;
}

}  // namespace

const char* name_of(DirectiveKind kind) {
  static constexpr const char* kNames[] = {"split",
                                           "fuse",
                                           "reorder",
                                           "tile",
                                           "unroll",
                                           "unroll by a factor",
                                           "vectorize",
                                           "vectorize by a factor",
                                           "gpu_blocks",
                                           "gpu_threads",
                                           "gpu_tile",
                                           "compute_root",
                                           "compute_at",
                                           "compute_inline",
                                           "bound",
                                           "layout",
                                           "set_image",
                                           "in",
                                           "store_in(Local)",
                                           "store_in(SubGroup)",
                                           "store_in(Private)",
                                           "double_buffer",
                                           "autobroadcast",
                                           "rfactor",
                                           "split_k",
                                           "specialize",
                                           "gpu_lanes",
                                           "half_arithmetic",
                                           "store_at",
                                           "fold_storage",
                                           "compute_with",
                                           "align_storage"};
  static_assert(std::size(kNames) == kDirectiveKinds);
  return kNames[static_cast<std::size_t>(kind)];
}

const char* name_of(Tail tail) {
  static constexpr const char* kNames[] = {"RoundUp", "Guard", "ShiftInwards", "Exact"};
  return kNames[static_cast<std::size_t>(tail)];
}

Func* find(Definition& definition, const std::string& name) {
  for (Func& f : definition.functions) {
    if (f.name() == name) return &f;
  }
  for (Input& i : definition.inputs) {
    if (i.name() == name) return &i;
  }
  return nullptr;
}

Stage stage_of(const Func& f, int stage, int specialization) {
  const Stage whole = stage == 0 ? Stage(f) : f.update(stage - 1);
  return specialization < 0 ? whole : whole.specialization(specialization);
}

int specializations_of(const Func& f, int stage) {
  return f.is_input()
             ? 0
             : static_cast<int>(f.contents().stages[static_cast<std::size_t>(stage)].specializations.size());
}

/// Draws the directives of one case, consumers before producers.
bool apply(const Directive& directive, Definition& definition) {
  const Func* found = find(definition, directive.target);
  // A copy: in() adds to the functions.
  const std::optional<Func> f = found ? std::optional(*found) : std::nullopt;
  if (!f || directive.stage > f->updates() ||
      directive.specialization >= specializations_of(*f, directive.stage))
    return true;
  const std::string before = print_loops(*f);
  try {
    call(directive, *f, definition);
    return true;
  } catch (const ScheduleError& e) {
    if (before == print_loops(*f)) return false;
    throw InternalError(fmt::format("a directive was refused but changed the schedule: {}", e.what()));
  }
}

}  // namespace tensordsl::fuzz
