#include "outline/scheduled_loops.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace tensordsl::outline {
namespace {

using predict::NestLoop;
using predict::Runs;
using Parts = RootAxis;  // of any axis

/// A variable that moves nothing: iterations that a split adds beyond the extent.
constexpr int kIdle = -1;

/// Fractions of iterations make whole ones.
double iterations_of(const Parts& parts) {
  double iterations = 1;
  for (const NestLoop& part : parts) iterations *= part.extent;
  constexpr double kRounding = 1e-9;
  const double whole = std::round(iterations);
  return std::abs(iterations - whole) <= kRounding * whole ? whole : iterations;
}

/// True if a split by that factor may have iterations past the end.
bool reaches_past(const Parts& axis, double factor) {
  return std::ranges::any_of(axis, &NestLoop::is_open) || std::fmod(iterations_of(axis), factor) != 0;
}

/// Cuts the innermost `factor` iterations off an axis. Where parts do not divide, a part has a fraction of an
/// iteration, so that the numbers of iterations stay right.
std::pair<Parts, Parts> split(const Parts& axis, double factor, Tail tail) {
  Parts outer = axis, inner;
  const double rounds = std::ceil(iterations_of(axis) / factor);
  double left = factor;
  while (!outer.empty() && left > 1) {
    NestLoop part = outer.back();
    outer.pop_back();
    if (part.covered == 0) part.covered = part.extent;
    const bool is_last = outer.empty() && part.active == 0;
    if (part.extent < left && is_last) {
      // There are fewer iterations than the factor: a test skips the others.
      part.active = tail == Tail::Guard ? part.extent : 0;
      part.extent = left;
    }
    if (part.extent <= left) {
      left /= part.extent;
      inner.insert(inner.begin(), part);
      continue;
    }
    NestLoop rest = part;
    rest.step = part.step * left;
    rest.covered = std::max(1.0, part.covered / left);
    rest.extent = rounds / iterations_of(outer);
    part.covered = std::min(part.covered, left);
    part.extent = left;
    part.is_open = false;
    outer.push_back(rest);
    inner.insert(inner.begin(), part);
    return {outer, inner};
  }
  if (left > 1)
    inner.insert(inner.begin(), {kIdle, Runs::Serial, left, 0, 0, tail == Tail::Guard ? 1.0 : 0.0});
  return {outer, inner};
}

std::pair<Runs, int> runs_of(const schedule::Axis& axis) {
  if (axis.is_lanes) return {Runs::Items, 0};
  switch (axis.loop) {
    case ir::LoopKind::Serial:
    case ir::LoopKind::Kept:
      return {Runs::Serial, 0};
    case ir::LoopKind::Unrolled:
    case ir::LoopKind::Matrix:
      return {Runs::Unrolled, 0};
    case ir::LoopKind::Vectorized:
      return {Runs::Vector, 0};
    case ir::LoopKind::Block0:
    case ir::LoopKind::Block1:
    case ir::LoopKind::Block2:
      return {Runs::Groups, static_cast<int>(axis.loop) - static_cast<int>(ir::LoopKind::Block0)};
    case ir::LoopKind::Thread0:
    case ir::LoopKind::Thread1:
    case ir::LoopKind::Thread2:
      return {Runs::Items, static_cast<int>(axis.loop) - static_cast<int>(ir::LoopKind::Thread0)};
  }
  return {Runs::Serial, 0};
}

/// The axes of a stage, by names that live elsewhere. They are few.
class AxisParts {
 public:
  /// The reference is good until the next call.
  Parts& operator[](std::string_view name) {
    const auto found = std::ranges::find(axes_, name, &std::pair<std::string_view, Parts>::first);
    return found != axes_.end() ? found->second : axes_.emplace_back(name, Parts{}).second;
  }

 private:
  std::vector<std::pair<std::string_view, Parts>> axes_;
};

}  // namespace

std::vector<NamedLoop> scheduled_loops(const schedule::StageSchedule& stage,
                                       const std::map<std::string, RootAxis>& roots) {
  AxisParts axes;
  for (const auto& [name, root] : roots) axes[name] = root;
  for (const schedule::Transform& transform : stage.transforms) {
    if (transform.split) {
      const Parts& axis = axes[transform.split->axis];
      const bool is_tested =
          transform.split->tail == Tail::Guard && reaches_past(axis, transform.split->factor);
      auto [outer, inner] = split(axis, transform.split->factor, transform.split->tail);
      for (NestLoop& part : inner) part.is_tested = part.is_tested || is_tested;
      axes[transform.split->outer] = std::move(outer);
      axes[transform.split->inner] = std::move(inner);
    } else if (transform.fuse) {
      Parts fused = axes[transform.fuse->outer];
      const Parts& inner = axes[transform.fuse->inner];
      fused.insert(fused.end(), inner.begin(), inner.end());
      axes[transform.fuse->fused] = std::move(fused);
    }
  }
  std::vector<NamedLoop> loops;
  loops.reserve(stage.axes.size());
  for (const schedule::Axis& axis : stage.axes) {
    const auto [runs, dimension] = runs_of(axis);
    const Parts& parts = axes[axis.name];
    // An axis of one iteration still names a level.
    if (parts.empty()) loops.push_back({axis.name, {kIdle, runs, 1, 0, dimension}});
    for (NestLoop part : parts) {
      part.runs = runs;
      if (runs != Runs::Items && part.active > 0) part.extent = part.active;
      part.dimension = dimension;
      loops.push_back({axis.name, part});
    }
  }
  return loops;
}

double lanes_of(const std::vector<NamedLoop>& loops) {
  double lanes = 1;
  for (const NamedLoop& named : loops) {
    if (named.loop.runs == Runs::Vector) lanes *= named.loop.extent;
  }
  return lanes;
}

double tested_copies(const std::vector<NamedLoop>& loops) {
  double copies = 1;
  for (const NamedLoop& named : loops) {
    if (named.loop.runs == Runs::Unrolled && named.loop.is_tested) copies *= named.loop.extent;
  }
  return copies;
}

}  // namespace tensordsl::outline
