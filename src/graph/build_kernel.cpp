#include "graph/build_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "graph/memory_order.h"
#include "ir/function.h"
#include "ops/operator_table.h"
#include "schedule/schedule.h"
#include "schedules/data_movement.h"
#include "schedules/tiled_reduction.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_all(const std::vector<std::int64_t>& values, std::int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == wanted; });
}

/// A convolution that looks at one pixel at a time does not care where pixels are: height and width are one
/// dimension to it, which leaves tiles no border.
bool is_pointwise(const Node& node, const Shape& output) {
  using Integers = std::vector<std::int64_t>;
  return node.op == "Conv" && output.size() == 4 &&
         is_all(node.attributes.get<Integers>("kernel_shape"), 1) &&
         is_all(node.attributes.get<Integers>("strides"), 1) &&
         is_all(node.attributes.get<Integers>("pads"), 0) &&
         node.attributes.get<std::int64_t>("group", 1) == 1;
}

class KernelBuilder {
 public:
  KernelBuilder(const Graph& graph, const NodeGroup& group, Precision precision,
                const schedules::Target& target)
      : graph_(graph),
        group_(group),
        anchor_(graph.nodes[group.nodes[0]]),
        precision_(precision),
        target_(target) {}

  GroupKernel build() {
    const Shape& output = graph_.info(group_.output).shape;
    flat_ = is_pointwise(anchor_, output) && every_operand_flattens();
    shape_ = output.empty() ? Shape{1} : view(output);  // a scalar is a tensor of one element
    order_ = memory_order_of(shape_);
    kernel_.stored = {stored_type(graph_.info(group_.output).type, precision_), extents_of(shape_),
                      layout_of(order_)};
    choose_tile_for_anchor();
    define();
    kernel_.output.bound(kernel_.stored.extents).layout(kernel_.stored.layout);
    schedule();
    return std::move(kernel_);
  }

 private:
  bool every_operand_flattens() const {
    const Shape& output = graph_.info(group_.output).shape;
    for (const std::size_t n : group_.nodes) {
      const Node& node = graph_.nodes[n];
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i].empty() || (&node == &anchor_ && i > 0)) continue;
        const Shape& s = graph_.info(node.inputs[i]).shape;
        if (s.size() <= 1) {
          // A vector would broadcast along the width.
          if (element_count(s) != 1) return false;
          continue;
        }
        const std::int64_t h = s[s.size() - 2], w = s[s.size() - 1];
        const bool whole = h == output[2] && w == output[3];
        if (s.size() < 3 || !(whole || (h == 1 && w == 1))) return false;
      }
    }
    return true;
  }

  /// A shape as the pipeline sees it: with the last two dimensions as one, if the group is flat.
  Shape view(const Shape& shape) const {
    if (!flat_ || shape.size() < 3) return shape;
    Shape merged(shape.begin(), shape.end() - 1);
    merged.back() *= shape.back();
    return merged;
  }

  std::vector<int> memory_order_of(const Shape& shape) const {
    return flat_ && shape.size() == 3 ? std::vector<int>{0, 2, 1} : memory_order(shape);
  }

  Attributes attributes_of(const Node& node) const {
    Attributes attributes = node.attributes;
    if (flat_ && &node == &anchor_) {
      using Integers = std::vector<std::int64_t>;
      attributes.set("kernel_shape", Integers{1});
      attributes.set("strides", Integers{1});
      attributes.set("dilations", Integers{1});
      attributes.set("pads", Integers{0, 0});
    }
    return attributes;
  }

  // The tile is known before the definition, because weights are packed in its channels.
  void choose_tile_for_anchor() {
    const std::size_t rank = order_.size();
    schedules::TileProblem problem;
    problem.channels = shape_[static_cast<std::size_t>(order_[rank - 1])];
    problem.pixels = rank > 1 ? shape_[static_cast<std::size_t>(order_[rank - 2])] : 1;
    problem.rows = std::max<std::int64_t>(1, *element_count(shape_) / (problem.channels * problem.pixels));
    problem.steps = reduction_steps();
    const bool multiplies = anchor_.op == "Conv" || anchor_.op == "Gemm" || anchor_.op == "MatMul";
    problem.shares_weights = multiplies;
    problem.broadcasts_input = multiplies && !is_depthwise();
    tile_ = schedules::choose_tile(problem, target_);
    if (multiplies) kernel_.flops = 2 * *element_count(shape_) * problem.steps;
  }

  bool is_depthwise() const {
    return anchor_.op == "Conv" && graph_.info(anchor_.inputs[1]).shape[1] == 1 &&
           graph_.info(anchor_.inputs[0]).shape[1] > 1;
  }

  std::int64_t reduction_steps() const {
    if (anchor_.op == "Conv") {
      const Shape& w = graph_.info(anchor_.inputs[1]).shape;
      return *element_count(w) / w[0];
    }
    if (anchor_.op == "Gemm") {
      const Shape& a = graph_.info(anchor_.inputs[0]).shape;
      return a[anchor_.attributes.get<std::int64_t>("transA", 0) ? 0 : 1];
    }
    if (anchor_.op == "MatMul") return graph_.info(anchor_.inputs[0]).shape.back();
    if (anchor_.attributes.has("kernel_shape")) {
      std::int64_t steps = 1;
      for (const std::int64_t k : anchor_.attributes.get<std::vector<std::int64_t>>("kernel_shape"))
        steps *= k;
      return steps;
    }
    return std::max<std::int64_t>(
        1, *element_count(graph_.info(anchor_.inputs[0]).shape) / *element_count(shape_));
  }

  /// Weights that are constant lie as the tile reads them: its channels together, reduction steps in between.
  std::vector<Layout::Term> weight_order(const Node& node, std::size_t slot) const {
    if (&node != &anchor_ || slot != 1 || !graph_.is_constant(node.inputs[1])) return {};
    const Shape shape = view_of_operand(node, slot);
    const int t = tile_.channels();
    using Part = Layout::Term::Part;
    std::vector<Layout::Term> terms;
    if (node.op == "Conv") {
      const bool packs = shape[1] > 1 && t > 1;
      if (packs) terms.push_back({0, Part::Quotient, t});
      for (std::size_t d = 2; d < shape.size(); ++d) terms.push_back({.dim = static_cast<int>(d)});
      terms.push_back({.dim = 1});
      terms.push_back(packs ? Layout::Term{0, Part::Remainder, t} : Layout::Term{.dim = 0});
    } else if (shape.size() == 2 && (node.op == "Gemm" || node.op == "MatMul")) {
      const bool transposed = node.op == "Gemm" && node.attributes.get<std::int64_t>("transB", 0) != 0;
      const int n = transposed ? 0 : 1;
      terms = {{n, Part::Quotient, t}, {.dim = 1 - n}, {n, Part::Remainder, t}};
    }
    return terms;
  }

  Shape view_of_operand(const Node& node, std::size_t slot) const {
    const Shape& shape = graph_.info(node.inputs[slot]).shape;
    if (&node == &anchor_ && flat_ && slot == 1) return {shape[0], shape[1], 1};
    return &node == &anchor_ && slot > 1 ? shape : view(shape);
  }

  Func operand(const Node& node, std::size_t slot) {
    const std::string& tensor = node.inputs[slot];
    const TensorInfo& info = graph_.info(tensor);
    if (graph_.is_constant(tensor) && element_count(info.shape) == 1) return literal(tensor, info);
    Shape shape = view_of_operand(node, slot);
    const Layout order = layout_for(node, slot, shape);
    if (shape.empty()) shape = {1};  // a dimensionless value is a tensor of one element
    GroupOperand op{tensor,
                    fmt::format("x{}", kernel_.operands.size()),
                    {stored_type(info.type, precision_), extents_of(shape), order}};
    for (const GroupOperand& known : kernel_.operands) {
      if (known.tensor == tensor && known.stored == op.stored) return inputs_.at(known.input);
    }
    Input input(op.input, op.stored.type, op.stored.extents);
    input.layout(order);
    inputs_.emplace(op.input, input);
    kernel_.operands.push_back(std::move(op));
    return input;
  }

  Layout layout_for(const Node& node, std::size_t slot, const Shape& shape) const {
    const auto terms = weight_order(node, slot);
    if (terms.empty()) return layout_of(shape.empty() ? std::vector<int>{0} : memory_order_of(shape));
    return Layout::of(terms);
  }

  /// A constant of one element is written into the kernel.
  Func literal(const std::string& tensor, const TensorInfo& info) {
    Func value(fmt::format("c{}", literals_++));
    std::vector<Var> dims;
    for (std::size_t d = 0; d < std::max<std::size_t>(info.shape.size(), 1); ++d)
      dims.emplace_back(fmt::format("d{}", d));
    const Buffer& buffer = graph_.constants.at(tensor);
    value(dims) = info.type.is_float() ? ir::make_float(Float(32), buffer.get(0))
                                       : ir::make_int(info.type, buffer.get_int(0));
    return value;
  }

  void define() {
    std::map<std::string, Func> made;
    std::map<std::string, int> names;
    std::string joined;
    int nodes = 0;
    for (const std::size_t n : group_.nodes) {
      const Node& node = graph_.nodes[n];
      const Attributes attributes = attributes_of(node);
      // The kernel is named after what it does: "conv_clip".
      constexpr int kMaxNamed = 6;
      const bool is_last = n == group_.nodes.back();
      if (++nodes <= kMaxNamed) joined += (joined.empty() ? "" : "_") + lower_case(node.op);
      if (is_last && nodes > kMaxNamed) joined += fmt::format("_and_{}_more", nodes - kMaxNamed);
      const std::string base = is_last ? joined : lower_case(node.op);
      const int count = names[base]++;
      OperatorOperands operands{
          count == 0 ? base : fmt::format("{}{}", base, count + 1), attributes, {}, {}, {}};
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i].empty()) {
          operands.inputs.emplace_back();
          operands.infos.emplace_back();
          continue;
        }
        const auto known = made.find(node.inputs[i]);
        operands.inputs.emplace_back(known != made.end() ? known->second : operand(node, i));
        TensorInfo info = graph_.info(node.inputs[i]);
        info.shape = view_of_operand(node, i);
        operands.infos.push_back(std::move(info));
      }
      operands.outputs = {graph_.info(node.outputs[0])};
      operands.outputs[0].shape = view(operands.outputs[0].shape);
      // Only what is stored is rounded; between fused operators values keep their precision.
      if (is_last) operands.outputs[0].type = kernel_.stored.type;
      kernel_.output = find_operator(node.op)->define(operands)[0];
      if (n == group_.nodes.front()) find_parts(kernel_.output);
      made.insert_or_assign(node.outputs[0], kernel_.output);
      kernel_.label += (kernel_.label.empty() ? "" : "+") + node.op;
    }
  }

  void find_parts(const Func& output) {
    for (const auto& f : ir::reachable(output.shared())) {
      if (!f->name.starts_with(output.name() + "_")) continue;  // an operand
      const Func part(
          std::static_pointer_cast<schedule::ScheduledFunction>(std::const_pointer_cast<ir::Function>(f)));
      (f->definitions.size() > 1 ? reductions_ : padded_).push_back(part);
    }
  }

  void schedule() {
    const bool is_window = is_depthwise() || anchor_.op == "MaxPool" || anchor_.op == "AveragePool";
    // A window of one channel reads each element a few times, mostly from registers: a kernel that copies the
    // input into its padding takes longer than the tests at the border, which loops are parted by.
    const std::vector<Func> stored = is_window ? std::vector<Func>() : padded_;
    for (Func padded : stored) {
      const Shape& input = view(graph_.info(anchor_.inputs[0]).shape);
      const auto order = memory_order_of(input);
      padded.compute_root().layout(layout_of(order));
      schedules::schedule_data_movement(padded, input, order, target_);
    }
    const auto& reductions = reductions_;
    if (reductions.empty()) {
      schedules::schedule_data_movement(kernel_.output, shape_, order_, target_);
    } else if (reductions.size() == 1 && reductions[0].rank() == kernel_.output.rank()) {
      const int kernel_axes = static_cast<int>(reductions[0].contents().definitions[1].domain.size());
      schedules::schedule_tiled_reduction(
          {kernel_.output, reductions[0], shape_, order_, is_window && kernel_axes > 1 ? 1 : 0}, tile_);
    } else {
      for (const Func& reduction : reductions) schedules::schedule_row_reduction(reduction, target_);
      schedules::schedule_data_movement(kernel_.output, shape_, order_, target_);
    }
  }

  const Graph& graph_;
  const NodeGroup& group_;
  const Node& anchor_;
  Precision precision_;
  const schedules::Target& target_;
  bool flat_ = false;
  Shape shape_;  // of the output, as the pipeline sees it
  std::vector<int> order_;
  schedules::Tile tile_;
  GroupKernel kernel_;
  std::map<std::string, Func> inputs_;
  std::vector<Func> reductions_, padded_;
  int literals_ = 0;
};

}  // namespace

Type stored_type(Type type, Precision precision) {
  return type == Float(32) && precision == Precision::Float16 ? Float(16) : type;
}

GroupKernel build_kernel(const Graph& graph, const NodeGroup& group, Precision precision,
                         const schedules::Target& target) {
  return KernelBuilder(graph, group, precision, target).build();
}

}  // namespace tensordsl
