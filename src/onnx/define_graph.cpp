#include "onnx/define_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/index_limit.h"
#include "base/lower_case.h"
#include "onnx/rewrite/fold_zero_points.h"
#include "ops/definitions/building_blocks.h"
#include "ops/loop_marks.h"
#include "ops/node_rules.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using definitions::DefinitionGraph;
using ops::kLoopStep;
using ops::Node;
using ops::Size;
using ops::TensorInfo;

std::vector<Expr> extents_of(const TensorInfo& info) {
  std::vector<Expr> extents;
  for (const Size& extent : info.shape) {
    if (is_less(kMaxElements, extent) == true) {
      throw ShapeError(
          fmt::format("a tensor of [{}] exceeds the limit of a kernel's index", to_string(info.shape)));
    }
    extents.push_back(extent.expr());
  }
  return extents;
}

class GraphDefiner {
 public:
  explicit GraphDefiner(Graph graph) : graph_(std::move(graph)) {
    for (const Node& node : graph_.nodes) used_.insert(node.inputs.begin(), node.inputs.end());
    used_.insert(graph_.outputs.begin(), graph_.outputs.end());
    for (const Graph::Count& count : graph_.counts) used_.insert(count.tensor);
  }

  DefinitionGraph run() {
    result_.name = graph_.name;
    result_.warnings = graph_.warnings;
    for (const std::string& input : graph_.inputs) {
      result_.inputs.push_back(add_input(input));
      result_.tensors.back().given_as = outer_type(input);
    }
    for (auto& [name, value] : graph_.constants) {
      if (used_.contains(name)) {
        result_.tensors[add_input(name)].constant = std::make_shared<const Buffer>(std::move(value));
      }
    }
    for (const Node& node : graph_.nodes) define(node);
    for (const std::string& output : graph_.outputs)
      result_.outputs.push_back({output, tensors_.at(output), outer_type(output)});
    result_.requirements = std::move(graph_.requirements);
    for (const Graph::Count& count : graph_.counts)
      result_.counts.push_back({count.param, tensors_.at(count.tensor), count.bound.expr()});
    return std::move(result_);
  }

 private:
  std::optional<Type> outer_type(const std::string& tensor) const {
    const auto found = graph_.outer_types.find(tensor);
    return found == graph_.outer_types.end() ? std::nullopt : std::optional(found->second);
  }

  std::size_t add(definitions::DefinedTensor tensor) {
    tensors_.emplace(tensor.name, result_.tensors.size());
    result_.tensors.push_back(std::move(tensor));
    return result_.tensors.size() - 1;
  }

  std::size_t add_input(const std::string& name) {
    const TensorInfo& info = graph_.info(name);
    const std::vector<Expr> shape = extents_of(info);
    const Input input(fmt::format("t{}", result_.tensors.size()), info.type,
                      shape.empty() ? std::vector<Expr>{1} : shape);
    return add({name, input, shape});
  }

  const Buffer* constant_of(const std::string& tensor) const {
    return result_.tensors[tensors_.at(tensor)].constant.get();
  }

  Func add_constant(const std::string& name, Buffer value) {
    std::string fresh = fresh_name(graph_, name);
    while (tensors_.contains(fresh)) fresh += '_';
    std::vector<Expr> shape;
    for (const std::int64_t extent : value.shape()) shape.emplace_back(static_cast<int>(extent));
    const Input input(fmt::format("t{}", result_.tensors.size()), value.type(), shape);
    add({fresh, input, shape, std::make_shared<const Buffer>(std::move(value))});
    return input;
  }

  /// A Func that has the elements of the tensor.
  std::size_t add_copy(std::size_t tensor, const std::string& name, const definitions::Origin& origin) {
    const definitions::DefinedTensor& from = result_.tensors[tensor];
    std::string fresh = fresh_name(graph_, name);
    while (tensors_.contains(fresh)) fresh += '_';
    Func copy(fmt::format("{}_{}", lower_case(origin.kind), result_.tensors.size()));
    const std::vector<Var> vars =
        ops::definitions::index_vars(ops::Shape(static_cast<std::size_t>(from.func.rank()), 1));
    copy(vars) = from.func(std::vector<Expr>(vars.begin(), vars.end()));
    return add({fresh, copy, from.shape, nullptr, origin});
  }

  static definitions::Origin origin_of_loop(const Node& mark) {
    return {mark.attributes.get<std::string>(ops::kLoopOf), mark.name};
  }

  void begin_loop(const Node& mark) {
    std::vector<std::size_t>& begin = begun_[mark.attributes.get<std::string>(kLoopStep)];
    for (std::size_t i = 0; i < mark.inputs.size(); ++i) {
      begin.push_back(
          add_copy(tensors_.at(mark.inputs[i]), mark.outputs[i] + ".begin", origin_of_loop(mark)));
      add_input(mark.outputs[i]);
    }
    Func value(fmt::format("step_{}", result_.tensors.size()));
    const Size step = Size::symbol(mark.attributes.get<std::string>(kLoopStep));
    value(ops::definitions::index_vars({})) = ops::definitions::number(Int(64), step);
    add({mark.outputs.back(), value, {}, nullptr, origin_of_loop(mark)});
  }

  void end_loop(const Node& mark) {
    DefinitionGraph::Loop loop{mark.attributes.get<std::string>(kLoopStep),
                               mark.attributes.sizes(ops::kLoopSteps).at(0).expr()};
    const ops::LoopEndInputs at(mark.attributes);
    const std::vector<std::size_t>& begin = begun_.at(loop.step);
    for (std::size_t i = 0; i < at.carried; ++i) {
      const std::size_t now = tensors_.at(mark.inputs[at.now(i)]);
      loop.carried.push_back({begin[i], now, handed_on(mark, at.next(i)), 0});
    }
    for (std::size_t i = 0; i < at.rows; ++i) loop.rows.push_back({handed_on(mark, at.row(i)), 0});
    if (mark.attributes.get<std::int64_t>(ops::kLoopIsConditional) != 0) {
      loop.condition = handed_on(mark, at.condition());
      loop.taken = mark.attributes.get<std::string>(ops::kLoopTaken);
    }
    for (std::size_t i = 0; i < at.carried; ++i) loop.carried[i].end = add_input(mark.outputs[i]);
    for (std::size_t i = 0; i < at.rows; ++i) loop.rows[i].whole = add_input(mark.outputs[at.carried + i]);
    result_.loops.push_back(std::move(loop));
  }

  /// Returns the tensor that is input `i` of the mark if the loop computes it, and hands it on as nothing
  /// else; or a copy.
  std::size_t handed_on(const Node& mark, std::size_t i) {
    const std::size_t tensor = tensors_.at(mark.inputs[i]), number = tensors_.at(mark.inputs[0]);
    const bool is_inside = tensor > number && !result_.tensors[tensor].func.is_input();
    if (is_inside && handed_on_.insert(tensor).second) return tensor;
    return add_copy(tensor, mark.inputs[i] + ".copy", origin_of_loop(mark));
  }

  void define(const Node& node) {
    if (node.op == ops::kLoopBegin) return begin_loop(node);
    if (node.op == ops::kLoopEnd) return end_loop(node);
    // Every Func of a graph has a name of its own; the names of its parts start with it.
    // Without the domain: kernels are named after it.
    const std::string kind = node.op.substr(node.op.rfind('.') + 1);
    ops::OperatorOperands operands{
        fmt::format("{}_{}", lower_case(kind), result_.tensors.size()), node.attributes, {}, {}, {}};
    for (const std::string& input : node.inputs) {
      if (input.empty()) {
        operands.inputs.emplace_back();
        operands.infos.emplace_back();
      } else {
        operands.inputs.emplace_back(result_.tensors[tensors_.at(input)].func);
        operands.infos.push_back(graph_.info(input));
      }
    }
    for (const std::string& output : node.outputs)
      operands.outputs.push_back(output.empty() ? TensorInfo() : graph_.info(output));
    fold_zero_points(
        node.op, operands,
        {[&](std::size_t i) { return constant_of(node.inputs[i]); },
         [&](const std::string& name, Buffer value) { return add_constant(name, std::move(value)); }});
    const std::vector<Func> funcs = define(node, operands);
    for (const std::size_t i : in_order_of_reads(funcs, node.outputs.size(), operands.inputs)) {
      const std::string& name = node.outputs[i];
      if (name.empty() || !used_.contains(name)) continue;
      add({name, funcs[i], extents_of(graph_.info(name)), nullptr, {kind, node.name}});
    }
  }

  static std::vector<Func> define(const Node& node, const ops::OperatorOperands& operands) {
    try {
      return ops::define(node, operands);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", label(node), error.what()));
    }
  }

  /// Returns the first `count` of `funcs`, each after the ones that it reads.
  static std::vector<std::size_t> in_order_of_reads(const std::vector<Func>& funcs, std::size_t count,
                                                    const std::vector<std::optional<Func>>& inputs) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    if (count == 1) return order;
    std::vector<ir::FunctionPtr> given;  // the graph before this node, which may be long
    for (const std::optional<Func>& input : inputs) {
      if (input) given.push_back(input->shared());
    }
    // Counts the Funcs that each one reaches: a reader reaches all that its producer does, and the producer.
    std::vector<std::ptrdiff_t> read;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<ir::FunctionPtr> functions = ir::reachable({funcs[i].shared()}, given);
      read.push_back(std::ranges::count_if(functions, [&](const ir::FunctionPtr& function) {
        return std::ranges::any_of(funcs, [&](const Func& other) { return other.shared() == function; });
      }));
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return read[i]; });
    return order;
  }

  Graph graph_;
  std::set<std::string> used_;
  DefinitionGraph result_;
  std::map<std::string, std::size_t> tensors_;             // by name
  std::map<std::string, std::vector<std::size_t>> begun_;  // tensors that loops begin with, by their steps
  std::set<std::size_t> handed_on_;
};

}  // namespace

DefinitionGraph define_graph(Graph graph) { return GraphDefiner(std::move(graph)).run(); }

}  // namespace tensordsl::onnx
