#include "schedule/directive_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::schedule {

using ir::LoopKind;

std::vector<std::string> names_of(const StageSchedule& stage) {
  std::vector<std::string> names;
  for (const Axis& axis : stage.axes) names.push_back(axis.name);
  return names;
}

namespace {

/// Far over any useful block, and small enough that extent + factor stays an i32.
constexpr int kLargestFactor = 1 << 20;

const Transform* split_of(const StageSchedule& stage, const std::string& name) {
  for (const Transform& t : stage.transforms) {
    if (t.split && t.split->axis == name) return &t;
  }
  return nullptr;
}

std::string kind_name(LoopKind kind) {
  if (ir::is_block_loop(kind)) return "a block loop";
  if (ir::is_thread_loop(kind)) return "a thread loop";
  if (kind == LoopKind::Matrix) return "one of a product of matrices";
  return kind == LoopKind::Unrolled ? "unrolled" : kind == LoopKind::Vectorized ? "vectorized" : "serial";
}

}  // namespace

void DirectiveCall::fail(const std::string& finding) const {
  throw ScheduleError(
      fmt::format("{}.{}: {}", stage_name(function_.name, place_), to_string(directive_), finding));
}

std::size_t DirectiveCall::find(const std::string& name) const {
  for (std::string candidate = name;;) {
    for (std::size_t i = 0; i < stage_.axes.size(); ++i) {
      if (stage_.axes[i].name == candidate) return i;
    }
    const Transform* split = split_of(stage_, candidate);
    if (!split) break;
    candidate = split->split->inner == candidate + ".t" ? candidate + ".t" : candidate + ".o";
  }
  fail(fmt::format("unknown loop \"{}\"; the loops are {}", name, fmt::join(names_of(stage_), ", ")));
}

void DirectiveCall::require_serial(const Axis& axis) const {
  if (axis.loop != LoopKind::Serial) {
    fail(fmt::format("loop \"{}\" is already {}; a loop can have only one kind", axis.name,
                     kind_name(axis.loop)));
  }
}

void DirectiveCall::require_dimension(const std::string& name) const {
  const auto& dims = function_.dims;
  if (std::find(dims.begin(), dims.end(), name) != dims.end()) return;
  fail(fmt::format("unknown dimension \"{}\"; the dimensions are {}", name, fmt::join(dims, ", ")));
}

void DirectiveCall::require_new(const std::string& name) const {
  bool taken =
      std::any_of(stage_.axes.begin(), stage_.axes.end(), [&](const Axis& a) { return a.name == name; });
  for (const Transform& t : stage_.transforms) {
    taken |= t.split ? t.split->axis == name || t.split->outer == name || t.split->inner == name
                     : t.fuse->outer == name || t.fuse->inner == name || t.fuse->fused == name;
  }
  if (taken) fail(fmt::format("the name \"{}\" is already used; use a new Var", name));
}

void DirectiveCall::require_parallel(const Axis& axis, std::string_view what) const {
  const auto& definition = function_.definitions[static_cast<std::size_t>(place_.definition)];
  const UpdateTraits traits = traits_of(function_, definition);
  const auto& parallel = traits.parallel_axes;
  const auto& ordered = traits.ordered_dims;
  for (const std::string& root : roots_of(stage_, axis.name)) {
    if (std::find(ordered.begin(), ordered.end(), root) != ordered.end()) {
      fail(
          fmt::format("the update reads elements of {} that other iterations of loop \"{}\" write, so the "
                      "loop cannot be {}; read {} only at \"{}\", or compute the value read in another Func",
                      function_.name, axis.name, what, function_.name, root));
    }
    if (axis.is_reduction && std::find(parallel.begin(), parallel.end(), root) == parallel.end()) {
      fail(
          fmt::format("loop \"{}\" is a reduction whose iterations write the same element, so it cannot be "
                      "{}; use a pure variable",
                      axis.name, what));
    }
  }
}

void DirectiveCall::require_apart(const Axis& axis) const {
  const auto& definition = function_.definitions[static_cast<std::size_t>(place_.definition)];
  const std::string step = traits_of(function_, definition).step_axis;
  if (step.empty() || !axis.is_reduction) return;
  fail(fmt::format(
      "each iteration of \"{}\" reads elements that other iterations wrote, and work-groups cannot wait for "
      "each other; spread loop \"{}\" over the work-items of a group with gpu_threads",
      step, axis.name));
}

void DirectiveCall::split_axis(const std::string& name, const std::string& outer, const std::string& inner,
                               int factor, Tail tail) {
  const std::size_t at = find(name);
  const Axis axis = stage_.axes[at];
  require_serial(axis);
  if (factor < 1) fail(fmt::format("the factor must be at least 1, found {}", factor));
  if (factor > kLargestFactor) {
    fail(fmt::format("the factor must be at most {}, found {}", kLargestFactor, factor));
  }
  if (outer == inner) fail("the outer and the inner loop need different names");
  require_new(outer);
  require_new(inner);
  if (tail == Tail::ShiftInwards && (place_.definition > 0 || function_.definitions.size() > 1)) {
    fail(
        "Tail::ShiftInwards computes some points twice, which is not allowed for a Func with updates; use "
        "Tail::Guard");
  }
  if (tail == Tail::RoundUp && axis.is_reduction) {
    fail("Tail::RoundUp would run the reduction past its domain; use Tail::Guard or Tail::Exact");
  }
  stage_.transforms.push_back({Split{axis.name, outer, inner, factor, tail}, std::nullopt});
  stage_.axes[at].name = outer;
  stage_.axes.insert(stage_.axes.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                     Axis{inner, LoopKind::Serial, axis.is_reduction});
}

}  // namespace tensordsl::schedule
