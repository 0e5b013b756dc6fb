#include "lower/place/fuse_companions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lower/analyze/tensor_reads.h"
#include "lower/place/fuse_nests.h"
#include "lower/place/loop_names.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

std::string companion_call(const schedule::ScheduledFunction& function, int stage) {
  const auto& companion = *function.stages[static_cast<std::size_t>(stage)].companion;
  return fmt::format("{}.compute_with({}, {})", schedule::stage_name(function.name, {stage, -1}),
                     schedule::stage_name(companion.function, {companion.stage, -1}), companion.axis);
}

/// The Funcs that a nest computes.
std::set<std::string> computed_by(const RootNest& nest) {
  std::set<std::string> functions = nest.companions;
  functions.insert(nest.function);
  return functions;
}

/// Whether `later` has to stay behind `earlier`: it reads what that computes, or goes on with it.
bool depends(const RootNest& later, const RootNest& earlier) {
  const auto here = computed_by(later);
  return std::ranges::any_of(computed_by(earlier), [&](const std::string& function) {
    return here.contains(function) || reads(later.body, function);
  });
}

void check_independent(const RootNest& own, const RootNest& other, const std::string& call) {
  if (!depends(own, other) && !depends(other, own)) return;
  throw ScheduleError(
      fmt::format("{}: one of the two reads what the other computes; place it with compute_at", call));
}

}  // namespace

/// The nest of a stage, behind its companions if it has some; the end if there is none.
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
        throw ScheduleError(fmt::format(
            "{}: one of the two runs in the loops of another stage already; let all of them name the "
            "stage that has the loops",
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
  check_independent(*own, *other, call);
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
    throw ScheduleError(
        fmt::format("{}: what is computed between the two reads one of them and is read by the other", call));
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
          fmt::format("{}: both have to be computed at the root", companion_call(*p.function, stage)));
    }
  }
}

}  // namespace tensordsl::lower
