#include "fuzz/run_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ir/nodes/sub_groups.h"
#include "ir/text/print.h"
#include "lower/cpu/work_group_loops.h"
#include "lower/lower.h"
#include "pipeline/describe.h"
#include "runtime/host/interpreter.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/layout.h"

namespace tensordsl::fuzz {
namespace {

void add_kernel_features(const lower::LoweredKernel& kernel, std::set<std::string>& features) {
  ir::visit(
      kernel.body,
      [&](const ir::Stmt& s) {
        if (s->kind == ir::StmtKind::Allocate) {
          if (s->memory == ir::Memory::Local) features.insert("local memory");
          if (s->memory == ir::Memory::Private) features.insert("private array");
          if (s->memory == ir::Memory::Register) features.insert("register");
        }
        if (s->kind == ir::StmtKind::For || s->kind == ir::StmtKind::If) {
          bool has_barrier = false;
          ir::visit(s, [&](const ir::Stmt& inner) {
            has_barrier = has_barrier || inner->kind == ir::StmtKind::Barrier;
            return true;
          });
          if (has_barrier) features.insert("barrier in a loop");
        }
        if (s->kind == ir::StmtKind::Barrier) features.insert("barrier");
        const ir::SubGroupOperation* operation = ir::sub_group_operation_of(*s);
        if (operation && operation->kind != ir::SubGroupOperationKind::Reduce)
          features.insert("handed over in a sub-group");
        return true;
      },
      [&](const Expr& expr) {
        ir::visit(expr, [&](const Expr& e) {
          if (e.type().is_vector()) features.insert("vector");
          if (e->kind == ir::ExprKind::Load && e.type().is_vector()) features.insert("vector load");
          return true;
        });
      });
  for (const lower::BufferArgument& b : kernel.buffers) {
    if (!b.image) continue;
    const bool is_written = b.access == KernelArgument::Access::WriteOnly;
    features.insert(fmt::format("{}, {}, {}", to_string(b.image->kind), b.image->channels == 4 ? "RGBA" : "R",
                                is_written ? "written" : "read"));
  }
  for (const Expr& groups : kernel.groups) {
    if (!ir::is_const(groups, 1)) features.insert("several work-groups");
  }
}

std::set<std::string> features_of(const Definition& definition, const std::vector<Directive>& directives,
                                  const lower::LoweredPipeline& lowered) {
  std::set<std::string> features = definition.features;
  for (const Directive& d : directives) {
    features.insert(name_of(d.kind));
    const bool has_tail = d.kind == DirectiveKind::Split || d.kind == DirectiveKind::Tile ||
                          d.kind == DirectiveKind::UnrollBy || d.kind == DirectiveKind::VectorizeBy ||
                          d.kind == DirectiveKind::GpuTile;
    if (has_tail) features.insert(fmt::format("Tail::{}", name_of(d.tail)));
    if (d.kind == DirectiveKind::Layout) {
      const auto has = [&](char symbol) { return d.notation.find(symbol) != std::string::npos; };
      if (has('+')) features.insert("layout, padded");
      if (d.notation.find_first_of("0123456789") == 0 || d.notation.find(" 1+") != std::string::npos)
        features.insert("layout, part");
      if (has('^')) features.insert("layout, swizzled");
      features.insert(has('/') && !has('^') ? "layout, blocked" : "layout, permuted");
    }
  }
  if (features.contains("half_arithmetic") && !features.contains("rounds to f16"))
    features.insert("exact in f16");
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    if (kernel.body.defined()) add_kernel_features(kernel, features);
    if (kernel.is_specialized && runtime::evaluate(ir::print(kernel.groups[0]), definition.params) > 0)
      features.insert("a specialization runs");
  }
  return features;
}

/// A definition reads inside its Inputs; only a schedule that computes more points may get an error that it
/// does not.
bool is_false_accusation(const std::vector<Directive>& directives, const std::string& message) {
  if (message.find("because Tail::RoundUp or a bound") == std::string::npos) return false;
  return std::none_of(directives.begin(), directives.end(), [](const Directive& d) {
    return d.tail == Tail::RoundUp || d.kind == DirectiveKind::Bound;
  });
}

/// The loops of a reduction's steps, outermost first, in the order that the definition takes the steps in;
/// empty if no order of the loops does.
std::vector<std::string> steps_in_order(const ir::Definition& definition,
                                        const std::vector<schedule::Transform>& transforms) {
  std::vector<std::string> steps;
  for (const ir::ReductionAxis& axis : definition.domain) steps.push_back(axis.name);
  for (const schedule::Transform& t : transforms) {
    if (t.split) {
      const auto at = std::ranges::find(steps, t.split->axis);
      if (at != steps.end())
        steps.insert(std::next(steps.insert(steps.erase(at), t.split->outer)), t.split->inner);
      continue;
    }
    const auto outer = std::ranges::find(steps, t.fuse->outer),
               inner = std::ranges::find(steps, t.fuse->inner);
    if (outer != steps.end() && inner != steps.end() && std::next(outer) != inner) return {};
    if (outer != steps.end()) *outer = t.fuse->fused;
    if (inner != steps.end() && outer != steps.end()) steps.erase(inner);
    if (inner != steps.end() && outer == steps.end()) *inner = t.fuse->fused;
  }
  return steps;
}

bool reorders_steps(const ir::Definition& definition, const schedule::StageSchedule& stage) {
  if (definition.domain.empty()) return false;
  const std::vector<std::string> in_order = steps_in_order(definition, stage.transforms);
  std::vector<std::string> steps;
  for (const schedule::Axis& axis : stage.axes) {
    if (std::ranges::count(in_order, axis.name) > 0) steps.push_back(axis.name);
  }
  return in_order.empty() || steps != in_order ||
         std::ranges::any_of(stage.specializations, [&](const schedule::Specialization& special) {
           return reorders_steps(definition, special.schedule);
         });
}

/// True if a schedule changes the order of the steps of a reduction over several loops.
bool reorders_steps(const Definition& definition) {
  return std::ranges::any_of(definition.functions, [](const Func& f) {
    const auto& stages = schedule::scheduled(*f.shared()).stages;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      if (reorders_steps(f.shared()->definitions[stage], stages[stage])) return true;
    }
    return false;
  });
}

/// True if a sum may be added up in another order than the definition's.
bool reorders_arithmetic(const Definition& definition, const std::vector<Directive>& directives) {
  return reorders_steps(definition) ||
         std::any_of(directives.begin(), directives.end(), [](const Directive& d) {
           return d.kind == DirectiveKind::Rfactor || d.kind == DirectiveKind::SplitK ||
                  d.kind == DirectiveKind::GpuLanes;
         });
}

/// True if lowering replaces a function that is called by arithmetic of its own.
bool expands_functions(const Definition& definition) {
  bool result = false;
  for (const ir::FunctionPtr& function : ir::reachable(definition.definitions())) {
    for (const ir::Definition& d : function->definitions) {
      for (const Expr& expr : d.expressions()) {
        ir::visit(expr, [&](const Expr& e) {
          result = result || (e->kind == ir::ExprKind::Intrinsic && e->name == "erf");
          return !result;
        });
      }
    }
  }
  return result;
}

/// True if element `i` is equal in both. Any NaN equals any other, and zeros of both signs are equal, because
/// the result of min(0, -0) is open.
bool is_same(const Buffer& a, const Buffer& b, std::int64_t i) {
  if (!a.type().is_float()) return a.get_int(i) == b.get_int(i);
  const double left = a.get(i), right = b.get(i);
  return left == right || (std::isnan(left) && std::isnan(right));
}

std::string name_of(Outcome outcome) {
  return outcome == Outcome::Accepted ? "accepted" : outcome == Outcome::Refused ? "refused" : "failed";
}

/// The first access that a launch would refuse; empty if there is none.
std::string unmet_requirement(const lower::LoweredPipeline& lowered, const ParamValues& params) {
  for (const lower::FactorRequirement& f : lowered.factors) {
    if (f.when.defined() && runtime::evaluate(f.when, params) == 0) continue;
    if (runtime::evaluate(f.param, params) < (f.is_divisor ? 1 : 0))
      return fmt::format("{} has the factor {} in an index of {}", f.reader, f.param, f.tensor);
  }
  for (const lower::ReadRequirement& r : lowered.requirements) {
    if (r.when.defined() && runtime::evaluate(r.when, params) == 0) continue;
    const std::int64_t begin = runtime::evaluate(r.begin, params), end = runtime::evaluate(r.end, params);
    if (end <= begin || (begin >= 0 && end <= runtime::evaluate(r.extent, params))) continue;
    return fmt::format("{} reads {} at [{}, {}) of dimension {}", r.reader, r.tensor, begin, end,
                       r.dimension);
  }
  return "";
}

/// Rewrites the kernels for devices whose threads run whole work-groups.
lower::LoweredPipeline as_loops(const lower::LoweredPipeline& lowered) {
  lower::LoweredPipeline result = lowered;
  for (lower::LoweredKernel& kernel : result.kernels) kernel = lower::as_work_group_loops(kernel);
  return result;
}

void execute(Result& result) {
  const Definition& d = result.definition;
  lower::LowerOptions options;
  options.verify = true;
  result.lowered = lower::lower(d.definitions(), options);
  result.expected = runtime::interpret(d.definitions(), d.shapes, {d.data, d.params});
  if (result.message = unmet_requirement(result.lowered, d.params); !result.message.empty()) {
    const bool is_bounded =
        std::any_of(result.directives.begin(), result.directives.end(),
                    [](const Directive& directive) { return directive.kind == DirectiveKind::Bound; });
    result.outcome = is_bounded ? Outcome::Refused : Outcome::Failed;
    return;
  }
  std::map<std::string, Buffer> stored;
  for (const Input& i : d.inputs) stored.emplace(i.name(), in_memory_order(d.data.at(i.name()), i));
  SimulationReport report;
  const std::vector<Buffer> output_data = simulate_all(result.lowered, stored, d.params, &report);
  // Rounding to 11 bits adds errors that may change a decision; then it is only known that the case ran.
  if (report.rounds_half) result.definition.features.insert("rounds to f16");
  const std::vector<double> exact(d.tolerances.size(), 0);
  const bool is_exact = !reorders_arithmetic(d, result.directives) && !expands_functions(d);
  const auto& tolerances = is_exact ? exact : d.tolerances;
  if (!report.rounds_half) result.message = difference(d, output_data, result.expected, tolerances);
  if (result.message.empty()) {
    const std::vector<Buffer> of_loops = simulate_all(as_loops(result.lowered), stored, d.params);
    if (!report.rounds_half) result.message = difference(d, of_loops, result.expected, tolerances);
    if (!result.message.empty()) result.message = "as loops over work-items: " + result.message;
  }
  result.outcome = result.message.empty() ? Outcome::Accepted : Outcome::Failed;
}

}  // namespace

Buffer in_memory_order(const Buffer& row_major, const Func& f) {
  const Layout layout = f.contents().layout_or_default();
  const auto bytes = row_major.bytes();
  const auto packed = pack(bytes, row_major.type().bytes(), layout, row_major.shape());
  Buffer result(row_major.type(), {layout.stored_elements(row_major.shape())});
  std::copy(packed.begin(), packed.end(), result.bytes().begin());
  return result;
}

namespace {

std::string difference(const Func& output, const std::vector<std::int64_t>& shape, const Buffer& stored,
                       const Buffer& expected, double tolerance) {
  const Layout layout = output.contents().layout_or_default();
  const std::int64_t elements = layout.stored_elements(shape);
  if (stored.elements() != elements)
    return fmt::format("{} has {} elements, not {}", output.name(), stored.elements(), elements);
  const auto bytes = stored.bytes();
  const auto row_major = unpack(bytes, stored.type().bytes(), layout, shape);
  Buffer actual(expected.type(), expected.shape());
  std::copy(row_major.begin(), row_major.end(), actual.bytes().begin());
  for (std::int64_t i = 0; i < actual.elements(); ++i) {
    const bool is_near = tolerance > 0 && std::abs(actual.get(i) - expected.get(i)) <= tolerance;
    if (is_near || is_same(actual, expected, i)) continue;
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t d = index.size(), rest = static_cast<std::size_t>(i); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(shape[d]);
      index[d] = static_cast<std::int64_t>(rest % extent);
      rest /= extent;
    }
    return fmt::format("element ({}) of {} is {}, expected {} within {}", fmt::join(index, ", "),
                       output.name(), actual.get(i), expected.get(i), tolerance);
  }
  return "";
}

}  // namespace

std::string difference(const Definition& definition, const std::vector<Buffer>& stored,
                       const std::vector<Buffer>& expected, const std::vector<double>& tolerances) {
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
    const Func& output = definition.outputs[i];
    for (int component = 0; component < output.outputs(); ++component, ++buffer) {
      std::string found = difference(output, definition.shapes[i], stored.at(buffer), expected.at(buffer),
                                     tolerances.at(buffer));
      if (!found.empty()) return found;
    }
  }
  return "";
}

Result run_case(const Case& c) {
  Result result;
  try {
    Random random(c.seed);
    result.definition = draw_definition(random, fmt::format("c{}_", c.seed), c.simplification);
    if (c.directives) {
      result.directives = *c.directives;
      for (const Directive& d : result.directives) apply(d, result.definition);
    } else {
      Random for_schedule(c.seed + (std::uint64_t{1} << 40));
      draw_schedule(for_schedule, result.definition, result.directives);
    }
    execute(result);
    if (result.outcome == Outcome::Accepted) {
      result.features = features_of(result.definition, result.directives, result.lowered);
    }
  } catch (const ScheduleError& e) {
    result.message = e.what();
    result.outcome =
        is_false_accusation(result.directives, result.message) ? Outcome::Failed : Outcome::Refused;
  } catch (const DefinitionError& e) {
    result.outcome = result.definition.ill_formed ? Outcome::Refused : Outcome::Failed;
    result.message = fmt::format("DefinitionError: {}", e.what());
  } catch (const std::exception& e) {
    result.outcome = Outcome::Failed;
    result.message = e.what();
  }
  return result;
}

Case minimized(const Case& failing) {
  Case best = failing;
  if (!best.directives) best.directives = run_case(failing).directives;
  const auto try_instead = [&](const Case& candidate) {
    const bool fails = run_case(candidate).outcome == Outcome::Failed;
    if (fails) best = candidate;
    return fails;
  };
  for (const int extent : {2, 3, 4, 5, 8, 12, 17}) {
    if (extent >= best.simplification.drawn_extent) break;
    Case smaller = best;
    smaller.simplification.largest_extent = extent;
    if (try_instead(smaller)) break;
  }
  Case plainer = best;
  plainer.simplification.plain_values = true;
  try_instead(plainer);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = best.directives->size(); i-- > 0;) {
      std::vector<Directive> fewer = *best.directives;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      progress |= try_instead({best.seed, best.simplification, std::move(fewer)});
    }
  }
  return best;
}

std::string describe(const Case& c, const Result& result) {
  const Simplification& s = c.simplification;
  const std::string extent =
      s.drawn_extent == kUsualExtent ? "" : fmt::format("TENSORDSL_FUZZ_EXTENT={} ", s.drawn_extent);
  std::string text = fmt::format("seed {} ({}TENSORDSL_FUZZ_SEED={} replays it): {}", c.seed, extent, c.seed,
                                 name_of(result.outcome));
  if (!result.message.empty()) text += ": " + result.message;
  if (result.definition.functions.empty()) return text + "\n";
  text += "\n" + describe_definitions(result.definition.definitions()) + print_schedule(result.definition);
  for (const auto& [name, value] : result.definition.params)
    text += fmt::format("{} = {}\n", name, value.to_string());
  if (s.largest_extent != s.drawn_extent || s.plain_values) {
    text +=
        fmt::format("(extents up to {}, {} values)\n", s.largest_extent, s.plain_values ? "plain" : "drawn");
  }
  return text;
}

}  // namespace tensordsl::fuzz
