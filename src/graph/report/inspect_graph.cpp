#include "graph/report/inspect_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/run_in_parallel.h"
#include "classify/classify.h"
#include "classify/movement.h"
#include "graph/memory/lifetimes.h"
#include "graph/memory/memory_lower_bound.h"
#include "graph/memory/share_memory.h"
#include "graph/report/find_divisions.h"
#include "graph/report/find_producers.h"
#include "graph/report/find_provenance.h"
#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "lower/lower.h"
#include "pipeline/describe.h"
#include "pipeline/loop_nest.h"
#include "pipeline/lower_options.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

using classify::Class;
using definitions::DefinitionGraph;
using definitions::FusedGroup;

std::optional<std::int64_t> known_bytes(const StoredTensor& stored) {
  Expr elements(1);
  for (const Expr& extent : stored.extents) elements = ir::simplify(elements * extent);
  const std::int64_t* count = ir::as_int(elements);
  return count ? std::optional(*count * stored.type.bytes()) : std::nullopt;
}

std::optional<std::int64_t> known_bytes(const Program::Storage& stored) {
  std::int64_t bytes = stored.type.bytes();
  for (const SizeExpr& extent : stored.extents) {
    if (!extent.constant()) return std::nullopt;
    bytes *= *extent.constant();
  }
  return bytes;
}

std::optional<std::int64_t> summed_bytes(const std::vector<Inspection::Stored>& tensors) {
  std::int64_t sum = 0;
  for (const Inspection::Stored& tensor : tensors) {
    if (!tensor.bytes) return std::nullopt;
    sum += *tensor.bytes;
  }
  return sum;
}

/// The first line: the class and the roles.
std::string class_text(const ir::Function& function) {
  const std::string text = classify::to_string(classify::classify(function));
  return text.substr(0, text.find('\n'));
}

class Inspector {
 public:
  Inspector(const DefinitionGraph& imported, const CompileOptions& options)
      : imported_(imported),
        options_(options),
        compiled_(compile_in_full(imported, options, true)),
        graph_(compiled_.definitions),
        makers_(compiled_.groups, compiled_.storage),
        funcs_(graph_) {}

  Inspection run() {
    result_.model = graph_.name;
    result_.warnings = compiled_.program.warnings;
    result_.kernels = compiled_.program.kernels;
    result_.constant_bytes = static_cast<std::int64_t>(compiled_.program.constants.size);
    result_.operators = find_provenance(imported_, compiled_);
    for (std::size_t i = 0; i < result_.operators.size(); ++i) {
      if (result_.operators[i].fate == Inspection::Fate::Input)
        inputs_.emplace(result_.operators[i].output, i);
    }
    for (std::size_t i = 0; i < compiled_.groups.size(); ++i) result_.groups.push_back(describe(i));
    add_codes();
    add_passes();
    add_outputs();
    add_memory();
    return std::move(result_);
  }

 private:
  Inspection::Group describe(std::size_t index) {
    const FusedGroup& fused = compiled_.groups[index];
    const ScheduledGroup& scheduled = compiled_.scheduled[index];
    const LoweredGroup& lowered = compiled_.lowered[index];
    Inspection::Group group;
    group.label = fused.label;
    group.reason = fused.reason;
    group.strategy = scheduled.schedule.strategy->name;
    group.point = to_string(scheduled.schedule.point);
    Class highest = Class::Movement;
    for (const std::size_t tensor : fused.tensors)
      group.members.push_back(member(tensor, highest, group.role));
    group.classification = classify::to_string(highest);
    group.is_movement = highest == Class::Movement;
    if (group.is_movement) group.stays = why_it_stays(fused.stored_tensors[0]);
    for (const definitions::GroupOperand& operand : scheduled.group.operands) {
      group.reads.push_back(stored(operand.tensor, operand.stored, operand.is_constant));
      add_source(operand.tensor, group);
    }
    for (std::size_t i = 0; i < scheduled.group.stored.size(); ++i)
      group.stores.push_back(stored(fused.stored_tensors[i], scheduled.group.stored[i], false));
    group.bytes_read = summed_bytes(group.reads);
    group.bytes_written = summed_bytes(group.stores);
    if (!lowered.program) {
      group.host = lowered.refusal;
      return group;
    }
    for (std::size_t i = 0; i < lowered.program->launches.size(); ++i, ++launch_) {
      group.launches.push_back(compiled_.program.launches[launch_].kernel);
      group.flops += compiled_.program.launches[launch_].flops;
    }
    return group;
  }

  /// Returns why a tensor that is a layout transformation has a kernel.
  std::string why_it_stays(std::size_t tensor) const {
    if (!options_.optimizations.movement_elimination)
      return "the elimination of layout transformations is off";
    const std::string& name = graph_.tensors[tensor].name;
    const std::vector<std::size_t> reads = funcs_.reads_of(funcs_.funcs_of(tensor));
    if (reads.size() == 1) {
      const auto movement =
          classify::movement_of(graph_.tensors[tensor].func.contents(), graph_.tensors[tensor].extents(),
                                graph_.tensors[reads[0]].extents());
      if (movement && movement->keeps_order) return "its operand is stored in another order";
    }
    for (const PassRecord& record : compiled_.log) {
      const auto kept = std::ranges::find_if(record.notes, [&](const PassNote& note) {
        return note.tensor == name && note.outcome == PassOutcome::Kept;
      });
      if (kept != record.notes.end()) return kept->text;
    }
    std::set<std::string> sources;
    bool is_by_data = false;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      for (const classify::Access& read : classify::classify(func.contents()).reads) {
        is_by_data |= read.kind() == classify::IndexKind::DataDependent;
        if (read.tensor && funcs_.tensor_of(*read.tensor)) sources.insert(read.name);
      }
    }
    if (is_by_data) return "the elements that it reads depend on data";
    if (sources.size() > 1) return "not all of the tensors that it concatenates can be computed in place";
    return "it is read under a condition";
  }

  Inspection::Member member(std::size_t tensor, Class& highest, std::string& role) const {
    Inspection::Member member{graph_.tensors[tensor].name, {}, {}};
    for (const definitions::Origin& origin : origins_of(graph_.tensors[tensor]))
      member.origins.push_back(to_string(origin));
    for (const Func& func : funcs_.funcs_of(tensor)) {
      const Class kind = classify::classify(func.contents()).kind;
      const std::string text = class_text(func.contents());
      if (kind > highest || role.empty()) role = text;
      highest = std::max(highest, kind);
      member.classes.push_back(fmt::format("{}: {}", func.name(), text));
    }
    return member;
  }

  Inspection::Stored stored(std::size_t tensor, const StoredTensor& as, bool is_constant) const {
    const std::string reason = is_constant ? "" : compiled_.storage.reasons[tensor];
    return {graph_.tensors[tensor].name, is_constant, to_string(as), known_bytes(as), reason};
  }

  /// Adds the groups and inputs that a tensor, which the group reads, comes from.
  void add_source(std::size_t tensor, Inspection::Group& group) const {
    std::set<std::size_t> from(group.from.begin(), group.from.end());
    std::set<std::size_t> inputs(group.inputs.begin(), group.inputs.end());
    const std::size_t owner = compiled_.storage.owner(tensor);
    if (const auto input = inputs_.find(graph_.tensors[owner].name); input != inputs_.end())
      inputs.insert(input->second);
    const std::vector<std::size_t> makers = makers_.of(tensor);
    from.insert(makers.begin(), makers.end());
    group.from.assign(from.begin(), from.end());
    group.inputs.assign(inputs.begin(), inputs.end());
  }

  /// Equal groups have one; the first of them was scheduled.
  void add_codes() {
    std::map<std::string, std::size_t> by_key;
    std::vector<std::size_t> firsts;
    for (std::size_t i = 0; i < compiled_.scheduled.size(); ++i) {
      const ScheduledGroup& scheduled = compiled_.scheduled[i];
      const auto [it, is_new] = by_key.try_emplace(scheduled.identity(), firsts.size());
      if (is_new) firsts.push_back(i);
      result_.groups[i].code = it->second;
    }
    result_.codes.resize(firsts.size());
    run_in_parallel(
        static_cast<int>(firsts.size()),
        [&](int job) {
          const auto i = static_cast<std::size_t>(job);
          result_.codes[i] = code_of(firsts[i]);
        },
        nullptr, options_.threads);
  }

  Inspection::Code code_of(std::size_t group) const {
    Inspection::Code code;
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : compiled_.scheduled[group].group.outputs) outputs.push_back(output.shared());
    code.funcs = describe_definitions(outputs);
    if (!compiled_.lowered[group].program) return code;
    code.kernels = result_.groups[group].launches;
    lower::LowerOptions options = lower_options(options_.device ? &*options_.device : nullptr);
    options.observer = [&](const lower::StepResult& result) {
      if (result.step.gives == lower::Stage::Loops) code.nest += draw_loop_nest(result.name, result.stmt);
    };
    code.divisions = find_divisions(lower::lower(outputs, options).kernels);
    return code;
  }

  /// Passes over definitions, and passes over groups that changed something.
  void add_passes() {
    for (const PassRecord& record : compiled_.log) {
      Inspection::Pass pass{
          record.name, record.after.groups > 0, size_of(record.before), size_of(record.after), {}};
      add_notes(record, pass);
      if (pass.name == "fuse" || pass.name == "separate") add_reasons(compiled_.fused, pass);
      if (pass.name == "remove_made_groups") add_places(pass);
      if (pass.name == "fuse_sliding_windows") add_slides(pass);
      if (!pass.of_groups || pass.before != pass.after || !pass.notes.empty())
        result_.passes.push_back(std::move(pass));
    }
  }

  void add_notes(const PassRecord& record, Inspection::Pass& pass) const {
    std::set<std::string> told;
    for (const PassNote& note : record.notes) {
      pass.notes.push_back(to_string(note));
      told.insert(note.tensor);
    }
    const std::set<std::string> left(record.after.computed.begin(), record.after.computed.end());
    for (const std::string& name : record.before.computed) {
      if (!left.contains(name) && !told.contains(name))
        pass.notes.push_back(fmt::format("%{} is gone: {}", name, why_gone(name)));
    }
  }

  std::string why_gone(const std::string& name) const {
    const auto op = std::ranges::find(result_.operators, name, &Inspection::Operator::output);
    return op == result_.operators.end() ? "nothing reads it" : op->reason;
  }

  static Inspection::Pass::Size size_of(const GraphSummary& summary) {
    if (summary.groups > 0) return {summary.groups, summary.moving_groups};
    return {summary.computed.size(), summary.movements.size()};
  }

  void add_reasons(const std::vector<FusedGroup>& groups, Inspection::Pass& pass) const {
    for (const FusedGroup& group : groups) {
      std::vector<std::string> names;
      for (const std::size_t tensor : group.tensors) names.push_back("%" + graph_.tensors[tensor].name);
      if (names.size() > 1) pass.notes.push_back(fmt::format("{} are fused", fmt::join(names, ", ")));
      if (!group.reason.empty())
        pass.notes.push_back(fmt::format("{} is stored: {}", names.back(), group.reason));
    }
  }

  void add_places(Inspection::Pass& pass) const {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      if (!compiled_.storage.reasons[i].empty())
        pass.notes.push_back(fmt::format("%{} is {}", graph_.tensors[i].name, compiled_.storage.reasons[i]));
    }
  }

  void add_slides(Inspection::Pass& pass) const {
    std::set<std::size_t> stored;
    for (const FusedGroup& group : compiled_.groups) stored.insert(group.stored_tensors[0]);
    for (const FusedGroup& group : compiled_.placed) {
      if (!stored.contains(group.stored_tensors[0]))
        pass.notes.push_back(fmt::format("%{} is not stored: a sliding window keeps only a few rows of it",
                                         graph_.tensors[group.stored_tensors[0]].name));
    }
  }

  void add_outputs() {
    for (const DefinitionGraph::Output& output : graph_.outputs) {
      Inspection::Group reader;
      add_source(output.tensor, reader);
      Inspection::Output out{output.name, {}, {}};
      if (!reader.from.empty()) out.group = reader.from.back();
      if (reader.from.empty() && !reader.inputs.empty()) out.input = reader.inputs.back();
      result_.outputs.push_back(std::move(out));
    }
  }

  void add_memory() {
    const Program& program = compiled_.program;
    Inspection::Memory& memory = result_.memory;
    const std::vector<std::optional<Lifetime>> lives = find_lifetimes(program);
    std::set<std::string> constants, intermediates;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
      const Program::Tensor& tensor = program.tensors[i];
      if (tensor.kind == Program::Tensor::Kind::Constant && !constants.insert(tensor.name).second)
        memory.copied_constants += known_bytes(tensor.stored).value_or(0);
      if (!lives[i]) {
        memory.open += tensor.kind == Program::Tensor::Kind::Intermediate ? 1 : 0;
        continue;
      }
      memory.apart += lives[i]->bytes;
      if (!intermediates.insert(tensor.name).second) memory.copied_intermediates += lives[i]->bytes;
      if (tensor.slot < 0) memory.planned += lives[i]->bytes;
      memory.tensors.push_back({tensor.name, lives[i]->bytes, lives[i]->first / 2, lives[i]->last / 2,
                                tensor.slot, tensor.offset});
    }
    memory.slot_bytes = program.slot_bytes;
    memory.planned += program.intermediate_bytes();
    // An output that overwrites an operand takes no memory of its own.
    std::vector<Lifetime> shared = shared_buffers(program).lives;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
      if (program.tensors[i].image && lives[i]) shared.push_back(*lives[i]);
    }
    memory.lower_bound = memory_lower_bound(shared);
  }

  const DefinitionGraph& imported_;
  const CompileOptions& options_;
  Graph compiled_;
  const DefinitionGraph& graph_;
  Producers makers_;
  definitions::TensorFuncs funcs_;
  Inspection result_;
  std::map<std::string, std::size_t> inputs_;  // operators by name
  std::size_t launch_ = 0;                     // the Program's next launch
};

}  // namespace

Inspection inspect_graph(const DefinitionGraph& graph, const CompileOptions& options) {
  return Inspector(graph, options).run();
}

}  // namespace tensordsl::graph
