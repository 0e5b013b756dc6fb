#include "outline/outline_schedule.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>

#include "ir/nodes/expr_node.h"
#include "outline/affine_reads.h"
#include "outline/gaps.h"
#include "outline/operand_registers.h"
#include "outline/scheduled_loops.h"
#include "outline/stored_strides.h"
#include "outline/value_registers.h"
#include "predict/lane_values.h"
#include "predict/outlined_work.h"
#include "schedule/func_schedule.h"

namespace tensordsl::outline {
namespace {

using predict::KernelOutline;
using predict::NestAccess;
using predict::NestLoop;
using predict::NestStage;
using predict::Place;
using predict::Runs;
using schedule::ComputeLevel;
using schedule::ScheduledFunction;

/// A stage whose loops are known.
struct PlacedStage {
  const ScheduledFunction* function = nullptr;
  int number = 0;
  std::size_t kernel = 0;
  std::vector<NamedLoop> loops;  ///< with those of its consumers, the outermost first
  Names names;                   ///< its dimensions and axes
  std::vector<Read> reads;
  Operations operations;
};

/// A Func whose elements are known: a part of it, if it is computed inside loops.
struct PlacedFunc {
  std::vector<double> extents;
  std::vector<Gaps> gaps;                ///< between its elements, by dimension
  std::vector<Affine> begin;             ///< of the part, in variables of the loops around it
  std::size_t kernel = 0;                ///< of its first stage
  bool is_root = true, is_open = false;  ///< is_open: some of its extents are likely ones
  std::size_t outer_loops = 0;           ///< loops around its own, at the front of its stages'
  Place place = Place::Buffer;
  bool is_register = false;
};

/// A part of a Func in registers.
struct HeldPart {
  std::size_t kernel = 0;
  std::vector<int> loops;  ///< variables of those around it, the outermost first
  int registers = 0;
};

class Outliner {
 public:
  Outliner(const std::vector<ir::FunctionPtr>& outputs, const Sizes& sizes) : sizes_(sizes) {
    functions_ = ir::reachable(outputs);
    for (const ir::FunctionPtr& output : outputs) outputs_.insert(output.get());
  }

  std::vector<KernelOutline> run() {
    for (auto function = functions_.rbegin(); function != functions_.rend(); ++function) {
      const ScheduledFunction& f = schedule::scheduled(**function);
      if (!f.is_input() && (outputs_.contains(&f) || !f.is_substituted())) place(f);
    }
    choose_memory();
    for (const PlacedStage& stage : stages_) add_stage(stage);
    for (const auto& [function, placed] : placed_) add_memory(*function, placed);
    for (std::size_t kernel = 0; kernel < kernels_.size(); ++kernel) add_held_registers(kernel);
    std::ranges::reverse(kernels_);  // consumers were placed first
    return std::move(kernels_);
  }

 private:
  /// Returns the number of loops down to the innermost one of that axis.
  static std::size_t loops_to(const std::vector<NamedLoop>& loops, const std::string& axis) {
    for (std::size_t i = loops.size(); i-- > 0;) {
      if (loops[i].axis == axis) return i + 1;
    }
    return loops.size();
  }

  double number(const Expr& expr) const {
    if (const std::int64_t* value = ir::as_int(expr)) return static_cast<double>(*value);
    predict::LaneValues values(1);
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Var) values.set(e->name, predict::Lanes{sizes_(e->name)});
      return true;
    });
    const auto value = values.evaluate(expr);
    return static_cast<double>(value ? (*value)[0] : likely_size(""));
  }

  /// Finds the part of `f` that its readers need in an iteration of the first `outer` of their loops.
  void find_part(const ScheduledFunction& f, std::size_t outer, PlacedFunc& part) const {
    const std::size_t rank = f.dims.size();
    std::vector<double> last(rank, 0);
    bool is_first = true;
    for (const PlacedStage& stage : stages_) {
      for (const Read& read : stage.reads) {
        if (read.tensor.get() != &f) continue;
        for (std::size_t d = 0; d < rank; ++d) {
          const Affine& index = read.indices[d];
          Affine begin{{}, index.constant};
          double range = 0;
          std::vector<predict::Repetition> steps;
          for (const auto& [variable, coefficient] : index.terms) {
            for (std::size_t i = 0; i < stage.loops.size(); ++i) {
              const NestLoop& loop = stage.loops[i].loop;
              if (loop.variable != variable) continue;
              if (is_around(stage, i, outer, part)) {
                if (begin.coefficient_of(variable) == 0) begin.terms.emplace_back(variable, coefficient);
              } else {
                const double step = std::abs(coefficient) * loop.step;
                const double covered = loop.covered > 0 ? loop.covered : loop.extent;
                const double times = loop.active > 0 ? std::min(loop.active, covered) : covered;
                range += (times - 1) * step;
                if (coefficient < 0) begin.constant -= (times - 1) * step;
                if (times > 1 && step > 0) steps.push_back({times, step});
              }
            }
          }
          if (is_first) {
            part.begin[d] = begin;
            last[d] = begin.constant + range;
            part.gaps[d] = gaps_of(std::move(steps));
          } else if (begin.constant != part.begin[d].constant || begin.constant + range != last[d]) {
            part.gaps[d].count = 0;
            part.begin[d].constant = std::min(part.begin[d].constant, begin.constant);
            last[d] = std::max(last[d], begin.constant + range);
          }
        }
        is_first = false;
      }
    }
    for (std::size_t d = 0; d < rank; ++d) {
      Gaps& gaps = part.gaps[d];
      // Gaps are left out of a work-item's own part only, and if all reads have them.
      const double whole = std::floor(last[d] - part.begin[d].constant) + 1;
      if (part.is_root || part.place == Place::Local || gaps.count == 0) gaps = {whole, 1, 1};
      part.extents[d] = gaps.elements();
    }
  }

  /// True for a loop around the part: of those outside, work-items share a part in local memory.
  static bool is_around(const PlacedStage& stage, std::size_t i, std::size_t outer, const PlacedFunc& part) {
    const bool is_item = stage.loops[i].loop.runs == Runs::Items;
    return i < outer && !(is_item && part.place == Place::Local);
  }

  void place(const ScheduledFunction& f) {
    const ComputeLevel level = f.level();
    PlacedFunc part;
    part.extents.assign(f.dims.size(), 1);
    part.begin.resize(f.dims.size());
    part.gaps.resize(f.dims.size());
    part.place = f.schedule.scope == Local ? Place::Local : Place::Private;
    std::vector<NamedLoop> around;
    const PlacedStage* consumer = nullptr;
    if (level.kind == ComputeLevel::Kind::At) {
      for (const PlacedStage& stage : stages_) {
        if (stage.function->name == level.consumer && stage.number == level.consumer_stage) consumer = &stage;
      }
    }
    if (consumer) {
      part.is_root = false;
      part.kernel = consumer->kernel;
      const std::size_t outer = loops_to(consumer->loops, level.axis);
      find_part(f, outer, part);
      for (std::size_t i = 0; i < outer; ++i) {
        if (is_around(*consumer, i, outer, part)) around.push_back(consumer->loops[i]);
      }
    } else {
      part.place = f.schedule.image ? Place::Image : Place::Buffer;
      part.kernel = kernels_.size();
      if (!outputs_.contains(&f)) find_part(f, 0, part);
      for (std::size_t d = 0; d < f.schedule.bounds.size(); ++d) {
        part.extents[d] = number(f.schedule.bounds[d]);
        part.is_open = part.is_open || !ir::as_int(f.schedule.bounds[d]);
        part.gaps[d] = {part.extents[d], 1, 1};
      }
    }
    part.outer_loops = around.size();
    placed_.emplace_back(&f, part);
    const int first_variable = variables_;
    variables_ += 2 * static_cast<int>(f.dims.size());
    for (std::size_t number = f.stages.size(); number-- > 0;) {
      if (part.is_root) {
        part.kernel = kernels_.size();
        kernels_.emplace_back();
      }
      add_placed_stage(f, static_cast<int>(number), part, around, first_variable);
    }
  }

  void add_placed_stage(const ScheduledFunction& f, int number_of_stage, const PlacedFunc& part,
                        const std::vector<NamedLoop>& around, int variable) {
    const ir::Definition& definition = f.definitions[static_cast<std::size_t>(number_of_stage)];
    PlacedStage stage{&f, number_of_stage, part.kernel, around, {}, {}, {}};
    std::map<std::string, RootAxis> roots;
    for (std::size_t d = 0; d < f.dims.size(); ++d) {
      const Gaps& gaps = part.gaps[d];
      Affine index = part.begin[d];
      RootAxis& root = roots[f.dims[d]];
      if (gaps.count > 1) {
        root.push_back({variable, Runs::Serial, gaps.count, 1});
        index.terms.emplace_back(variable, gaps.stride);
      }
      ++variable;
      root.push_back({variable, Runs::Serial, gaps.run, 1});
      root.back().is_open = part.is_open && !ir::as_int(f.schedule.bounds[d]);
      index.terms.emplace_back(variable++, 1);
      stage.names[f.dims[d]] = std::move(index);
    }
    for (const ir::ReductionAxis& axis : definition.domain) {
      roots[axis.name] = {{variables_, Runs::Serial, number(axis.extent), 1}};
      stage.names[axis.name] = {{{variables_++, 1}}, number(axis.min)};
    }
    auto own = scheduled_loops(f.stages[static_cast<std::size_t>(number_of_stage)], roots);
    stage.loops.insert(stage.loops.end(), std::move_iterator(own.begin()), std::move_iterator(own.end()));
    collect(definition.values, stage.names, stage.reads, stage.operations);
    stages_.push_back(std::move(stage));
  }

  const PlacedFunc* placed(const ir::Function& f) const {
    const auto found = std::ranges::find_if(placed_, [&](const auto& entry) { return entry.first == &f; });
    return found == placed_.end() ? nullptr : &found->second;
  }

  /// Elements of a work-item's own part are registers if no serial loop chooses among them.
  void choose_memory() {
    for (auto& [function, part] : placed_) {
      if (part.is_root || part.place == Place::Local) continue;
      bool has_serial = false;
      for (const PlacedStage& stage : stages_) {
        const auto chooses = [&, &f = *function](const Affine& index) {
          for (std::size_t i = part.outer_loops; i < stage.loops.size(); ++i) {
            const NestLoop& loop = stage.loops[i].loop;
            if (loop.runs == Runs::Serial && loop.extent > 1 && index.coefficient_of(loop.variable) != 0)
              return true;
          }
          return false;
        };
        for (const Read& read : stage.reads) {
          if (read.tensor.get() == function) has_serial |= std::ranges::any_of(read.indices, chooses);
        }
        if (stage.function != function) continue;
        for (const std::string& dim : function->dims) has_serial |= chooses(stage.names.at(dim));
      }
      part.is_register = !has_serial;
    }
  }

  StoredStrides strides_of(const ScheduledFunction& f, const PlacedFunc* part) const {
    std::vector<std::int64_t> extents;
    if (part) {
      for (const double extent : part->extents) extents.push_back(static_cast<std::int64_t>(extent));
    } else {
      for (const Expr& extent : f.shape) extents.push_back(static_cast<std::int64_t>(number(extent)));
    }
    const bool is_tile = part && !part->is_root;
    return stored_strides(is_tile ? f.tile_layout() : f.layout_or_default(), extents, f.type().bytes(),
                          is_tile ? std::nullopt : f.schedule.image);
  }

  /// Returns the access at `indices`; in a part of a Func these count from its beginning.
  NestAccess access_to(const ScheduledFunction& f, const std::vector<Affine>& indices) const {
    const PlacedFunc* part = placed(f);
    NestAccess access;
    access.tensor = f.name;
    access.element_bytes = f.type().bytes();
    access.place = part ? part->place : f.schedule.image ? Place::Image : Place::Buffer;
    const StoredStrides strides = strides_of(f, part);
    for (std::size_t d = 0; d < indices.size(); ++d) {
      Affine index = indices[d];
      if (part && !part->is_root) index.add(part->begin[d], -1);
      for (const auto& [variable, coefficient] : index.terms) {
        if (coefficient != 0) strides.add_terms(static_cast<int>(d), variable, coefficient, access);
      }
    }
    return access;
  }

  void add_stage(const PlacedStage& stage) {
    NestStage nest;
    for (const NamedLoop& loop : stage.loops) nest.loops.push_back(loop.loop);
    for (const Read& read : stage.reads) {
      const PlacedFunc* part = placed(*read.tensor);
      if (part && part->is_register) continue;
      nest.accesses.push_back(access_to(schedule::scheduled(*read.tensor), read.indices));
      nest.accesses.back().is_bordered = read.is_bordered;
    }
    const PlacedFunc& own = *placed(*stage.function);
    nest.fills_registers = own.is_register && stage.number == 0;
    if (!own.is_register) {
      std::vector<Affine> indices;
      for (const std::string& dim : stage.function->dims) indices.push_back(stage.names.at(dim));
      NestAccess store = access_to(*stage.function, indices);
      store.is_kept = stage.number > 0;
      if (stage.number > 0) nest.accesses.push_back(store);
      store.is_store = true;
      nest.accesses.push_back(std::move(store));
    }
    nest.multiply_adds = stage.operations.multiply_adds;
    nest.others = stage.operations.others;
    nest.special = stage.operations.special;
    KernelOutline& kernel = kernels_[stage.kernel];
    const auto is_axis_loop = [&](const NestLoop& loop) { return is_axis(stage, loop.variable); };
    if (stage.number == 0) nest.values = registers_of_values(stage);
    nest.operands = operand_registers(nest, is_axis_loop, stage.number > 0);
    kernel.stages.push_back(std::move(nest));
  }

  /// Returns the registers of values on the way to one vector.
  double registers_of_values(const PlacedStage& stage) const {
    return lanes_of(stage.loops) *
           value_registers(stage.function->definitions[0].values, [this](const ir::Function& f) {
             const PlacedFunc* part = placed(f);
             return part && part->is_register;
           });
  }

  static bool is_axis(const PlacedStage& stage, int variable) {
    const auto& domain = stage.function->definitions[static_cast<std::size_t>(stage.number)].domain;
    return std::ranges::any_of(domain, [&](const ir::ReductionAxis& axis) {
      return stage.names.at(axis.name).coefficient_of(variable) != 0;
    });
  }

  void add_memory(const ScheduledFunction& f, const PlacedFunc& part) {
    if (part.is_root) return;
    double bytes = f.schedule.double_buffer ? 2 : 1;
    const StoredStrides strides = strides_of(f, &part);
    bytes *= strides.bytes;
    KernelOutline& kernel = kernels_[part.kernel];
    if (part.place == Place::Local) {
      kernel.local_bytes += static_cast<std::int64_t>(bytes);
      // Before it is written, unless halves take turns, and before it is read.
      for (const PlacedStage& stage : stages_) {
        if (stage.function == &f && stage.number == 0)
          add_barriers(kernel, stage, part.outer_loops, f.schedule.double_buffer ? 1 : 2);
      }
    } else if (part.is_register) {
      // Compilers make of a test around a sum a selection: the new one and the old one live at once.
      const std::vector<int> around = loops_around(f, part);
      const double twice = f.stages.size() > 1 ? 1 - 1 / tested_copies_inside(part.kernel, around) : 0;
      held_.push_back({part.kernel, around, static_cast<int>(std::ceil(bytes / 4 * (1 + twice)))});
    } else {
      kernel.private_bytes += static_cast<std::int64_t>(bytes);
    }
  }

  /// Returns the most copies with a test of a stage inside those loops.
  double tested_copies_inside(std::size_t kernel, const std::vector<int>& around) const {
    const auto variable = [](const NamedLoop& named) { return named.loop.variable; };
    double most = 1;
    for (const PlacedStage& stage : stages_) {
      const bool is_inside = stage.kernel == kernel && are_outermost(around, stage.loops, variable);
      if (is_inside) most = std::max(most, tested_copies(stage.loops));
    }
    return most;
  }

  /// Returns the loops around a Func's part.
  std::vector<int> loops_around(const ScheduledFunction& f, const PlacedFunc& part) const {
    std::vector<int> variables;
    for (const PlacedStage& stage : stages_) {
      if (stage.function != &f) continue;
      for (std::size_t i = 0; i < part.outer_loops; ++i) variables.push_back(stage.loops[i].loop.variable);
      break;
    }
    return variables;
  }

  /// Adds the registers of parts that live around each stage.
  void add_held_registers(std::size_t kernel) {
    for (NestStage& stage : kernels_[kernel].stages) {
      for (const HeldPart& part : held_) {
        if (part.kernel == kernel && are_outermost(part.loops, stage.loops, &NestLoop::variable))
          stage.held += part.registers;
      }
      kernels_[kernel].registers = std::max(kernels_[kernel].registers, stage.held + stage.operands);
    }
  }

  /// True if loops over those variables are the outermost ones.
  template <typename Loop, typename Variable>
  static bool are_outermost(const std::vector<int>& variables, const std::vector<Loop>& loops,
                            Variable variable) {
    return variables.size() <= loops.size() &&
           std::ranges::equal(variables, loops | std::views::take(variables.size()), {}, {}, variable);
  }

  static void add_barriers(KernelOutline& kernel, const PlacedStage& stage, std::size_t outer, double count) {
    NestStage barriers;
    for (std::size_t i = 0; i < outer; ++i) barriers.loops.push_back(stage.loops[i].loop);
    barriers.barriers = count;
    kernel.stages.push_back(std::move(barriers));
  }

  const Sizes& sizes_;
  std::vector<ir::FunctionPtr> functions_;
  std::set<const ir::Function*> outputs_;
  std::vector<PlacedStage> stages_;
  std::vector<std::pair<const ScheduledFunction*, PlacedFunc>> placed_;
  std::vector<KernelOutline> kernels_;
  std::vector<HeldPart> held_;
  int variables_ = 0;
};

}  // namespace

std::int64_t likely_size(const std::string&) { return 64; }

std::vector<KernelOutline> outline_schedule(const std::vector<ir::FunctionPtr>& outputs, const Sizes& sizes) {
  return Outliner(outputs, sizes).run();
}

}  // namespace tensordsl::outline
