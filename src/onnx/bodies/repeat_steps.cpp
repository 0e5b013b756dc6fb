// Loop and Scan whose steps stay steps: one of them between marks.
//     y = Loop(n, c, h0) { h1 = f(h, i) }   ->   h, i = LoopBegin(h0);  h1 = f(h, i);  y = LoopEnd(h, h1)
#include <algorithm>
#include <limits>

#include "base/index_limit.h"
#include "base/text/printable.h"
#include "onnx/bodies/bodies.h"
#include "onnx/bodies/body_parts.h"
#include "ops/loop_marks.h"

namespace tensordsl::onnx {

using ops::Attributes;
using ops::Ints;
using ops::Node;
using ops::Size;

struct Bodies::Repetition {
  std::vector<Node> nodes;
  std::string prefix, step, taken;  // of the names in it; its symbols
  std::vector<std::string> now;     // the carried values, in a step
  std::string number;               // of the step
  std::vector<std::string> next, rows;
};

namespace {

/// The output is the input `from`, or a constant of the graph, perhaps under other names.
bool is_unchanged(const ::onnx::GraphProto& graph, const std::string& output, const std::string& from) {
  std::string name = output;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (name == from) return true;
    const auto maker = std::ranges::find_if(graph.node(), [&](const ::onnx::NodeProto& node) {
      return std::ranges::find(node.output(), name) != node.output().end();
    });
    if (maker == graph.node().end()) break;
    if (maker->op_type() == "Constant") return true;
    if (maker->op_type() != "Identity" || maker->input_size() != 1) return false;
    name = maker->input(0);
  }
  return name == from || std::ranges::find(graph.initializer(), name, &::onnx::TensorProto::name) !=
                             graph.initializer().end();
}

/// Moves the rows from the first dimension to `axis`.
Ints rows_to_axis(const Node& node, const ::onnx::ValueInfoProto& output, std::int64_t axis) {
  const auto& type = output.type().tensor_type();
  if (!type.has_shape()) {
    throw ops::UnevenSteps(
        fmt::format("{}: its body does not declare the rank of '{}', whose rows are along dimension {}",
                    label(node), printable(output.name()), axis),
        node.outputs[0]);
  }
  const std::int64_t rank = type.shape().dim_size() + 1, to = axis < 0 ? axis + rank : axis;
  if (to < 0 || to >= rank) refuse_node(node, "axis {} is outside a tensor of {} dimensions", axis, rank);
  Ints perm;
  for (std::int64_t d = 1; d < rank; ++d) perm.push_back(d);
  perm.insert(perm.begin() + to, 0);
  return perm;
}

}  // namespace

bool Bodies::is_written_out(const Node& node, const ::onnx::GraphProto& graph,
                            const std::optional<Size>& steps) const {
  const std::string& key = node.outputs[0];
  if (steps_.written_out.contains(key) || steps_.repeated.contains(key))
    return steps_.written_out.contains(key);
  return steps && steps->is_known() && steps->value() <= kMostWrittenOut / (graph.node_size() + 1);
}

bool Bodies::is_written_out(const Node& node, const ::onnx::GraphProto& graph) const {
  const std::string &most = node.inputs[0], &begins = node.inputs[1];
  const bool is_known = (most.empty() || constant(most)) && (begins.empty() || constant(begins));
  // A condition that is computed may be known step by step, and be false soon.
  const bool may_end = is_known && !steps_.repeated.contains(node.outputs[0]) &&
                       !is_unchanged(graph, graph.output(0).name(), graph.input(1).name());
  std::optional<Size> steps;
  if (is_known && !most.empty()) steps = constant(most)->get_int(0);
  return may_end || is_written_out(node, graph, steps);
}

bool Bodies::is_bounded(const Size& steps) const {
  if (steps.is_known()) return steps.value() < kMaxElements;
  return std::ranges::none_of(steps.symbols(), [&](const std::string& symbol) {
    const auto count = std::ranges::find(graph_.counts, symbol, &Graph::Count::param);
    return count != graph_.counts.end() && !is_bounded(count->bound);
  });
}

/// `nodes` are those that compute it.
Size Bodies::steps_of_loop(const Node& node, std::vector<Node>& nodes) {
  const auto number = [&](const std::string& name, std::int64_t value) {
    const std::string tensor = fresh(node.outputs[0] + name);
    Buffer buffer(Int(64), {});
    buffer.set_int(0, value);
    add_constant_(tensor, std::move(buffer), 0);
    return tensor;
  };
  const auto add = [&](const char* op, std::vector<std::string> inputs, Attributes attributes) {
    nodes.push_back(
        {node.name, op, std::move(inputs), {fresh(node.outputs[0] + "." + op)}, std::move(attributes)});
    return nodes.back().outputs[0];
  };
  const auto require_one = [&](const std::string& tensor, Type type, const char* what) {
    const ops::TensorInfo& info = graph_.info(tensor);
    if (info.type != type || is_equal(element_count(info.shape), 1) != true)
      refuse_node(node, "the {} '{}' is {}; it must be one {}", what, tensor, to_string(info),
                  to_string(type));
  };
  if (!node.inputs[0].empty()) require_one(node.inputs[0], Int(64), "number of iterations");
  if (!node.inputs[1].empty()) require_one(node.inputs[1], Bool(), "condition");
  Size steps = kMaxElements;
  if (const std::string& most = node.inputs[0]; !most.empty()) {
    const auto sizes = graph_.sizes.find(most);
    if (const Buffer* value = constant(most)) {
      steps = std::clamp<std::int64_t>(value->get_int(0), 0, kMaxElements);
    } else if (sizes != graph_.sizes.end()) {
      steps = max(sizes->second[0], 0);
    } else {
      const std::string few = add("Min", {most, number(".most", kMaxElements)}, {});
      steps = graph_.add_count(add("Max", {few, number(".least", 0)}, {}), kMaxElements);
    }
  }
  if (const std::string& begins = node.inputs[1]; !begins.empty()) {
    if (const Buffer* value = constant(begins)) return value->get(0) != 0 ? steps : Size(0);
    constexpr std::int64_t kInt64 = ::onnx::TensorProto::INT64;
    steps *= graph_.add_count(add("Cast", {begins}, with("to", kInt64)), 1);
  }
  return steps;
}

auto Bodies::begin_repetition(const Node& node, const std::vector<std::string>& begin) -> Repetition {
  Repetition made;
  made.prefix = node.outputs[0] + ".";
  made.step = fresh_count(graph_, made.prefix + "step");
  graph_.loop_symbols.insert(made.step);
  made.taken = fresh_count(graph_, made.prefix + "taken");
  graph_.loop_symbols.insert(made.taken);
  for (std::size_t i = 0; i < begin.size(); ++i) made.now.push_back(fresh(made.prefix + "now"));
  made.number = fresh(made.prefix + "number");
  Node mark{node.name, std::string(ops::kLoopBegin), begin, made.now, {}};
  mark.outputs.push_back(made.number);
  mark.attributes.set(ops::kLoopOf, node.op);
  mark.attributes.set(ops::kLoopKey, node.outputs[0]);
  mark.attributes.set(ops::kLoopStep, made.step);
  mark.attributes.set(ops::kLoopCarried, static_cast<std::int64_t>(begin.size()));
  made.nodes.push_back(std::move(mark));
  return made;
}

/// Ends the repetition. `outputs`: of the carried values and then of the rows, one for each.
std::vector<Node> Bodies::end_repetition(const Node& node, Repetition made, const Size& steps,
                                         const std::string& condition, std::vector<std::string> outputs) {
  Node mark{node.name, std::string(ops::kLoopEnd), {made.number}, std::move(outputs), {}};
  mark.inputs.insert(mark.inputs.end(), made.now.begin(), made.now.end());
  mark.inputs.insert(mark.inputs.end(), made.next.begin(), made.next.end());
  for (const std::string& row : made.rows) {
    mark.inputs.push_back(fresh(row + ".row"));
    made.nodes.push_back({node.name, "Unsqueeze", {row}, {mark.inputs.back()}, with("axes", Ints{0})});
  }
  if (!condition.empty()) mark.inputs.push_back(condition);
  mark.attributes.set(ops::kLoopOf, node.op);
  mark.attributes.set(ops::kLoopKey, node.outputs[0]);
  mark.attributes.set(ops::kLoopStep, made.step);
  mark.attributes.set(ops::kLoopTaken, made.taken);
  mark.attributes.set(ops::kLoopCarried, static_cast<std::int64_t>(made.now.size()));
  mark.attributes.set(ops::kLoopRows, static_cast<std::int64_t>(made.rows.size()));
  mark.attributes.set(ops::kLoopSteps, ops::Sizes{steps});
  made.nodes.push_back(std::move(mark));
  return std::move(made.nodes);
}

std::vector<Node> Bodies::repeat_loop(const Node& node, const Body& body, const ::onnx::GraphProto& graph) {
  const std::size_t values = body.inputs - 2;
  std::vector<Node> nodes;
  const Size steps = steps_of_loop(node, nodes);
  Repetition made = begin_repetition(
      node, {node.inputs.begin() + 2, node.inputs.begin() + static_cast<std::ptrdiff_t>(body.inputs)});
  const std::string goes_on = fresh(made.prefix + "condition");
  Buffer yes(Bool(), {});
  yes.set(0, 1);
  add_constant_(goes_on, std::move(yes), 0);

  const auto scope = scope_in(body);
  scope->names.emplace(graph.input(0).name(), made.number);
  scope->names.insert_or_assign(graph.input(1).name(), goes_on);
  for (std::size_t i = 0; i < values; ++i)
    scope->names.insert_or_assign(graph.input(static_cast<int>(i) + 2).name(), made.now[i]);
  for (Node& inner : instance(node, graph, scope, made.prefix)) made.nodes.push_back(std::move(inner));
  const auto output = [&](std::size_t i) {
    return resolve(*scope, graph.output(static_cast<int>(i)).name());
  };
  std::vector<std::string> outputs = node.outputs;
  for (std::size_t i = 1; i < static_cast<std::size_t>(graph.output_size()); ++i) {
    const bool is_row = i > values;
    if (is_row && i > node.outputs.size()) break;  // it is not read
    (is_row ? made.rows : made.next).push_back(output(i));
    if (i > outputs.size()) outputs.push_back(fresh(made.prefix + "end"));
  }
  if (!made.rows.empty() && !is_bounded(steps)) {
    if (node.inputs[0].empty() || constant(node.inputs[0]))
      refuse_node(node,
                  "each iteration adds to output {}, but the maximum number of iterations is unknown; "
                  "supported: a known number",
                  values);
    refuse_computed(node, "number of iterations, each of which adds to an output,", node.inputs[0]);
  }
  for (Node& inner : end_repetition(node, std::move(made), steps, output(0), std::move(outputs)))
    nodes.push_back(std::move(inner));
  return nodes;
}

std::vector<Node> Bodies::repeat_scan(const Node& node, const Body& body, const ::onnx::GraphProto& graph,
                                      const std::vector<ScannedInput>& sources) {
  const std::size_t states = body.inputs - sources.size();
  const Size& steps = sources[0].extent;
  Repetition made = begin_repetition(
      node, {node.inputs.begin(), node.inputs.begin() + static_cast<std::ptrdiff_t>(states)});
  const auto scope = scope_in(body);
  for (std::size_t i = 0; i < states; ++i)
    scope->names.insert_or_assign(graph.input(static_cast<int>(i)).name(), made.now[i]);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const ScannedInput& source = sources[i];
    const Size step = Size::symbol(made.step), at = source.is_reversed ? steps - 1 - step : step;
    const std::string& tensor = node.inputs[states + i];
    const std::string element = fresh(made.prefix + "element");
    Attributes place = with("axis", source.axis);
    place.set("at", ops::Sizes{at});
    made.nodes.push_back({node.name, std::string(ops::kLoopElement), {tensor}, {element}, std::move(place)});
    scope->names.insert_or_assign(graph.input(static_cast<int>(states + i)).name(), element);
  }
  for (Node& inner : instance(node, graph, scope, made.prefix)) made.nodes.push_back(std::move(inner));

  const std::size_t results = static_cast<std::size_t>(graph.output_size()) - states;
  const Ints axes = node.attributes.get<Ints>("scan_output_axes", Ints(results, 0)),
             directions = node.attributes.get<Ints>("scan_output_directions", Ints(results, 0));
  std::vector<std::string> outputs;
  std::vector<Node> behind;
  for (std::size_t i = 0; i < states + results; ++i) {
    const auto& output = graph.output(static_cast<int>(i));
    const std::string value = resolve(*scope, output.name());
    const bool is_listed = i < node.outputs.size();
    if (i < states) {
      made.next.push_back(value);
      outputs.push_back(is_listed ? node.outputs[i] : fresh(made.prefix + "end"));
      continue;
    }
    if (!is_listed) break;  // it is not read
    made.rows.push_back(value);
    const std::size_t row = i - states;
    std::string all = node.outputs[i];
    const auto before = [&](const char* op, Attributes attributes) {
      const std::string from = fresh(made.prefix + "rows");
      behind.insert(behind.begin(), {node.name, op, {from}, {all}, std::move(attributes)});
      all = from;
    };
    if (axes[row] != 0) before("Transpose", with("perm", rows_to_axis(node, output, axes[row])));
    if (directions[row] == 1) {
      Attributes reversed = with("axes", Ints{0});
      reversed.set("starts", Ints{-1});
      reversed.set("ends", Ints{std::numeric_limits<std::int64_t>::min()});
      reversed.set("steps", Ints{-1});
      before("Slice", std::move(reversed));
    }
    outputs.push_back(all);
  }
  std::vector<Node> nodes = end_repetition(node, std::move(made), steps, "", std::move(outputs));
  nodes.insert(nodes.end(), std::move_iterator(behind.begin()), std::move_iterator(behind.end()));
  return nodes;
}

}  // namespace tensordsl::onnx
