#include "graph/schedule/assemble_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/schedule/define_group.h"
#include "graph/schedule/find_overflow.h"
#include "graph/schedule/host_step.h"
#include "graph/schedule/image_layout.h"
#include "graph/stages/find_loops.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "ir/nodes/size_conversion.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "runtime/program/pack_constants.h"
#include "runtime/program/storage.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;
using definitions::GroupOperand;
using definitions::StoredGroup;

using Kind = Program::Tensor::Kind;

/// Columns are the last coordinate but for the elements of a texel.
std::optional<Program::Tensor::ImageSize> image_size(const StoredTensor& tensor) {
  if (!tensor.image) return std::nullopt;
  const std::vector<Expr> extents = tensor.layout.group_extents(tensor.extents);
  Program::Tensor::ImageSize size;
  auto extent = extents.rbegin() + 1;
  for (SizeExpr* side : {&size.width, &size.height, &size.layers}) {
    if (extent != extents.rend()) *side = ir::to_size(ir::simplify(*extent++));
  }
  return size;
}

class Assembler {
 public:
  Assembler(const Graph& graph, Precision precision)
      : graph_(graph.definitions),
        storage_(graph.storage),
        precision_(precision),
        loops_(find_loops(graph_)),
        around_(loops_around(graph_, loops_)) {
    program_.name = graph_.name;
    program_.warnings = graph_.warnings;
    std::ranges::copy(graph.fallbacks.warnings, std::back_inserter(program_.warnings));
  }

  Program run(const std::vector<ScheduledGroup>& groups, const std::vector<LoweredGroup>& programs) {
    for (const std::size_t input : graph_.inputs) {
      const std::size_t owner = storage_.owner(input);
      const Kind kind = owner == input ? Kind::Input : Kind::State;
      tensor_of_[owner] = add(kind, graph_.tensors[input].name, stored(owner));
      program_.inputs.push_back(value(graph_.tensors[input].name, input, graph_.tensors[input].given_as));
    }
    add_counts();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      enter_loops(loops_[groups[i].group.stored_tensors[0]]);
      if (programs[i].program) {
        add_group(groups[i], *programs[i].program);
      } else {
        add_host_step(groups[i].group, programs[i].refusal);
      }
      for (const std::size_t tensor : groups[i].group.stored_tensors)
        computed_.insert(storage_.owner(tensor));
      add_counts();
    }
    enter_loops({});
    for (const DefinitionGraph::Output& output : graph_.outputs) add_output(output);
    for (const DefinitionGraph::State& state : graph_.states)
      program_.states.push_back({state.input, state.output, state.axis});
    program_.requirements.insert(program_.requirements.end(), graph_.requirements.begin(),
                                 graph_.requirements.end());
    add_params_of_shapes();
    for (const auto& [name, type] : params_) {
      if (!is_count(name)) program_.params.push_back({name, type});
    }
    program_.constants = runtime::pack_constants(constants_, program_.tensors);
    add_warnings();
    warn_of_overflow();
    return std::move(program_);
  }

 private:
  Program::Loop::Place place() const {
    return {program_.launches.size(), program_.counts.size(), program_.host_steps.size()};
  }

  /// Ends the loops that are not among `loops`, and begins the loops among them that have not begun.
  void enter_loops(const std::set<std::size_t>& loops) {
    while (!entered_.empty() && !loops.contains(entered_.back().first)) {
      program_.loops[entered_.back().second].end = place();
      entered_.pop_back();
    }
    std::vector<std::size_t> entered(loops.begin(), loops.end());
    std::ranges::stable_sort(entered, {}, [&](std::size_t loop) { return around_[loop].size(); });
    for (std::size_t i = entered_.size(); i < entered.size(); ++i) {
      entered_.emplace_back(entered[i], program_.loops.size());
      begin_loop(graph_.loops[entered[i]]);
    }
  }

  void begin_loop(const DefinitionGraph::Loop& loop) {
    Program::Loop entered{place(), {}, loop.step, ir::to_size(loop.steps), std::nullopt, loop.taken, {}};
    if (loop.condition) entered.condition = memory(*loop.condition);
    for (const DefinitionGraph::Loop::Carried& carried : loop.carried)
      entered.carried.push_back({memory(carried.begin), memory(carried.next)});
    program_.loops.push_back(std::move(entered));
  }

  /// Kernels need not have all of them.
  void add_params_of_shapes() {
    const auto add_params_of = [&](const SizeExpr& size) {
      ir::visit(ir::to_expr(size), [&](const Expr& e) {
        if (e->kind == ir::ExprKind::Var) params_.emplace(e->name, e.type());
        return true;
      });
    };
    for (const std::vector<Program::Value>* values : {&program_.inputs, &program_.outputs})
      for (const Program::Value& value : *values)
        for (const SizeExpr& extent : value.shape) add_params_of(extent);
    for (const Program::Loop& loop : program_.loops) add_params_of(loop.steps);
    for (const ReadRequirement& r : program_.requirements)
      for (const SizeExpr& size : {r.when, r.begin, r.end, r.extent}) add_params_of(size);
  }

  StoredTensor stored(std::size_t tensor) const {
    const DefinedTensor& t = graph_.tensors[tensor];
    const Layout& layout = storage_.layouts[tensor];
    return {stored_type(t, precision_), t.extents(), layout, image_of(layout)};
  }

  std::size_t add(Kind kind, const std::string& name, const StoredTensor& tensor) {
    program_.tensors.push_back(
        {kind, name, runtime::storage_of(tensor), ir::to_size(tensor.elements()), image_size(tensor)});
    return program_.tensors.size() - 1;
  }

  Program::Value value(const std::string& name, std::size_t tensor, const std::optional<Type>& type) {
    const DefinedTensor& defined = graph_.tensors[tensor];
    return {name, type.value_or(defined.type()), ir::to_sizes(defined.shape), memory(tensor)};
  }

  /// The Program's tensor that holds one of the graph: its own, or that in which it lies.
  std::size_t memory(std::size_t tensor) {
    const std::size_t owner = storage_.owner(tensor);
    if (const auto known = tensor_of_.find(owner); known != tensor_of_.end()) return known->second;
    if (graph_.tensors[owner].constant) return tensor_of_[owner] = constant(owner, stored(owner));
    return tensor_of_[owner] = add(Kind::Intermediate, graph_.tensors[owner].name, stored(owner));
  }

  std::size_t constant(std::size_t tensor, const StoredTensor& as) {
    const auto [it, is_new] = constant_of_.try_emplace({tensor, to_string(as)}, 0);
    if (is_new) {
      it->second = add(Kind::Constant, graph_.tensors[tensor].name, as);
      constants_.emplace(it->second, graph_.tensors[tensor].constant.get());
    }
    return it->second;
  }

  /// Outputs are read from the memory that holds them; one that is an input or a constant needs no kernel.
  void add_output(const DefinitionGraph::Output& output) {
    program_.outputs.push_back(value(output.name, output.tensor, output.read_as));
    Program::Tensor& tensor = program_.tensors[program_.outputs.back().tensor];
    if (tensor.kind == Kind::Intermediate) tensor.kind = Kind::Output;
  }

  /// Adds the counts whose tensors exist by now.
  void add_counts() {
    for (; counts_ < graph_.counts.size(); ++counts_) {
      const DefinitionGraph::Count& count = graph_.counts[counts_];
      const DefinedTensor& owner = graph_.tensors[storage_.owner(count.tensor)];
      if (!owner.func.is_input() && !computed_.contains(storage_.owner(count.tensor))) return;
      program_.counts.push_back(
          {count.param, memory(count.tensor), program_.launches.size(), ir::to_size(count.bound)});
    }
  }

  bool is_count(const std::string& param) const {
    const auto is_of = [&](const DefinitionGraph::Loop& loop) {
      return loop.step == param || loop.taken == param;
    };
    return std::ranges::find(graph_.counts, param, &DefinitionGraph::Count::param) != graph_.counts.end() ||
           std::ranges::any_of(graph_.loops, is_of);
  }

  void add_group(const ScheduledGroup& scheduled, const Program& program) {
    const StoredGroup& group = scheduled.group;
    // Equal groups share a program, in which operands have the same positions under other names.
    std::map<std::size_t, std::size_t> places;  // of the group's tensors in the whole program
    for (const Program::Value& input : program.inputs) {
      const GroupOperand& operand = group.operands[operand_of(group, input.name)];
      places[input.tensor] =
          operand.is_constant ? constant(operand.tensor, operand.stored) : memory(operand.tensor);
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
      places[program.outputs[i].tensor] = memory(group.stored_tensors[i]);
    for (std::size_t t = 0; t < program.tensors.size(); ++t) {
      if (program.tensors[t].kind != Kind::Intermediate) continue;
      const std::string& output = graph_.tensors[group.stored_tensors[0]].name;
      program_.tensors.push_back(program.tensors[t]);
      program_.tensors.back().name = fmt::format("{} of {}", program.tensors[t].name, output);
      places[t] = program_.tensors.size() - 1;
    }
    for (const Program::Launch& inner : program.launches) {
      Program::Launch launch = inner;
      launch.kernel = kernel(program.kernels[inner.kernel]);
      for (int& tensor : launch.tensors) {
        if (tensor >= 0) tensor = static_cast<int>(places.at(static_cast<std::size_t>(tensor)));
      }
      launch.label = group.label;
      launch.flops = 0;
      program_.launches.push_back(std::move(launch));
    }
    if (!program.launches.empty()) program_.launches.back().flops = scheduled.flops;
    for (const Program::Param& p : program.params) params_.emplace(p.name, p.type);
    for (ReadRequirement r : program.requirements) {
      if (is_met_by_loop(r)) continue;
      r.when = where_steps(r.when);
      program_.requirements.push_back(std::move(r));
    }
    for (FactorRequirement f : program.factors) {
      f.when = where_steps(f.when);
      program_.factors.push_back(std::move(f));
    }
  }

  /// Returns where `when` holds and the loops that are entered have steps.
  SizeExpr where_steps(const SizeExpr& when) const {
    if (entered_.empty()) return when;
    Expr all = ir::to_expr(when);
    for (const auto& [loop, entered] : entered_) {
      const Expr runs = graph_.loops[loop].steps >= 1;
      const std::int64_t* number = ir::as_int(all);
      all = number && *number == 1 ? runs : all && runs;
    }
    return ir::to_size(ir::simplify(all));
  }

  /// True if the requirement is for the element of a step in a tensor with as many elements as steps.
  bool is_met_by_loop(const ReadRequirement& r) const {
    return std::ranges::any_of(entered_, [&](const auto& entered) {
      const DefinitionGraph::Loop& loop = graph_.loops[entered.first];
      const Expr begin = ir::to_expr(r.begin), end = ir::to_expr(r.end);
      return ir::print(begin) == loop.step && ir::print(ir::simplify(end - begin)) == "1" &&
             r.extent == ir::to_size(loop.steps);
    });
  }

  void add_host_step(const StoredGroup& group, const std::string& refusal) {
    Program::HostStep step = host_step(group);
    for (Program::HostStep::Operand& read : step.reads) {
      const GroupOperand& operand = group.operands[operand_of(group, read.name)];
      read.tensor = operand.is_constant ? constant(operand.tensor, operand.stored) : memory(operand.tensor);
    }
    for (std::size_t i = 0; i < step.writes.size(); ++i)
      step.writes[i].tensor = memory(group.stored_tensors[i]);
    for (const auto& [name, type] : ir::params_of(step.definitions)) params_.emplace(name, type);
    step.launches = program_.launches.size();
    step.counts = program_.counts.size();
    program_.host_steps.push_back(std::move(step));
    for (const std::size_t tensor : group.tensors) {
      for (const definitions::Origin& origin : origins_of(graph_.tensors[tensor]))
        on_host_[refusal].push_back(to_string(origin));
    }
  }

  /// Adds one warning for each reason.
  void add_warnings() {
    constexpr std::size_t kMostNamed = 3;
    for (auto& [reason, nodes] : on_host_) {
      const std::size_t more = nodes.size() - std::min(nodes.size(), kMostNamed);
      nodes.resize(nodes.size() - more);
      program_.warnings.push_back(fmt::format("the host computes {}{}, which is slow: {}",
                                              fmt::join(nodes, ", "),
                                              more > 0 ? fmt::format(" and {} more", more) : "", reason));
    }
  }

  /// Adds one warning for each constant of the model, however often it is stored.
  void warn_of_overflow() {
    std::set<std::string> named;
    for (const auto& [tensor, constant] : constants_) {
      const Program::Tensor& stored = program_.tensors[tensor];
      const std::optional<Overflow> overflow = find_overflow(*constant, stored.stored.type);
      if (!overflow || !named.insert(stored.name).second) continue;
      program_.warnings.push_back(fmt::format(
          "the constant '{}' is stored as f16, in which {} of its values {} infinite, the first {}; compile "
          "with fp32, or scale the model",
          stored.name, overflow->values, overflow->values == 1 ? "is" : "are", overflow->first));
    }
  }

  static std::size_t operand_of(const StoredGroup& group, const std::string& input) {
    const auto found = std::ranges::find(group.operands, input,
                                         [](const GroupOperand& operand) { return operand.input.name(); });
    return static_cast<std::size_t>(found - group.operands.begin());
  }

  std::size_t kernel(const KernelSource& source) {
    // The text does not distinguish kernels: two that copy may differ only in their sizes.
    const auto [it, is_new] = kernel_of_.try_emplace(source.text + to_json(source), program_.kernels.size());
    if (is_new) program_.kernels.push_back(source);
    return it->second;
  }

  const DefinitionGraph& graph_;
  const TensorStorage& storage_;
  Precision precision_;
  std::vector<std::set<std::size_t>> loops_;   // by tensor
  std::vector<std::set<std::size_t>> around_;  // by loop
  /// The loops of the graph with their numbers in the program, outermost first.
  std::vector<std::pair<std::size_t, std::size_t>> entered_;
  Program program_;
  std::map<std::size_t, std::size_t> tensor_of_;  // by tensor of the graph that has memory of its own
  std::map<std::pair<std::size_t, std::string>, std::size_t> constant_of_;  // by tensor and how it is stored
  std::map<std::size_t, const Buffer*> constants_;                          // by tensor of the Program
  std::map<std::string, std::size_t> kernel_of_;                            // by text and manifest
  std::map<std::string, Type> params_;
  std::set<std::size_t> computed_;                           // tensors with memory of their own
  std::map<std::string, std::vector<std::string>> on_host_;  // nodes by the reason
  std::size_t counts_ = 0;                                   // of the graph's, that are in the program
};

}  // namespace

void assemble_program(Graph& graph, const GraphContext& context) {
  graph.program = Assembler(graph, context.options.precision).run(graph.scheduled, graph.lowered);
}

}  // namespace tensordsl::graph
