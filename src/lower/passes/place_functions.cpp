#include "lower/passes/place_functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ir/simplifier.h"
#include "ir/simplify.h"
#include "ir/substitute.h"
#include "lower/fuse_nests.h"
#include "lower/launch_assumptions.h"
#include "lower/loop_body_editor.h"
#include "lower/loop_names.h"
#include "lower/own_reads.h"
#include "lower/passes/build_loop_nest.h"
#include "lower/passes/infer_bounds.h"
#include "lower/sliding_window.h"
#include "lower/tile_gaps.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::ComputeLevel;

namespace {

/// Every index of `tensor` counts from the box's corner instead of from 0.
Expr rebase(const Expr& expr, const std::string& tensor, const Box& box) {
  if (!expr->names.may_share(NameFilter(tensor))) return expr;
  return rewrite(expr, [&](const Expr& e) {
    if (e->kind != ExprKind::Load || e->name != tensor) return e;
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < box.size(); ++d) indices.push_back(simplify(box[d].position(e->operands[d])));
    return make_load(e->type.element(), tensor, std::move(indices), 1, e->component);
  });
}

Stmt rebase(const Stmt& stmt, const std::string& tensor, const Box& box) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  const Stmt s = map_children(
      stmt, [&](const Expr& e) { return rebase(e, tensor, box); },
      [&](const Stmt& child) { return rebase(child, tensor, box); });
  if (s->kind != StmtKind::Store || s->name != tensor) return s;
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < box.size(); ++d) indices.push_back(simplify(box[d].position(s->index(d))));
  return make_store(tensor, s->value(), std::move(indices), 1, s->component);
}

bool is_zero_based(const Box& box) {
  for (const Range& r : box) {
    if (!is_const(r.min, 0)) return false;
  }
  return true;
}

bool contains(const Box& outer, const Box& inner) {
  for (std::size_t d = 0; d < outer.size(); ++d) {
    if (!can_prove(outer[d].min <= inner[d].min)) return false;
    if (!can_prove(inner[d].min + inner[d].extent <= outer[d].min + outer[d].extent)) return false;
  }
  return true;
}

bool reads(const Expr& expr, const std::string& tensor) {
  const NameFilter name(tensor);
  bool found = false;
  ir::visit(expr, [&](const Expr& e) {
    found = found || (e->kind == ExprKind::Load && e->name == tensor);
    return !found && e->names.may_share(name);
  });
  return found;
}

bool reads(const Stmt& stmt, const std::string& tensor) {
  const NameFilter name(tensor);
  bool found = false;
  ir::visit(
      stmt, [&](const Stmt& s) { return !found && s->names.may_share(name); },
      [&](const Expr& expr) { found = found || reads(expr, tensor); });
  return found;
}

/// Reads that stand behind conditions that never hold may have any value.
Stmt without_reads(const Stmt& stmt, const std::string& tensor) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  return map_children(
      stmt,
      [&](const Expr& expr) {
        return rewrite(expr, [&](const Expr& e) {
          return e->kind == ExprKind::Load && e->name == tensor ? make_zero(e.type()) : e;
        });
      },
      [&](const Stmt& child) { return without_reads(child, tensor); });
}

class Placer {
 public:
  explicit Placer(const std::vector<Producer>& producers) : producers_(producers) {}

  PlacedFunctions run() {
    for (std::size_t i = producers_.size(); i-- > 0;) {
      const Producer& p = producers_[i];
      const ComputeLevel level = p.function->level();
      if (p.is_output) {
        if (level.kind == ComputeLevel::Kind::At) {
          throw ScheduleError(
              fmt::format("{}.compute_at({}, {}): the output of a pipeline is computed at the root",
                          p.function->name, level.consumer, level.axis));
        }
        check_extent_names(*p.function);
        check_output_reads(*p.function);
        place_at_root(p, output_box(*p.function));
      } else if (!is_read(p.function->name)) {
        continue;  // because what reads it is never used itself
      } else if (level.kind == ComputeLevel::Kind::At) {
        place_inside(p, level);
      } else if (level.kind == ComputeLevel::Kind::Inline) {
        place_innermost(p);
      } else if (const auto box = root_box(*p.function)) {
        place_at_root(p, *box);
      } else {
        for (RootNest& nest : placed_.nests) nest.body = without_reads(nest.body, p.function->name);
      }
    }
    check_companions();
    return std::move(placed_);
  }

 private:
  /// Every compute_with was obeyed.
  void check_companions() const {
    for (const Producer& p : producers_) {
      for (int stage = 0; stage < static_cast<int>(p.function->stages.size()); ++stage) {
        const auto& companion = p.function->stages[static_cast<std::size_t>(stage)].companion;
        if (!companion || !(p.is_output || is_computed(p.function->name))) continue;
        const bool is_there =
            placed_.extents.contains(p.function->name) && placed_.extents.contains(companion->function);
        if (is_there) continue;
        throw ScheduleError(
            fmt::format("{}: both have to be computed at the root", companion_call(*p.function, stage)));
      }
    }
  }

  bool is_computed(const std::string& function) const {
    return placed_.extents.contains(function) ||
           std::ranges::any_of(placed_.nests,
                               [&](const RootNest& nest) { return reads(nest.body, function); });
  }

  bool is_read(const std::string& function) const {
    return std::any_of(placed_.nests.begin(), placed_.nests.end(),
                       [&](const RootNest& nest) { return reads(nest.body, function); });
  }

  /// The extents of an output without bound() are arguments of its kernels, beside the Params.
  void check_extent_names(const schedule::ScheduledFunction& output) const {
    if (!output.schedule.bounds.empty()) return;
    for (std::size_t d = 0; d < output.dims.size(); ++d) {
      const std::string extent = fmt::format("{}_extent_{}", output.name, d);
      for (const Producer& p : producers_) {
        for (const Definition& definition : p.definitions) {
          const std::vector<Expr> expressions = definition.expressions();
          if (std::ranges::none_of(expressions, [&](const Expr& e) { return uses_var(e, extent); })) continue;
          throw DefinitionError(fmt::format(
              "\"{0}\" names a Param that {1} uses and an extent of {2}, which has no bound(); rename "
              "the Param",
              extent, p.function->name, output.name));
        }
      }
    }
  }

  static Box output_box(const schedule::ScheduledFunction& function) {
    Box box;
    for (const Expr& extent : output_extents(function)) box.push_back({Expr(0), extent});
    return box;
  }

  /// What other outputs read of this one must be inside it; where that is open, the launch checks it.
  void check_output_reads(const schedule::ScheduledFunction& output) const {
    const auto box = read_box(output);
    for (std::size_t d = 0; box && !output.schedule.bounds.empty() && d < box->size(); ++d)
      check_bound(output, d, (*box)[d]);
    if (box) check_specialized_reads(output.name, output_box(output));
  }

  /// What is stored as a whole is no larger than it must be.
  static std::optional<Box> stored_box(const Stmt& consumer, const std::string& function) {
    return required_box(consumer, function, false, Ends::Tighter);
  }

  /// Empty if nothing is read.
  std::optional<Box> read_box(const schedule::ScheduledFunction& function) const {
    std::optional<Box> box;
    for (const RootNest& nest : placed_.nests) {
      // A specialization reads what its stage does; what it leaves unguarded is right only under its
      // condition.
      const auto more = nest.is_specialization() ? std::nullopt : stored_box(nest.body, function.name);
      if (!more) continue;
      if (!box) {
        box = more;
        continue;
      }
      box = hull(*box, *more);
    }
    return box;
  }

  std::optional<Box> root_box(const schedule::ScheduledFunction& function) const {
    std::optional<Box> box = read_box(function);
    if (box && !function.schedule.bounds.empty()) {
      for (std::size_t d = 0; d < box->size(); ++d) check_bound(function, d, (*box)[d]);
      box = output_box(function);
    }
    if (box) check_specialized_reads(function.name, *box);
    return box;
  }

  /// Under its condition a specialization may not read more than what is computed for all.
  void check_specialized_reads(const std::string& function, const Box& box) const {
    for (const RootNest& nest : placed_.nests) {
      const auto read = nest.is_specialization() ? stored_box(nest.body, function) : std::nullopt;
      if (!read) continue;
      const LaunchAssumptions facts = assumptions_of(nest.condition);
      for (std::size_t d = 0; d < box.size(); ++d) {
        const auto holds = [&](const Expr& test) { return can_prove_with(facts, test); };
        const Range& all = box[d];
        const Range& some = (*read)[d];
        if (holds(all.min <= some.min) && holds(some.min + some.extent <= all.min + all.extent)) continue;
        throw ScheduleError(fmt::format(
            "{}: it reads [{}, {}) of dimension {} of {}, as far as can be told, but just [{}, {}) are "
            "computed for {} at large; use "
            "Tail::Guard in it, or give {} a bound()",
            schedule::stage_name(nest.function, nest.stage), tensordsl::to_string(some.min),
            tensordsl::to_string(simplify(some.min + some.extent)), d, function,
            tensordsl::to_string(all.min), tensordsl::to_string(simplify(all.min + all.extent)),
            schedule::stage_name(nest.function, {nest.stage.definition, -1}), function));
      }
    }
  }

  static void check_own_reads(const schedule::ScheduledFunction& function, std::size_t d, const Range& bound,
                              const Range& needed) {
    const Expr end = simplify(needed.min + needed.extent);
    if (!can_prove(needed.min < bound.min) && !can_prove(bound.min + bound.extent < end)) return;
    throw ScheduleError(
        fmt::format("{0}: its updates read [{1}, {2}) of dimension {3} of {0} itself, but its extent is {4}; "
                    "enlarge the bound, or put "
                    "the part that is wanted into a Func of its own",
                    function.name, tensordsl::to_string(needed.min), tensordsl::to_string(end), d,
                    tensordsl::to_string(bound.extent)));
  }

  static void check_bound(const schedule::ScheduledFunction& function, std::size_t d, const Range& needed) {
    const Expr& bound = function.schedule.bounds[d];
    if (can_prove(needed.min < Expr(0)) || can_prove(bound < needed.min + needed.extent)) {
      throw ScheduleError(fmt::format(
          "{}.bound: its consumers read [{}, {}) of dimension {}, but the bound is {}; enlarge it or leave "
          "it out",
          function.name, tensordsl::to_string(needed.min),
          tensordsl::to_string(simplify(needed.min + needed.extent)), d, tensordsl::to_string(bound)));
    }
  }

  /// `box` with what the updates read of their own Func elsewhere.
  static Box with_own_reads(const Producer& p, const Box& box) {
    constexpr int kMaxRounds = 8;
    Box grown = box;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Box before = grown;
      for (int stage = 1; stage < static_cast<int>(p.definitions.size()); ++stage) {
        const Definition& definition = p.definitions[static_cast<std::size_t>(stage)];
        if (reads_own_element_only(definition, p.function->name)) continue;
        const auto read = own_reads(p, stage, before);
        if (read && !contains(grown, *read)) grown = hull(grown, *read);
      }
      if (contains(before, grown)) return grown;
    }
    throw DefinitionError(
        fmt::format("the updates of {0} need {0} over a range without end; read {0} at its pure variables",
                    p.function->name));
  }

  void place_at_root(const Producer& p, const Box& wanted) {
    const bool fixed = p.is_output || !p.function->schedule.bounds.empty();
    const Box needed = with_own_reads(p, wanted);
    for (std::size_t d = 0; fixed && d < needed.size(); ++d)
      check_own_reads(*p.function, d, wanted[d], needed[d]);
    const Box box = fixed ? wanted : needed;
    const Box rounded = round_up(p, box);
    note_run_over(p.function->name, box, rounded);
    placed_.boxes[p.function->name] = box;
    for (std::size_t d = 0; fixed && d < box.size(); ++d) {
      // What the layout pads may be written.
      const int padding = p.function->layout_or_default().padding(static_cast<int>(d));
      if (!can_prove(rounded[d].extent <= (box[d].extent + (padding - 1)) / padding * padding)) {
        throw ScheduleError(
            fmt::format("{}: Tail::RoundUp needs {} elements in dimension {}, but its extent is fixed at {}; "
                        "use Tail::Guard, an extent the factor divides, or a layout that pads it",
                        p.function->name, tensordsl::to_string(rounded[d].extent), d,
                        tensordsl::to_string(box[d].extent)));
      }
    }
    std::vector<RootNest> nests;
    for (int stage = 0; stage < static_cast<int>(p.definitions.size()); ++stage) {
      Expr otherwise;
      const auto& specializations = p.function->stages[static_cast<std::size_t>(stage)].specializations;
      for (int i = 0; i < static_cast<int>(specializations.size()); ++i) {
        const Expr& condition = specializations[static_cast<std::size_t>(i)].condition;
        nests.push_back(
            {p.function->name, {stage, i}, build_loop_nest(p, stage, rounded, i), condition, otherwise});
        otherwise = otherwise.defined() ? otherwise || condition : condition;
      }
      nests.push_back({p.function->name, {stage, -1}, build_loop_nest(p, stage, rounded), {}, otherwise});
    }
    std::ranges::move(placed_.nests, std::back_inserter(nests));
    if (!is_zero_based(rounded)) {
      for (RootNest& nest : nests) nest.body = rebase(nest.body, p.function->name, rounded);
    }
    placed_.nests = std::move(nests);
    std::vector<Expr>& extents = placed_.extents[p.function->name];
    for (const Range& r : fixed ? box : rounded) extents.push_back(r.extent);
    fuse_companions();
  }

  /// The nest of a stage, behind its companions if it has some; the end if there is none.
  std::vector<RootNest>::iterator nest_of(const std::string& function, int stage) {
    return std::ranges::find_if(placed_.nests, [&](const RootNest& nest) {
      return nest.function == function && nest.stage == schedule::StageId{stage, -1};
    });
  }

  /// Brings the stages together that compute_with names, as soon as both are there.
  void fuse_companions() {
    for (const Producer& p : producers_) {
      for (int stage = 0; stage < static_cast<int>(p.function->stages.size()); ++stage) {
        const auto& companion = p.function->stages[static_cast<std::size_t>(stage)].companion;
        if (!companion || !placed_.extents.contains(p.function->name) ||
            !placed_.extents.contains(companion->function) || !fused_.emplace(p.function->name, stage).second)
          continue;
        const auto own = nest_of(p.function->name, stage);
        const auto other = nest_of(companion->function, companion->stage);
        if (own == placed_.nests.end() || other == placed_.nests.end()) {
          throw ScheduleError(fmt::format(
              "{}: one of the two runs in the loops of another stage already; let all of them name the "
              "stage that has the loops",
              companion_call(*p.function, stage)));
        }
        fuse(*p.function, stage, own, other);
      }
    }
  }

  static std::string companion_call(const schedule::ScheduledFunction& function, int stage) {
    const auto& companion = *function.stages[static_cast<std::size_t>(stage)].companion;
    return fmt::format("{}.compute_with({}, {})", schedule::stage_name(function.name, {stage, -1}),
                       schedule::stage_name(companion.function, {companion.stage, -1}), companion.axis);
  }

  using NestPlace = std::vector<RootNest>::iterator;

  void fuse(const schedule::ScheduledFunction& function, int stage, NestPlace own, NestPlace other) {
    const std::string call = companion_call(function, stage);
    const auto& companion = *function.stages[static_cast<std::size_t>(stage)].companion;
    const schedule::ScheduledFunction& target = *producer_of(companion.function).function;
    for (const auto* s : {&function.stages[static_cast<std::size_t>(stage)],
                          &target.stages[static_cast<std::size_t>(companion.stage)]}) {
      if (!s->specializations.empty())
        throw ScheduleError(call +
                            ": a specialization is a kernel of its own; leave it out, or the kernels apart");
    }
    const auto &a = function.schedule, &b = target.schedule;
    if (a.autobroadcast != b.autobroadcast || a.half_arithmetic != b.half_arithmetic) {
      throw ScheduleError(fmt::format(
          "{}: autobroadcast() and half_arithmetic() are of a whole kernel; give them to both or to "
          "neither",
          call));
    }
    check_independent(own, other, call);
    RootNest joined = *other;
    joined.body = fused_nests(other->body, own->body,
                              loop_name(companion.function, companion.stage, companion.axis), call);
    joined.companions.insert(own->companions.begin(), own->companions.end());
    joined.companions.insert(own->function);
    // At the later place, if nothing between them needs the earlier one; else at the earlier.
    const auto [first, last] = std::minmax(own, other);
    const bool is_late = std::none_of(first + 1, last, [&](const RootNest& n) { return depends(n, *first); });
    const bool is_early = std::none_of(first + 1, last, [&](const RootNest& n) { return depends(*last, n); });
    if (!is_late && !is_early) {
      throw ScheduleError(fmt::format(
          "{}: what is computed between the two reads one of them and is read by the other", call));
    }
    *(is_late ? last : first) = std::move(joined);
    placed_.nests.erase(is_late ? first : last);
  }

  const Producer& producer_of(const std::string& function) const {
    return *std::ranges::find_if(producers_, [&](const Producer& p) { return p.function->name == function; });
  }

  /// The Funcs that a nest computes.
  static std::set<std::string> computed_by(const RootNest& nest) {
    std::set<std::string> functions = nest.companions;
    functions.insert(nest.function);
    return functions;
  }

  /// Whether `later` has to stay behind `earlier`: it reads what that computes, or goes on with it.
  static bool depends(const RootNest& later, const RootNest& earlier) {
    const auto here = computed_by(later);
    return std::ranges::any_of(computed_by(earlier), [&](const std::string& function) {
      return here.contains(function) || reads(later.body, function);
    });
  }

  static void check_independent(NestPlace own, NestPlace other, const std::string& call) {
    if (!depends(*own, *other) && !depends(*other, *own)) return;
    throw ScheduleError(
        fmt::format("{}: one of the two reads what the other computes; place it with compute_at", call));
  }

  static void check_not_specialized(const schedule::ScheduledFunction& function, std::string_view consumer) {
    for (const schedule::StageSchedule& stage : function.stages) {
      if (stage.specializations.empty()) continue;
      throw ScheduleError(
          fmt::format("{}.specialize({}): it is computed inside the loops of {}, and the host chooses among "
                      "whole kernels; "
                      "specialize the Func that is computed at the root there",
                      function.name, tensordsl::to_string(stage.specializations[0].condition), consumer));
    }
  }

  void place_inside(const Producer& p, const ComputeLevel& level) {
    const std::string& name = p.function->name;
    check_not_specialized(*p.function, level.consumer);
    const std::string call = fmt::format("{}.compute_at({}, {})", name, level.consumer, level.axis);
    const std::string loop = loop_name(level.consumer, level.consumer_stage, level.axis);
    bool is_placed = false;
    std::vector<RootNest*> homes;  // the loop's kernel and its specializations
    std::vector<Stmt> edited;
    for (RootNest& nest : placed_.nests) {
      const Stmt body = p.function->schedule.store_level ? place_sliding(p, nest.body, loop, call)
                                                         : place_in_loop(p, nest.body, loop, call);
      if (!body.defined()) continue;
      is_placed = is_placed || !nest.is_specialization();
      homes.push_back(&nest);
      edited.push_back(body);
    }
    check_no_use_outside(p, homes, loop, call);
    for (std::size_t i = 0; i < homes.size(); ++i) homes[i]->body = edited[i];
    if (is_placed) return;
    if (const auto loops = loops_of(level); !loops.empty()) {
      throw ScheduleError(
          fmt::format("{}: {} has no loop \"{}\" any more; its loops are {}. Give compute_at after the "
                      "directives that make them",
                      call, schedule::stage_name(level.consumer, {level.consumer_stage, -1}), level.axis,
                      fmt::join(loops, ", ")));
    }
    throw ScheduleError(
        fmt::format("{}: the loops of {} are not part of this pipeline{}", call, level.consumer,
                    is_inline(level.consumer) ? ", because it is inlined; give it compute_root or compute_at"
                                              : "; name a consumer of the Func and one of its loops"));
  }

  /// Undefined if the nest has no such loop. A loop that slides has its name twice: its warm-up comes first.
  Stmt place_in_loop(const Producer& p, const Stmt& nest, const std::string& loop, const std::string& call) {
    const LoopBodyEditor* position = nullptr;
    bool is_needed = false;
    LoopBodyEditor editor(loop, [&](const Stmt& body) {
      const Stmt placed = place_in_body(p, body, position->path(), call);
      is_needed = is_needed || placed.get() != body.get();
      return placed;
    });
    position = &editor;
    const Stmt body = editor.run(nest);
    if (!editor.found()) return {};
    if (!is_needed) fail_unneeded(p, call);
    return body;
  }

  [[noreturn]] static void fail_unneeded(const Producer& p, const std::string& call) {
    throw ScheduleError(fmt::format("{}: nothing inside that loop reads {}", call, p.function->name));
  }

  static bool has_loop(const Stmt& stmt, const std::string& loop) {
    LoopBodyEditor editor(loop, [](const Stmt& body) { return body; });
    editor.run(stmt);
    return editor.found();
  }

  /// The same of a Func that is stored further out.
  Stmt place_sliding(const Producer& p, const Stmt& nest, const std::string& loop, const std::string& call) {
    const ComputeLevel& store = *p.function->schedule.store_level;
    const std::string outside = loop_name(store.consumer, store.consumer_stage, store.axis);
    if (!has_loop(nest, loop)) return {};
    bool is_around = false, is_needed = false;
    const LoopBodyEditor* position = nullptr;
    LoopBodyEditor editor(outside, [&](const Stmt& body) {
      if (!has_loop(body, loop)) return body;
      is_around = true;
      if (!reads(body, p.function->name)) return body;
      is_needed = true;
      return slide_in_body(p, body, position->path(), loop, call);
    });
    position = &editor;
    const Stmt body = editor.run(nest);
    if (!is_around) {
      throw ScheduleError(fmt::format(
          "{}.store_at({}, {}): that loop is not around the one that compute_at names, \"{}\" of {}; "
          "name one further out",
          p.function->name, store.consumer, store.axis, p.function->level().axis,
          p.function->level().consumer));
    }
    if (!is_needed) fail_unneeded(p, call);
    return body;
  }

  /// `edit` of the bodies of the loop that read the Func, in order, each with what it stands in.
  template <typename F>
  static Stmt edit_readers(const Stmt& stmt, const Producer& p, const std::string& loop, F edit) {
    const LoopBodyEditor* position = nullptr;
    LoopBodyEditor editor(loop, [&](const Stmt& body) {
      return reads(body, p.function->name) ? edit(body, position->path()) : body;
    });
    position = &editor;
    return editor.run(stmt);
  }

  Stmt slide_in_body(const Producer& p, const Stmt& stored_in, const std::vector<Stmt>& around,
                     const std::string& loop, const std::string& call) {
    const std::string& name = p.function->name;
    const Memory memory = memory_of(p.function->schedule.scope);
    if (memory == Memory::SubGroup) {
      throw ScheduleError(
          fmt::format("{}.store_in(SubGroup): what slides is kept in registers or local memory", name));
    }
    const Sharing sharing = memory == Memory::Local ? Sharing::Group : Sharing::None;
    std::vector<WindowUse> uses;
    const Stmt readers =
        edit_readers(stored_in, p, loop, [&](const Stmt& body, const std::vector<Stmt>& path) {
          check_same_work_items(p, path);
          std::vector<Stmt> whole = around;
          whole.insert(whole.end(), path.begin(), path.end());
          const auto needed = required_box(over_those_who_share(body, whole, sharing), name);
          if (!needed) return without_reads(body, name);
          uses.push_back({path, with_own_reads(p, *needed)});
          return body;
        });
    if (uses.empty()) return readers;
    const WindowUse last = uses.back();
    uses.pop_back();
    const SlidingWindow window = sliding_window(*p.function, last, uses, makes_elements_alone(p));
    std::vector<std::optional<Box>> computed = window.earlier;
    computed.push_back(window.computed);
    auto next = computed.begin();
    Stmt body = edit_readers(readers, p, loop, [&](const Stmt& reader, const std::vector<Stmt>&) {
      const std::optional<Box>& box = *next++;
      return box ? make_block({nests_over(p, *box, call), reader}) : reader;
    });
    if (window.warm_up)
      body = put_before(body, last.path[window.loop]->name, warm_up(p, window, last.path, call));
    std::vector<Expr> extents;
    for (const Range& r : window.stored) extents.push_back(r.fold > 0 ? Expr(r.fold) : r.extent);
    return allocated(p, memory, extents, rebase(body, name, window.stored));
  }

  /// In one iteration of the loops that slide, so that what it reads is placed as in theirs.
  static Stmt warm_up(const Producer& p, const SlidingWindow& window, const std::vector<Stmt>& path,
                      const std::string& call) {
    Stmt stmt = nests_over(p, *window.warm_up, call);
    for (std::size_t i = path.size(); i-- > window.loop;) {
      if (path[i]->kind == StmtKind::For)
        stmt = make_for(path[i]->name, path[i]->min(), Expr(1), LoopKind::Serial, stmt);
    }
    return window.runs.defined() ? make_if(window.runs, stmt) : stmt;
  }

  /// What one work-item keeps no other one writes, and what they share they write together; nor do the lanes
  /// of a vector have storage of their own.
  static void check_same_work_items(const Producer& p, const std::vector<Stmt>& path) {
    for (const Stmt& s : path) {
      const bool is_plain =
          s->kind != StmtKind::For || s->loop == LoopKind::Serial || s->loop == LoopKind::Unrolled;
      if (is_plain) continue;
      const char* kind = is_thread_loop(s->loop)  ? "gpu_threads"
                         : is_block_loop(s->loop) ? "gpu_blocks"
                                                  : "vectorized";
      throw ScheduleError(
          fmt::format("{}.store_at({}, {}): the {} loop \"{}\" is between it and the loop that it is "
                      "computed at; store it "
                      "inside, or reorder",
                      p.function->name, p.function->schedule.store_level->consumer,
                      p.function->schedule.store_level->axis, kind, s->name));
    }
  }

  /// Every stage of the Func over just that box.
  static Stmt nests_over(const Producer& p, const Box& box, const std::string& call) {
    const Box rounded = round_up(p, box);
    for (std::size_t d = 0; d < box.size(); ++d) {
      if (same(rounded[d].extent, box[d].extent)) continue;
      throw ScheduleError(fmt::format(
          "{}: Tail::RoundUp computes more of {} than an iteration adds, and would overwrite what "
          "store_at keeps; use Tail::Guard",
          call, p.function->name));
    }
    std::vector<Stmt> nests;
    for (int stage = 0; stage < static_cast<int>(p.definitions.size()); ++stage)
      nests.push_back(build_loop_nest(p, stage, box));
    return make_block(std::move(nests));
  }

  /// Whether each element is made of nothing but itself and other Funcs, once.
  static bool makes_elements_alone(const Producer& p) {
    return std::ranges::all_of(p.definitions, [&](const Definition& definition) {
      for (std::size_t d = 0; d < definition.args.size(); ++d) {
        const ExprNode& arg = *definition.args[d];
        if (arg.kind != ExprKind::Var || arg.name != p.function->dims[d]) return false;
      }
      return reads_own_element_only(definition, p.function->name);
    });
  }

  /// The loop may have warm-ups, which are then behind `first` as well.
  static Stmt put_before(const Stmt& stmt, const std::string& loop, const Stmt& first) {
    bool is_done = false;
    return put_before(stmt, loop, first, is_done);
  }

  static Stmt put_before(const Stmt& stmt, const std::string& loop, const Stmt& first, bool& is_done) {
    if (is_done) return stmt;
    if (stmt->kind == StmtKind::For && stmt->name == loop) {
      is_done = true;
      return make_block({first, stmt});
    }
    return map_children(stmt, nullptr,
                        [&](const Stmt& child) { return put_before(child, loop, first, is_done); });
  }

  static Stmt allocated(const Producer& p, Memory memory, const std::vector<Expr>& extents, Stmt body) {
    for (const int component : p.function->components()) {
      body = make_allocate(buffer_name(p.function->name, component), p.function->type(component), extents,
                           memory, body);
    }
    return body;
  }

  /// Of a consumer that has loops in this pipeline, if the one that is named is not among them.
  std::vector<std::string> loops_of(const ComputeLevel& level) const {
    std::vector<std::string> names;
    for (const Producer& p : producers_) {
      if (p.function->name != level.consumer ||
          level.consumer_stage >= static_cast<int>(p.function->stages.size()))
        continue;
      for (const schedule::Axis& axis :
           p.function->stages[static_cast<std::size_t>(level.consumer_stage)].axes)
        names.push_back(axis.name);
    }
    if (std::find(names.begin(), names.end(), level.axis) != names.end()) names.clear();
    return names;
  }

  bool is_inline(const std::string& function) const {
    for (const Producer& p : producers_) {
      if (p.function->name == function) return false;
    }
    return true;
  }

  void check_no_use_outside(const Producer& p, const std::vector<RootNest*>& homes, const std::string& loop,
                            const std::string& call) const {
    if (homes.empty()) return;
    const std::string& name = p.function->name;
    const auto fail = [&](const std::string& user) {
      throw ScheduleError(
          fmt::format("{}: {} is also read outside that loop, by {}; place it further out or use "
                      "compute_root",
                      call, name, user));
    };
    for (const RootNest& nest : placed_.nests) {
      if (std::find(homes.begin(), homes.end(), &nest) != homes.end() || !reads(nest.body, name)) continue;
      const bool is_other_variant =
          nest.function == homes[0]->function && nest.stage.definition == homes[0]->stage.definition;
      if (!is_other_variant) fail(nest.function);
      throw ScheduleError(fmt::format("{}: {} has no such loop; its specializations need it too", call,
                                      schedule::stage_name(nest.function, nest.stage)));
    }
    for (const RootNest* home : homes) {
      LoopBodyEditor without(loop, [](const Stmt&) { return make_barrier(Memory::Local); });
      const Stmt rest = without.run(home->body);
      if (reads(rest, name)) fail(reader_of(rest, name).value_or(home->function));
    }
  }

  /// The Func that is stored where `tensor` is read, if it is read for a value.
  static std::optional<std::string> reader_of(const Stmt& stmt, const std::string& tensor) {
    std::optional<std::string> reader;
    ir::visit(stmt, [&](const Stmt& s) {
      if (!reader && s->kind == StmtKind::Store && reads(s, tensor)) reader = s->name;
      return !reader;
    });
    return reader;
  }

  void note_run_over(const std::string& function, const Box& box, const Box& rounded) {
    for (std::size_t d = 0; d < box.size(); ++d) {
      if (!can_prove(rounded[d].extent == box[d].extent)) placed_.run_over.insert(function);
    }
  }

  Stmt place_in_body(const Producer& p, const Stmt& body, const std::vector<Stmt>& path,
                     const std::string& call) {
    const Memory memory = memory_of(p.function->schedule.scope);
    const Sharing sharing = memory == Memory::Local      ? Sharing::Group
                            : memory == Memory::SubGroup ? Sharing::SubGroup
                                                         : Sharing::None;
    const auto needed = required_box(over_those_who_share(body, path, sharing), p.function->name);
    if (!needed) return without_reads(body, p.function->name);
    Box exact = with_own_reads(p, *needed);
    if (sharing == Sharing::None && !p.function->schedule.double_buffer) exact = without_gaps(p, body, exact);
    const Box box = round_up(p, exact);
    note_run_over(p.function->name, exact, box);
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

  /// Where a vectorized loop reads what nothing places, each of its lanes one element: the same Func,
  /// computed by vectors as well.
  static std::optional<schedule::ScheduledFunction> computed_in_lanes(const Producer& p, const Stmt& reader,
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

  /// An update that nothing places is computed where it is read, in the innermost loop around that is no
  /// vector.
  void place_innermost(const Producer& p) {
    check_not_specialized(*p.function, "what reads it");
    if (p.function->schedule.scope) {
      throw ScheduleError(fmt::format(
          "{}.store_in({}): it is computed where it is read, in registers; place it with compute_at",
          p.function->name, to_string(*p.function->schedule.scope)));
    }
    for (RootNest& nest : placed_.nests) {
      std::vector<Stmt> path;
      nest.body = place_innermost(p, nest.body, path);
    }
  }

  Stmt place_innermost(const Producer& p, const Stmt& stmt, std::vector<Stmt>& path) {
    const std::string& name = p.function->name;
    if (!reads(stmt, name)) return stmt;
    const bool is_vector = stmt->kind == StmtKind::For && stmt->loop == LoopKind::Vectorized;
    const auto reads_it = [&](const Expr& e) { return reads(e, name); };
    const auto is_store = [](const Stmt& s) { return s->kind == StmtKind::Store; };
    // The values and stores of a tuple belong together.
    const bool is_tuple = stmt->kind == StmtKind::Block
                              ? std::ranges::all_of(stmt->body, is_store)
                              : stmt->kind == StmtKind::Let && reads_memory(stmt->value());
    if (is_vector || is_tuple || std::ranges::any_of(stmt->exprs, reads_it))
      return place_in_body(p, stmt, path, fmt::format("{}.compute_inline()", name));
    path.push_back(stmt);
    const Stmt result =
        map_children(stmt, nullptr, [&](const Stmt& child) { return place_innermost(p, child, path); });
    path.pop_back();
    return result;
  }

  static Memory memory_of(std::optional<MemoryScope> scope) {
    if (!scope) return Memory::Auto;
    return *scope == Local ? Memory::Local : *scope == SubGroup ? Memory::SubGroup : Memory::Private;
  }

  /// Two tiles, one behind the other in the outermost dimension; the loop's iterations take them in turn.
  static void double_up(const Producer& p, const std::vector<Stmt>& path, Box& stored,
                        std::vector<Expr>& extents, const std::string& call) {
    const StmtNode* loop = repeating_loop(path);
    if (!loop) {
      throw ScheduleError(fmt::format(
          "{}.double_buffer(): {} is no serial loop, so there is nothing to overlap; compute it at the "
          "loop of the reduction, say",
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

  const std::vector<Producer>& producers_;
  PlacedFunctions placed_;
  std::set<std::pair<std::string, int>> fused_;  // stages that run in the loops of others
};

}  // namespace

PlacedFunctions place_functions(const std::vector<Producer>& producers) { return Placer(producers).run(); }

}  // namespace tensordsl::lower
