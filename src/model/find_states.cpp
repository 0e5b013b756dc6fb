#include "model/find_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ir/nodes/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

std::string text_of(const DefinedTensor& tensor, const std::optional<Type>& type) {
  std::vector<std::string> extents;
  for (const Expr& extent : tensor.shape) extents.push_back(to_string(extent));
  return fmt::format("{} [{}]", to_string(type.value_or(tensor.type())), fmt::join(extents, ", "));
}

template <typename Names>
std::string list_of(const Names& names) {
  return names.empty() ? "none" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

class StateFinder {
 public:
  explicit StateFinder(const DefinitionGraph& graph) : graph_(graph) {
    for (const std::size_t input : graph.inputs) inputs_.push_back(graph.tensors[input].name);
    for (const DefinitionGraph::Output& output : graph.outputs) outputs_.push_back(output.name);
  }

  std::vector<DefinitionGraph::State> run(const std::map<std::string, std::string>& names) {
    std::set<std::string> given;
    for (const auto& [input, output] : names) {
      if (!given.insert(output).second)
        throw ModelError(
            fmt::format("states: the output \"{}\" is the next value of two inputs; use it for one", output));
      states_.push_back({place(inputs_, input, "input"), place(outputs_, output, "output"), -1});
      states_.back().axis = axis_of(states_.back(), input, output);
    }
    std::ranges::sort(states_, {}, &DefinitionGraph::State::input);
    require_one_param();
    return states_;
  }

 private:
  static std::size_t place(const std::vector<std::string>& names, const std::string& name, const char* what) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw ModelError(
        fmt::format("states: the model has no {} \"{}\"; it has {}", what, name, list_of(names)));
  }

  const DefinedTensor& input(const DefinitionGraph::State& state) const {
    return graph_.tensors[graph_.inputs[state.input]];
  }
  const DefinedTensor& output(const DefinitionGraph::State& state) const {
    return graph_.tensors[graph_.outputs[state.output].tensor];
  }

  /// The dimension in which they differ; -1 if they do not.
  int axis_of(const DefinitionGraph::State& state, const std::string& from, const std::string& to) const {
    const std::vector<Expr>&before = input(state).shape, &after = output(state).shape;
    const auto type_before = input(state).given_as, type_after = graph_.outputs[state.output].read_as;
    const bool is_typed =
        type_before.value_or(input(state).type()) == type_after.value_or(output(state).type());
    std::vector<int> axes;
    for (std::size_t d = 0; d < std::min(before.size(), after.size()); ++d) {
      if (!same(before[d], after[d])) axes.push_back(static_cast<int>(d));
    }
    const bool is_alike = is_typed && before.size() == after.size() && axes.size() <= 1;
    const bool grows = is_alike && axes.size() == 1;
    if (is_alike && (!grows || before[static_cast<std::size_t>(axes[0])]->kind == ir::ExprKind::Var))
      return grows ? axes[0] : -1;
    throw ModelError(fmt::format(
        "states: the input \"{}\" is {}, but the output \"{}\" is {}; types and shapes must be equal, except "
        "for one symbolic dimension of the input (do not set it in ModelOptions::dims)",
        from, text_of(input(state), type_before), to, text_of(output(state), type_after)));
  }

  /// A Runner has one length for all that grows.
  void require_one_param() const {
    const DefinitionGraph::State* first = nullptr;
    for (const DefinitionGraph::State& state : states_) {
      if (state.axis < 0) continue;
      if (!first) first = &state;
      const auto axis = static_cast<std::size_t>(state.axis),
                 first_axis = static_cast<std::size_t>(first->axis);
      const bool is_same = same(input(state).shape[axis], input(*first).shape[first_axis]) &&
                           same(output(state).shape[axis], output(*first).shape[first_axis]);
      if (is_same) continue;
      throw ModelError(
          fmt::format("states: \"{}\" grows from {} to {}, but \"{}\" from {} to {}; all growing states must "
                      "grow by the same number of elements",
                      input(*first).name, to_string(input(*first).shape[first_axis]),
                      to_string(output(*first).shape[first_axis]), input(state).name,
                      to_string(input(state).shape[axis]), to_string(output(state).shape[axis])));
    }
  }

  const DefinitionGraph& graph_;
  std::vector<std::string> inputs_, outputs_;
  std::vector<DefinitionGraph::State> states_;
};

}  // namespace

std::vector<DefinitionGraph::State> find_states(const DefinitionGraph& graph,
                                                const std::map<std::string, std::string>& names) {
  return StateFinder(graph).run(names);
}

}  // namespace tensordsl
