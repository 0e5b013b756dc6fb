#include "lower/place/fuse_companions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "lower/analyze/tensor_reads.h"
#include "lower/place/loop_names.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// The outer loops of a nest and their body, with the names and tests between them.
struct Loops {
  std::vector<const StmtNode*> loops;
  std::vector<const StmtNode*> between;  // Lets and Ifs, outermost first
  Stmt body;

  bool takes(const Stmt& s) {
    const bool is_one_of_them = s->kind == StmtKind::Let || (s->kind == StmtKind::If && s->body.size() == 1);
    if (!is_one_of_them) return false;
    between.push_back(s.get());
    return true;
  }

  Stmt inside() const {
    Stmt result = body;
    for (std::size_t i = between.size(); i-- > 0;) {
      const StmtNode& s = *between[i];
      result = s.kind == StmtKind::Let ? make_let(s.name, s.value(), result) : make_if(s.condition(), result);
    }
    return result;
  }
};

class Fusion {
 public:
  explicit Fusion(const std::string& call) : call_(call) {}

  Stmt run(const Stmt& other, const Stmt& nest, const std::string& axis) const {
    const Loops first = loops_of(other, [&](const Loops& l) { return l.loops.back()->name == axis; });
    const Loops second = loops_of(nest, [&](const Loops& l) { return l.loops.size() == first.loops.size(); });
    check_has_all_blocks(first.body);
    check_has_all_blocks(second.body);
    Stmt own = first.inside(), added = second.inside();
    Substitution places;
    std::vector<Expr> extents;
    for (std::size_t i = 0; i < first.loops.size(); ++i) {
      const StmtNode &a = *first.loops[i], &b = *second.loops[i];
      if (a.loop != b.loop) {
        fail(fmt::format("loop \"{}\" is {}, but \"{}\" is {}; give both the same kind", b.name,
                         name_of(b.loop), a.name, name_of(a.loop)));
      }
      const Expr step = simplify(make_var(a.name) - a.min());
      places[b.name] = simplify(b.min() + step);
      extents.push_back(a.extent());
      if (can_prove(a.extent() == b.extent())) continue;
      extents.back() = simplify(max(a.extent(), b.extent()));
      if (!can_prove(b.extent() <= a.extent())) own = make_if(simplify(step < a.extent()), own);
      if (!can_prove(a.extent() <= b.extent())) added = make_if(simplify(step < b.extent()), added);
    }
    Stmt body = make_block({own, substitute(added, places)});
    for (std::size_t i = first.loops.size(); i-- > 0;) {
      const StmtNode& loop = *first.loops[i];
      body = make_for(loop.name, loop.min(), extents[i], loop.loop, body);
    }
    return body;
  }

 private:
  [[noreturn]] void fail(const std::string& finding) const {
    throw ScheduleError(fmt::format("{}: {}", call_, finding));
  }

  /// Checks that no loop over work-groups is inside, because a kernel has one set of work-groups. Throws
  /// ScheduleError otherwise.
  void check_has_all_blocks(const Stmt& body) const {
    visit(body, [&](const Stmt& s) {
      if (s->kind != StmtKind::For || !is_block_loop(s->loop)) return true;
      fail(
          fmt::format("the gpu_blocks loop \"{}\" is further in; the stages must share all loops over "
                      "work-groups, so name the innermost of them, or a loop further in",
                      s->name));
    });
  }

  template <typename IsComplete>
  Loops loops_of(const Stmt& nest, IsComplete is_complete) const {
    Loops result;
    for (Stmt at = nest;; at = at->body[0]) {
      if (!result.loops.empty() && is_complete(result)) {
        result.body = at;
        return result;
      }
      if (at->kind == StmtKind::For) {
        for (const StmtNode* s : result.between) {
          const bool is_used =
              s->kind == StmtKind::Let && (uses_var(at->min(), s->name) || uses_var(at->extent(), s->name));
          if (is_used) fail(fmt::format("the bounds of loop \"{}\" depend on \"{}\"", at->name, s->name));
        }
        result.loops.push_back(at.get());
      } else if (!result.takes(at)) {
        fail(at->kind == StmtKind::Allocate
                 ? fmt::format("{} is computed between the loops; compute it in a loop further in or out",
                               at->name)
                 : "there are fewer perfectly nested loops");
      }
    }
  }

  const std::string& call_;
};

/// for g.y in [0, 8) { g }   for f.y in [0, 6) { f }   ->   for g.y in [0, 8) { g  if (g.y < 6) { f } }
/// Returns the nest `other` with the body of `nest` after its own, inside the loops of `other` down to
/// `axis`. Neither reads memory that the other writes. Throws ScheduleError, which starts with `call`, if
/// their loops do not fit.
Stmt fused_nests(const Stmt& other, const Stmt& nest, const std::string& axis, const std::string& call) {
  return Fusion(call).run(other, nest, axis);
}

std::string companion_call(const schedule::ScheduledFunction& function, int stage) {
  const auto& companion = *function.stages[static_cast<std::size_t>(stage)].companion;
  return fmt::format("{}.compute_with({}, {})", schedule::stage_name(function.name, {stage, -1}),
                     schedule::stage_name(companion.function, {companion.stage, -1}), companion.axis);
}

/// Returns the Funcs that a nest computes.
std::set<std::string> computed_by(const RootNest& nest) {
  std::set<std::string> functions = nest.companions;
  functions.insert(nest.function);
  return functions;
}

/// True if `later` must run after `earlier`: it reads or updates the Func that `earlier` computes.
bool depends(const RootNest& later, const RootNest& earlier) {
  const auto here = computed_by(later);
  return std::ranges::any_of(computed_by(earlier), [&](const std::string& function) {
    return here.contains(function) || reads(later.body, function);
  });
}

void check_independent(const RootNest& own, const RootNest& other, const std::string& call) {
  if (!depends(own, other) && !depends(other, own)) return;
  throw ScheduleError(fmt::format("{}: one of the two stages reads the other; use compute_at instead", call));
}

}  // namespace

/// Returns the nest of a stage, or the end if there is none.
CompanionFuser::NestPlace CompanionFuser::nest_of(const std::string& function, int stage) {
  return std::ranges::find_if(placed_.nests, [&](const RootNest& nest) {
    return nest.function == function && nest.stage == schedule::StageId{stage, -1};
  });
}

void CompanionFuser::fuse() {
  for (const Producer& p : producers_) {
    for (int stage = 0; stage < static_cast<int>(p.function->stages.size()); ++stage) {
      const auto& companion = p.function->stages[static_cast<std::size_t>(stage)].companion;
      if (!companion || !placed_.extents.contains(p.function->name) ||
          !placed_.extents.contains(companion->function) || !fused_.emplace(p.function->name, stage).second)
        continue;
      const auto own = nest_of(p.function->name, stage);
      const auto other = nest_of(companion->function, companion->stage);
      if (own == placed_.nests.end() || other == placed_.nests.end()) {
        throw ScheduleError(
            fmt::format("{}: one of the two stages already runs in the loops of another stage; call "
                        "compute_with on the stage that has the loops",
                        companion_call(*p.function, stage)));
      }
      fuse(*p.function, stage, own, other);
    }
  }
}

void CompanionFuser::fuse(const schedule::ScheduledFunction& function, int stage, NestPlace own,
                          NestPlace other) {
  const std::string call = companion_call(function, stage);
  const auto& companion = *function.stages[static_cast<std::size_t>(stage)].companion;
  const schedule::ScheduledFunction& target = function_named(companion.function);
  for (const auto* s : {&function.stages[static_cast<std::size_t>(stage)],
                        &target.stages[static_cast<std::size_t>(companion.stage)]}) {
    if (!s->specializations.empty())
      throw ScheduleError(
          call + ": a stage with specializations cannot share a kernel; drop specialize() or compute_with()");
  }
  const auto &a = function.schedule, &b = target.schedule;
  if (a.autobroadcast != b.autobroadcast || a.half_arithmetic != b.half_arithmetic) {
    throw ScheduleError(
        fmt::format("{}: autobroadcast() and half_arithmetic() apply to a whole kernel; call them on both "
                    "Funcs or on neither",
                    call));
  }
  check_independent(*own, *other, call);
  RootNest joined = *other;
  joined.body = fused_nests(other->body, own->body,
                            loop_name(companion.function, companion.stage, companion.axis), call);
  joined.companions.insert(own->companions.begin(), own->companions.end());
  joined.companions.insert(own->function);
  // The joined nest runs at the later position if no nest between them needs the earlier one; else at the
  // earlier.
  const auto [first, last] = std::minmax(own, other);
  const bool is_late = std::none_of(first + 1, last, [&](const RootNest& n) { return depends(n, *first); });
  const bool is_early = std::none_of(first + 1, last, [&](const RootNest& n) { return depends(*last, n); });
  if (!is_late && !is_early) {
    throw ScheduleError(
        fmt::format("{}: a Func that is computed between the two stages depends on one and feeds the other; "
                    "drop compute_with(), or use compute_at",
                    call));
  }
  *(is_late ? last : first) = std::move(joined);
  placed_.nests.erase(is_late ? first : last);
}

const schedule::ScheduledFunction& CompanionFuser::function_named(const std::string& name) const {
  return *std::ranges::find_if(producers_, [&](const Producer& p) {
            return p.function->name == name;
          })->function;
}

bool CompanionFuser::is_computed(const std::string& function) const {
  return placed_.extents.contains(function) ||
         std::ranges::any_of(placed_.nests, [&](const RootNest& nest) { return reads(nest.body, function); });
}

void CompanionFuser::check() const {
  for (const Producer& p : producers_) {
    for (int stage = 0; stage < static_cast<int>(p.function->stages.size()); ++stage) {
      const auto& companion = p.function->stages[static_cast<std::size_t>(stage)].companion;
      if (!companion || !(p.is_output || is_computed(p.function->name))) continue;
      const bool is_there =
          placed_.extents.contains(p.function->name) && placed_.extents.contains(companion->function);
      if (is_there) continue;
      throw ScheduleError(
          fmt::format("{}: both Funcs must be computed at the root", companion_call(*p.function, stage)));
    }
  }
}

}  // namespace tensordsl::lower
