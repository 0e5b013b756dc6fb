#include "lower/place/place_functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/analyze/tensor_reads.h"
#include "lower/place/build_loop_nest.h"
#include "lower/place/fuse_companions.h"
#include "lower/place/infer_bounds.h"
#include "lower/place/loop_body_editor.h"
#include "lower/place/loop_names.h"
#include "lower/place/place_in_body.h"
#include "lower/place/placement.h"
#include "lower/place/root_box.h"
#include "lower/place/slide_in_body.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::ComputeLevel;

namespace {

bool is_zero_based(const Box& box) {
  for (const Range& r : box) {
    if (!is_const(r.min, 0)) return false;
  }
  return true;
}

class Placer {
 public:
  explicit Placer(const std::vector<Producer>& producers)
      : producers_(producers), companions_(producers, placed_) {}

  PlacedFunctions run() {
    for (std::size_t i = producers_.size(); i-- > 0;) {
      const Producer& p = producers_[i];
      const ComputeLevel level = p.function->level();
      if (p.is_output) {
        if (level.kind == ComputeLevel::Kind::At) {
          throw ScheduleError(
              fmt::format("{}.compute_at({}, {}): an output of the pipeline must be computed at the root",
                          p.function->name, level.consumer, level.axis));
        }
        check_extent_names(*p.function);
        check_output_reads(*p.function, placed_.nests);
        place_at_root(p, output_box(*p.function));
      } else if (!is_read(p.function->name)) {
        continue;  // its readers are never used
      } else if (level.kind == ComputeLevel::Kind::At) {
        place_inside(p, level);
      } else if (level.kind == ComputeLevel::Kind::Inline) {
        place_innermost(p);
      } else if (const auto box = root_box(*p.function, placed_.nests)) {
        place_at_root(p, *box);
      } else {
        for (RootNest& nest : placed_.nests) nest.body = without_reads(nest.body, p.function->name);
      }
    }
    companions_.check();
    return std::move(placed_);
  }

 private:
  bool is_read(const std::string& function) const {
    return std::any_of(placed_.nests.begin(), placed_.nests.end(),
                       [&](const RootNest& nest) { return reads(nest.body, function); });
  }

  /// Checks that no Param has the name of an extent: extents of an output without bound() are arguments, too.
  /// Throws ScheduleError otherwise.
  void check_extent_names(const schedule::ScheduledFunction& output) const {
    if (!output.schedule.bounds.empty()) return;
    for (std::size_t d = 0; d < output.dims.size(); ++d) {
      const std::string extent = fmt::format("{}_extent_{}", output.name, d);
      for (const Producer& p : producers_) {
        for (const Definition& definition : p.definitions) {
          const std::vector<Expr> expressions = definition.expressions();
          if (std::ranges::none_of(expressions, [&](const Expr& e) { return uses_var(e, extent); })) continue;
          throw DefinitionError(
              fmt::format("\"{0}\" names both a Param that {1} uses and an extent of {2}, which has no "
                          "bound(); rename the Param",
                          extent, p.function->name, output.name));
        }
      }
    }
  }

  static void check_own_reads(const schedule::ScheduledFunction& function, std::size_t d, const Range& bound,
                              const Range& needed) {
    const Expr end = simplify(needed.min + needed.extent);
    if (!can_prove(needed.min < bound.min) && !can_prove(bound.min + bound.extent < end)) return;
    throw ScheduleError(
        fmt::format("{0}: its updates read [{1}, {2}) of dimension {3} of {0} itself, but its extent is {4}; "
                    "enlarge the bound, or select the needed part in another Func",
                    function.name, tensordsl::to_string(needed.min), tensordsl::to_string(end), d,
                    tensordsl::to_string(bound.extent)));
  }

  void place_at_root(const Producer& p, const Box& wanted) {
    const bool fixed = p.is_output || !p.function->schedule.bounds.empty();
    const Box needed = with_own_reads(p, wanted);
    for (std::size_t d = 0; fixed && d < needed.size(); ++d)
      check_own_reads(*p.function, d, wanted[d], needed[d]);
    const Box box = fixed ? wanted : needed;
    const Box rounded = round_up(p, box);
    note_run_over(p.function->name, box, rounded, placed_);
    placed_.boxes[p.function->name] = box;
    for (std::size_t d = 0; fixed && d < box.size(); ++d) {
      // Elements that the layout adds as padding may be written.
      const int padding = p.function->layout_or_default().padding(static_cast<int>(d));
      if (!can_prove(rounded[d].extent <= (box[d].extent + (padding - 1)) / padding * padding)) {
        throw ScheduleError(
            fmt::format("{}: Tail::RoundUp needs {} elements in dimension {}, but its extent is fixed at {}; "
                        "use Tail::Guard, an extent that the factor divides, or a layout that pads it",
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
    companions_.fuse();
  }

  static void check_not_specialized(const schedule::ScheduledFunction& function, std::string_view consumer) {
    for (const schedule::StageSchedule& stage : function.stages) {
      if (stage.specializations.empty()) continue;
      throw ScheduleError(fmt::format(
          "{}.specialize({}): the Func is computed inside the loops of {}, but only whole "
          "kernels can be specialized; specialize the Func of that kernel that is computed at the root",
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
          fmt::format("{}: {} no longer has a loop \"{}\"; its loops are {}; call compute_at after the "
                      "directives that make them",
                      call, schedule::stage_name(level.consumer, {level.consumer_stage, -1}), level.axis,
                      fmt::join(loops, ", ")));
    }
    throw ScheduleError(fmt::format(
        "{}: the loops of {} are not part of this pipeline{}", call, level.consumer,
        is_inline(level.consumer) ? ", because the Func is inlined; give it compute_root or compute_at"
                                  : "; name a consumer of the Func and one of its loops"));
  }

  /// Places `p` in the loops of that name; undefined if there is none. A sliding loop occurs twice: its
  /// warm-up comes first.
  Stmt place_in_loop(const Producer& p, const Stmt& nest, const std::string& loop, const std::string& call) {
    const LoopBodyEditor* position = nullptr;
    bool is_needed = false;
    LoopBodyEditor editor(loop, [&](const Stmt& body) {
      const Stmt placed = place_in_body(p, body, position->path(), call, placed_);
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

  /// Like place_in_loop(), for a Func that is stored further out.
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
      throw ScheduleError(
          fmt::format("{}.store_at({}, {}): this loop does not enclose the loop of compute_at, \"{}\" of {}; "
                      "name a loop further out",
                      p.function->name, store.consumer, store.axis, p.function->level().axis,
                      p.function->level().consumer));
    }
    if (!is_needed) fail_unneeded(p, call);
    return body;
  }

  /// Returns the loops of a consumer in this pipeline if the named one is not among them; else nothing.
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
      throw ScheduleError(fmt::format(
          "{}: {} is also read outside that loop, by {}; name a loop further out, or use compute_root", call,
          name, user));
    };
    for (const RootNest& nest : placed_.nests) {
      if (std::find(homes.begin(), homes.end(), &nest) != homes.end() || !reads(nest.body, name)) continue;
      const bool is_other_variant =
          nest.function == homes[0]->function && nest.stage.definition == homes[0]->stage.definition;
      if (!is_other_variant) fail(nest.function);
      throw ScheduleError(fmt::format("{}: {} has no such loop, but all its specializations need it", call,
                                      schedule::stage_name(nest.function, nest.stage)));
    }
    for (const RootNest* home : homes) {
      LoopBodyEditor without(loop, [](const Stmt&) { return make_barrier(Memory::Local); });
      const Stmt rest = without.run(home->body);
      if (reads(rest, name)) fail(reader_of(rest, name).value_or(home->function));
    }
  }

  /// Returns the Func whose value reads `tensor`; nothing if only conditions and loop ends do.
  static std::optional<std::string> reader_of(const Stmt& stmt, const std::string& tensor) {
    std::optional<std::string> reader;
    ir::visit(stmt, [&](const Stmt& s) {
      if (!reader && s->kind == StmtKind::Store && reads(s, tensor)) reader = s->name;
      return !reader;
    });
    return reader;
  }

  /// Computes a Func with updates but without a compute level where it is read, in the innermost loop that is
  /// not vectorized.
  void place_innermost(const Producer& p) {
    check_not_specialized(*p.function, "its reader");
    if (p.function->schedule.scope) {
      throw ScheduleError(fmt::format(
          "{}.store_in({}): the Func is computed in registers where it is read; use compute_at to place it",
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
      return place_in_body(p, stmt, path, fmt::format("{}.compute_inline()", name), placed_);
    path.push_back(stmt);
    const Stmt result =
        map_children(stmt, nullptr, [&](const Stmt& child) { return place_innermost(p, child, path); });
    path.pop_back();
    return result;
  }

  const std::vector<Producer>& producers_;
  PlacedFunctions placed_;
  CompanionFuser companions_;
};

}  // namespace

PlacedFunctions place_functions(const std::vector<Producer>& producers) { return Placer(producers).run(); }

}  // namespace tensordsl::lower
