#include "lower/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/simplify.h"
#include "ir/substitute.h"
#include "ir/verify.h"
#include "lower/convergent_operations.h"
#include "lower/image_shape.h"
#include "lower/launch_assumptions.h"
#include "lower/passes/check_barriers.h"
#include "lower/passes/check_input_reads.h"
#include "lower/passes/convert_addresses.h"
#include "lower/passes/eliminate_boundary_tests.h"
#include "lower/passes/eliminate_common_loads.h"
#include "lower/passes/eliminate_common_subexpressions.h"
#include "lower/passes/expand_broadcasts.h"
#include "lower/passes/hoist_addresses.h"
#include "lower/passes/infer_constant_inputs.h"
#include "lower/passes/inline_functions.h"
#include "lower/passes/inline_lets.h"
#include "lower/passes/legalize_image_accesses.h"
#include "lower/passes/legalize_vectors.h"
#include "lower/passes/lower_sub_group_storage.h"
#include "lower/passes/map_work_items.h"
#include "lower/passes/narrow_arithmetic.h"
#include "lower/passes/outline_kernel.h"
#include "lower/passes/partition_loops.h"
#include "lower/passes/place_functions.h"
#include "lower/passes/prefetch_tiles.h"
#include "lower/passes/promote_accumulators.h"
#include "lower/passes/scalarize_register_tiles.h"
#include "lower/passes/unroll_loops.h"
#include "lower/passes/unswitch_loops.h"
#include "lower/passes/vectorize_loops.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// What passes know of the kernel around a body.
struct Surroundings {
  bool autobroadcast;
  Bounds work_items;
  const Images& images;
};

struct Pass {
  const char* name;
  Stmt (*run)(const Stmt&, const Surroundings&);
};

Stmt run_simplify(const Stmt& s, const Surroundings& around) { return simplify(s, around.work_items); }

Stmt run_expand_broadcasts(const Stmt& s, const Surroundings& around) {
  return around.autobroadcast ? s : expand_broadcasts(s);
}

template <Stmt (*F)(const Stmt&)>
Stmt plain(const Stmt& s, const Surroundings&) {
  return F(s);
}

template <Stmt (*F)(const Stmt&, const Bounds&)>
Stmt with_bounds(const Stmt& s, const Surroundings& around) {
  return F(s, around.work_items);
}

template <Stmt (*F)(const Stmt&, const Images&)>
Stmt with_images(const Stmt& s, const Surroundings& around) {
  return F(s, around.images);
}

/// What happens to the body of one work-item, in order, once addresses are linear.
constexpr Pass kBodyPasses[] = {
    {"simplify", run_simplify},
    {"vectorize_loops", plain<vectorize_loops>},
    {"unroll_loops", plain<unroll_loops>},
    {"simplify_unrolled", run_simplify},
    {"unswitch_loops", with_bounds<unswitch_loops>},
    {"promote_accumulators", with_bounds<promote_accumulators>},
    {"partition_loops", with_bounds<partition_loops>},
    {"scalarize_register_tiles", plain<scalarize_register_tiles>},
    {"legalize_image_accesses", with_images<legalize_image_accesses>},
    {"legalize_vectors", with_images<legalize_vectors>},
    {"simplify_vectors", run_simplify},
    {"eliminate_common_loads", with_images<eliminate_common_loads>},
    {"expand_broadcasts", run_expand_broadcasts},
    {"hoist_addresses", plain<hoist_addresses>},
    {"eliminate_common_subexpressions", with_images<eliminate_common_subexpressions>},
};

/// What is known of the indices of work-groups and work-items, and of the Params.
Bounds known_bounds(const WorkItemBody& work, const LaunchAssumptions& facts) {
  Bounds bounds = facts.bounds;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t* groups = as_int(work.groups[d]);
    bounds[kBlockNames[d]] = {0, groups ? *groups - 1 : INT32_MAX};
    bounds[kThreadNames[d]] = {0, work.group_size[d] - 1};
  }
  return bounds;
}

int sub_group_size(const std::string& function, int work_items) {
  constexpr int kSmallest = 2, kLargest = 128;
  const bool is_power = (work_items & (work_items - 1)) == 0;
  if (is_power && work_items >= kSmallest && work_items <= kLargest) return work_items;
  throw ScheduleError(
      fmt::format("{}: dimension 0 of its work-groups is a sub-group and has {} work-items; sub-groups have "
                  "2, 4, 8, 16, 32, "
                  "64 or 128",
                  function, work_items));
}

/// A specialization, or what is specialized, has no work-groups where another kernel does its work.
void launch_only_if(WorkItemBody& work, const RootNest& nest) {
  Expr condition = nest.condition;
  if (nest.otherwise.defined())
    condition = condition.defined() ? condition && !nest.otherwise : !nest.otherwise;
  if (condition.defined()) work.groups[0] = simplify(select(condition, work.groups[0], 0));
}

class Lowering {
 public:
  Lowering(const FunctionPtr& output, const LowerOptions& options) : output_(output), options_(options) {}

  LoweredPipeline run() {
    functions_ = reachable(output_);
    parameters_ = parameters();
    const auto producers = inline_functions(functions_);
    const PlacedFunctions placed = place_functions(producers);
    describe_storage(producers, placed);
    LoweredPipeline result;
    result.output = output_->name;
    check_input_reads(placed, producers, functions_);
    for (const RootNest& nest : placed.nests) {
      LoweredKernel kernel = lower_nest(nest);
      // An update may write only where nobody reads; the output has a kernel even if it has no elements.
      const bool is_needed = kernel.body.defined() ||
                             (nest.function == output_->name && nest.stage == 0 && nest.specialization < 0);
      if (is_needed) result.kernels.push_back(std::move(kernel));
    }
    finish(result, placed);
    return result;
  }

 private:
  /// Where every tensor that is not substituted away lies.
  void describe_storage(const std::vector<Producer>& producers, const PlacedFunctions& placed) {
    for (const FunctionPtr& f : functions_) {
      if (!f->is_input()) continue;
      add_buffer(schedule::scheduled(*f), f->shape);
    }
    for (const FunctionPtr& f : functions_) check_is_computed(schedule::scheduled(*f), producers);
    for (const Producer& p : producers) {
      const auto extents = placed.extents.find(p.function->name);
      if (extents == placed.extents.end()) {
        if (p.function->schedule.image) {
          throw ScheduleError(fmt::format(
              "{}.set_image({}): it is computed inside the loops of its consumer, where there are no "
              "images; use compute_root",
              p.function->name, to_string(*p.function->schedule.image)));
        }
        const auto& s = p.function->schedule;
        if (s.autobroadcast || s.half_arithmetic) {
          throw ScheduleError(fmt::format(
              "{}.{}(): it is computed inside another Func's kernel; call it on the Func that is computed at "
              "the root there",
              p.function->name, s.autobroadcast ? "autobroadcast" : "half_arithmetic"));
        }
        storage_[p.function->name] = {tile_layout(*p.function), {}, {}};
      } else {
        if (p.function->schedule.scope) {
          throw ScheduleError(fmt::format(
              "{}.store_in({}): it is computed at the root, by kernels of its own, and what they store is "
              "global; use compute_at",
              p.function->name, to_string(*p.function->schedule.scope)));
        }
        add_buffer(*p.function, extents->second);
      }
    }
  }

  /// What is substituted into its consumers has no storage and no kernel to direct.
  static void check_is_computed(const schedule::ScheduledFunction& function,
                                const std::vector<Producer>& producers) {
    const bool is_computed = std::any_of(producers.begin(), producers.end(), [&](const Producer& p) {
      return p.function->name == function.name;
    });
    if (function.is_input() || is_computed) return;
    const auto& s = function.schedule;
    for (const schedule::StageSchedule& stage : function.stages) {
      if (stage.specializations.empty()) continue;
      throw ScheduleError(fmt::format(
          "{}.specialize({}): it is substituted into its consumers, and has no kernel; use compute_root",
          function.name, to_string(stage.specializations[0].condition)));
    }
    const std::string call = s.scope             ? fmt::format("store_in({})", to_string(*s.scope))
                             : s.image           ? fmt::format("set_image({})", to_string(*s.image))
                             : s.autobroadcast   ? std::string("autobroadcast()")
                             : s.half_arithmetic ? std::string("half_arithmetic()")
                                                 : std::string();
    if (call.empty()) return;
    throw ScheduleError(fmt::format(
        "{}.{}: it is substituted into its consumers; use compute_at or compute_root", function.name, call));
  }

  /// A tile inside a kernel has the dimension that is vectorized innermost, so that a vector is one variable.
  static Layout tile_layout(const schedule::ScheduledFunction& function) {
    if (function.schedule.layout) return *function.schedule.layout;
    std::string order, innermost;
    const std::string vectorized = schedule::vectorized_dim(function);
    for (const std::string& dim : function.dims) (dim == vectorized ? innermost : order) += dim + " ";
    return Layout::parse(order + innermost, function.dims);
  }

  void add_buffer(const schedule::ScheduledFunction& function, const std::vector<Expr>& extents) {
    const Storage storage{function.layout_or_default(), extents, function.schedule.image};
    Storage allocated = storage;
    for (Expr& e : allocated.extents) e = not_negative(e);
    BufferFacts facts{function.type, stored_elements(function.name, allocated)};
    if (storage.image) {
      facts.image = image_shape(function, extents, options_.image_limits);
      images_[function.name] = *facts.image;
    }
    if (function.schedule.scope == MemoryScope::Constant) {
      check_constant(function, facts);
      facts.is_constant = true;
    }
    storage_[function.name] = storage;
    buffers_[function.name] = std::move(facts);
  }

  /// What is inferred of a Func that nothing reads at some sizes may come out negative there.
  Expr not_negative(const Expr& extent) const {
    Bounds sizes;
    for (const std::string& name : parameters_) sizes[name] = {0, INT32_MAX};
    return can_prove(extent >= 0, sizes) ? extent : simplify(max(extent, 0));
  }

  void check_constant(const schedule::ScheduledFunction& input, const BufferFacts& facts) const {
    const auto fail = [&](const std::string& finding) {
      throw ScheduleError(
          fmt::format("{}.store_in(Constant): {}; leave it in global memory", input.name, finding));
    };
    if (facts.image) fail("it is an image, which has caches of its own");
    const std::int64_t* elements = as_int(facts.elements);
    if (!elements)
      fail(fmt::format("its size, {} elements, is known only at the launch",
                       tensordsl::to_string(facts.elements)));
    const std::int64_t bytes = *elements * facts.type.bytes();
    if (bytes > options_.constant_bytes) {
      fail(fmt::format("it has {} bytes, and a constant buffer holds {}", bytes, options_.constant_bytes));
    }
  }

  LoweredKernel lower_nest(const RootNest& nest) const {
    const std::string name = kernel_name(nest);
    const schedule::FuncSchedule& directed = schedule_of(nest.function);
    check_half_arithmetic(nest.function, directed.half_arithmetic);
    note("loop_nest", name, nest.body);
    RootNest simplified = nest;
    const LaunchAssumptions facts = assumptions_of(nest.condition);
    simplified.body = simplify(substitute(inline_lets(nest.body), facts.values), facts.bounds);
    WorkItemBody work{Stmt(), {Expr(0), Expr(1), Expr(1)}, {1, 1, 1}};
    if (simplified.body.defined()) {
      note("simplify_loops", name, simplified.body);
      prefetch_tiles(simplified, double_buffered());
      // Not verified: tests around its barriers that say nothing go with the work-items' bounds only.
      if (options_.observer) options_.observer("prefetch_tiles", name, simplified.body);
      work = map_work_items(simplified);
      if (options_.observer) options_.observer("map_work_items", name, work.body);
      work.body = lower_sub_group_storage(work.body, known_bounds(work, facts));
      if (has_sub_group_operation(work.body))
        work.sub_group_size = sub_group_size(nest.function, work.group_size[0]);
      if (has_convergent_operation(work.body)) {
        // Only what stays of a test after simplification keeps work-items away.
        work.body = simplify(work.body, known_bounds(work, facts));
        check_barriers(work.body, nest.function);
      }
      note("lower_sub_group_storage", name, work.body);
      check_sub_groups(nest, work);
      if (directed.half_arithmetic) {
        work.body = narrow_arithmetic(work.body);
        note("narrow_arithmetic", name, work.body);
      }
      const Surroundings around{directed.autobroadcast, known_bounds(work, facts), images_};
      if (!options_.without.contains("eliminate_boundary_tests")) {
        work.body = eliminate_boundary_tests(work.body, storage_, around.work_items);
        note("eliminate_boundary_tests", name, work.body);
      }
      work.body = convert_addresses(work.body, with_allocations(storage_, work.body), around.work_items,
                                    directed.half_arithmetic);
      note("convert_addresses", name, work.body);
      for (const Pass& pass : kBodyPasses) {
        if (!work.body.defined()) break;
        if (options_.without.contains(pass.name)) continue;
        work.body = pass.run(work.body, around);
        note(pass.name, name, work.body);
      }
    }
    launch_only_if(work, nest);
    LoweredKernel kernel = outline_kernel(name, work, buffers_);
    infer_constant_inputs(kernel, inputs(), options_.constant_bytes);
    kernel.is_specialized = nest.specialization >= 0;
    kernel.autobroadcast = directed.autobroadcast;
    kernel.half_arithmetic = directed.half_arithmetic;
    kernel.reduce_strength = !options_.without.contains("reduce_strength");
    return kernel;
  }

  void check_sub_groups(const RootNest& nest, const WorkItemBody& work) const {
    const int size = work.sub_group_size;
    if (size == 0 || !options_.sub_groups) return;
    if (!options_.sub_groups->has_any) {
      throw ScheduleError(fmt::format(
          "{}: the device has no sub-groups (cl_khr_subgroups, cl_intel_subgroups); use gpu_threads with "
          "store_in(Local)",
          nest.function));
    }
    if (has_shuffle(work.body) && !options_.sub_groups->has_shuffle) {
      throw ScheduleError(
          fmt::format("{}: the work-items of the device's sub-groups cannot read from each other "
                      "(cl_khr_subgroup_shuffle, "
                      "cl_intel_subgroups), unless all read from one; use store_in(Local)",
                      nest.function));
    }
    const auto& sizes = options_.sub_groups->sizes;
    if (sizes.empty() || std::find(sizes.begin(), sizes.end(), size) != sizes.end()) return;
    throw ScheduleError(fmt::format("{}: its sub-groups have {} work-items, and the device's have {}",
                                    nest.function, size, fmt::join(sizes, ", ")));
  }

  void check_half_arithmetic(const std::string& function, bool is_asked) const {
    if (!is_asked || options_.has_fp16.value_or(true)) return;
    throw ScheduleError(fmt::format(
        "{}.half_arithmetic(): the device has no arithmetic on f16 (cl_khr_fp16); leave it out, and f16 is "
        "what is stored",
        function));
  }

  std::set<std::string> inputs() const {
    std::set<std::string> names;
    for (const FunctionPtr& f : functions_) {
      if (f->is_input()) names.insert(f->name);
    }
    return names;
  }

  const schedule::FuncSchedule& schedule_of(const std::string& function) const {
    for (const FunctionPtr& f : functions_) {
      if (f->name == function) return schedule::scheduled(*f).schedule;
    }
    throw InternalError(fmt::format("lower: no Func {}", function));
  }

  std::set<std::string> double_buffered() const {
    std::set<std::string> names;
    for (const FunctionPtr& f : functions_) {
      if (schedule::scheduled(*f).schedule.double_buffer) names.insert(f->name);
    }
    return names;
  }

  /// What the passes allocated is row-major.
  static std::map<std::string, Storage> with_allocations(std::map<std::string, Storage> storage,
                                                         const Stmt& stmt) {
    visit(stmt, [&](const Stmt& s) {
      if (s->kind == StmtKind::Allocate)
        storage.try_emplace(s->name, Storage{Layout::row_major(static_cast<int>(s->exprs.size())), {}, {}});
      return true;
    });
    return storage;
  }

  /// "f", "f_update0"; unless a Func is called so, which is then the one to have the name.
  std::string kernel_name(const RootNest& nest) const {
    if (nest.stage == 0 && nest.specialization < 0) return nest.function;
    std::string name =
        nest.stage == 0 ? nest.function : fmt::format("{}_update{}", nest.function, nest.stage - 1);
    if (nest.specialization >= 0) name += fmt::format("_specialized{}", nest.specialization);
    while (std::any_of(functions_.begin(), functions_.end(),
                       [&](const FunctionPtr& f) { return f->name == name; }))
      name += "_";
    return name;
  }

  void note(const std::string& pass, const std::string& kernel, const Stmt& stmt) const {
    if (!stmt.defined()) return;
    if (options_.observer) options_.observer(pass, kernel, stmt);
    if (!options_.verify) return;
    std::set<std::string> buffers, scalars, images;
    for (const auto& [name, facts] : buffers_) buffers.insert(name);
    for (const auto& [name, shape] : images_) images.insert(name);
    for (int d = 0; d < 3; ++d) scalars.insert({kBlockNames[d], kThreadNames[d]});
    for (const std::string& p : parameters_) scalars.insert(p);
    try {
      verify(stmt, buffers, scalars, images);
    } catch (const InternalError& e) {
      throw InternalError(fmt::format("after {} of kernel {}: {}", pass, kernel, e.what()));
    }
  }

  /// The Params of the definitions: variables that no loop binds.
  std::set<std::string> parameters() const {
    std::set<std::string> names;
    const auto collect = [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Var) names.insert(e->name);
        return true;
      });
    };
    for (const FunctionPtr& f : functions_) {
      for (const Expr& e : f->shape) collect(e);
      for (const Expr& e : schedule::scheduled(*f).schedule.bounds) collect(e);
      for (const schedule::StageSchedule& stage : schedule::scheduled(*f).stages) {
        for (const schedule::Specialization& s : stage.specializations) collect(s.condition);
      }
      for (const Definition& d : f->definitions) {
        collect(d.value);
        if (d.predicate.defined()) collect(d.predicate);
        for (const Expr& arg : d.args) collect(arg);
        for (const ReductionAxis& axis : d.domain) {
          collect(axis.min);
          collect(axis.extent);
        }
      }
      for (int d = 0; d < f->rank(); ++d) names.insert(fmt::format("{}_extent_{}", f->name, d));
    }
    return names;
  }

  void finish(LoweredPipeline& result, const PlacedFunctions& placed) const {
    std::set<std::string> seen;
    for (const LoweredKernel& kernel : result.kernels) {
      for (const BufferArgument& b : kernel.buffers) {
        const bool is_input = !placed.extents.contains(b.name);
        if (b.name == result.output || !seen.insert(b.name).second) continue;
        if (is_input) {
          result.inputs.push_back(b.name);
        } else {
          result.intermediates.push_back({b.name, b.type, b.elements});
        }
      }
    }
  }

  const FunctionPtr& output_;
  const LowerOptions& options_;
  std::vector<FunctionPtr> functions_;
  std::set<std::string> parameters_;
  std::map<std::string, Storage> storage_;
  std::map<std::string, BufferFacts> buffers_;
  Images images_;
};

}  // namespace

const std::vector<std::string>& optional_passes() {
  static const std::vector<std::string> passes{"eliminate_boundary_tests", "partition_loops",
                                               "eliminate_common_loads", "hoist_addresses",
                                               "reduce_strength"};
  return passes;
}

LoweredPipeline lower(const FunctionPtr& output, const LowerOptions& options) {
  if (output->is_input()) {
    throw DefinitionError(fmt::format("{}: the output of a pipeline must be a defined Func", output->name));
  }
  for (const std::string& pass : options.without) {
    const auto& known = optional_passes();
    if (std::find(known.begin(), known.end(), pass) != known.end()) continue;
    throw ScheduleError(
        fmt::format("no pass \"{}\" can be left out; of {} each can", pass, fmt::join(known, ", ")));
  }
  return Lowering(output, options).run();
}

}  // namespace tensordsl::lower
