// Operators that hand a state on from one element of a sequence to the next: a convolution, and attention
// whose keys and values are summed.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "ops/element_types.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/inferred_node.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::normalize {
namespace {

std::int64_t known_extent(const Node& node, const Size& extent, const char* what) {
  if (!extent.is_known()) {
    refuse(node,
           fmt::format("the {} is {}, and must be known; {}", what, to_string(extent), how_to_know(extent)));
  }
  return extent.value();
}

void require_shape(const NodeContext& context, const Node& node, std::size_t i, const Shape& wanted) {
  const TensorInfo& found = context.info(node.inputs[i]);
  if (found.shape != wanted)
    refuse(node, fmt::format("input {} is {}; it must be {}", i, to_string(found), to_string(wanted)));
}

/// B batches, T steps, and heads of queries that share a state, of Hk heads and dk rows of dv elements.
class LinearAttention {
 public:
  LinearAttention(NodeContext& context, const Node& node)
      : context_(context), node_(node), made_(context, node) {}

  std::vector<Node> run() {
    read_shapes();
    const double usual = 1 / std::sqrt(static_cast<double>(width_)),
                 given = node_.attributes.get<double>("scale", 0.0);
    Buffer scale(Float(32), {});
    scale.set(0, given == 0 ? usual : given);
    queries_ = made_.add("scaled", "Mul", {wide("q", 0), made_.constant("scale", std::move(scale))});
    keys_ = wide("k", 1);
    values_ = wide("v", 2);
    if (has_decay_) decay_ = made_.add("kept", "Exp", {wide("decay", 4)});
    if (has_delta_) beta_ = wide("beta", 5);
    std::string state = has_past() ? wide("past", 3) : "";
    std::vector<std::string> outputs;
    for (std::int64_t t = 0; t < steps_; ++t) outputs.push_back(step(t, state));
    made_.give(0, narrow("y", made_.concat("outputs", std::move(outputs), 1), info(0).type));
    made_.give(1, narrow("present", state, info(has_past() ? 3 : 0).type));
    return made_.take();
  }

 private:
  const TensorInfo& info(std::size_t i) const { return context_.info(node_.inputs[i]); }
  bool has_past() const { return !node_.input(3).empty(); }

  std::int64_t heads(const char* name) const {
    const std::int64_t heads = node_.attributes.get<std::int64_t>(name);
    if (heads < 1) refuse(node_, fmt::format("attribute {} = {} must be positive", name, heads));
    return heads;
  }

  void read_rule() {
    const std::string rule = node_.attributes.get<std::string>("update_rule", "gated_delta");
    has_decay_ = rule == "gated" || rule == "gated_delta";
    has_delta_ = rule == "delta" || rule == "gated_delta";
    if (rule != "linear" && !has_decay_ && !has_delta_) {
      refuse(node_, fmt::format("attribute update_rule = \"{}\" is not supported; supported: linear, gated, "
                                "delta, gated_delta",
                                rule));
    }
    for (const auto& [i, is_wanted] : {std::pair(4, has_decay_), std::pair(5, has_delta_)}) {
      if (node_.input(static_cast<std::size_t>(i)).empty() != is_wanted) continue;
      refuse(node_, fmt::format("input {} is {}; with update_rule = \"{}\" it must {}be there", i,
                                is_wanted ? "absent" : "there", rule, is_wanted ? "" : "not "));
    }
  }

  void read_shapes() {
    read_rule();
    for (const std::size_t i : {0, 1, 2}) {
      if (info(i).shape.size() != 3 || !info(i).type.is_float())
        refuse(node_, fmt::format("input {} is {}; it must be floats [B,T,H*D]", i, to_string(info(i))));
    }
    const std::int64_t query_heads = heads("q_num_heads");
    heads_ = heads("kv_num_heads");
    const std::int64_t q = known_extent(node_, info(0).shape[2], "width of the queries"),
                       v = known_extent(node_, info(2).shape[2], "width of the values");
    if (query_heads % heads_ != 0 || q % query_heads != 0 || v % heads_ != 0) {
      refuse(node_, fmt::format("q_num_heads = {} and kv_num_heads = {} do not divide {} and {}", query_heads,
                                heads_, to_string(info(0)), to_string(info(2))));
    }
    group_ = query_heads / heads_;
    width_ = q / query_heads;
    value_width_ = v / heads_;
    batch_ = info(0).shape[0];
    steps_ = known_extent(node_, info(0).shape[1], "length of the sequence");
    if (steps_ < 1) refuse(node_, "the sequence has no elements");
    require_shape(context_, node_, 1, {batch_, steps_, heads_ * width_});
    require_shape(context_, node_, 2, {batch_, steps_, v});
    if (has_past()) require_shape(context_, node_, 3, {batch_, heads_, width_, value_width_});
    if (has_decay_) {
      decays_ = info(4).shape.size() == 3 && info(4).shape[2] == Size(heads_) ? 1 : width_;
      require_shape(context_, node_, 4, {batch_, steps_, heads_ * decays_});
    }
    if (has_delta_) {
      betas_ = info(5).shape.size() == 3 && info(5).shape[2] == Size(1) ? 1 : heads_;
      require_shape(context_, node_, 5, {batch_, steps_, betas_});
    }
  }

  std::string wide(const std::string& step, std::size_t i) {
    if (info(i).type == Float(32)) return node_.inputs[i];
    return made_.add(step, "Cast", {node_.inputs[i]},
                     attributes_of({{"to", element_type_number(Float(32))}}));
  }
  std::string narrow(const std::string& step, const std::string& tensor, Type type) {
    if (type == Float(32)) return tensor;
    return made_.add(step, "Cast", {tensor}, attributes_of({{"to", element_type_number(type)}}));
  }

  /// Returns the part of step `t` of a tensor of all steps.
  std::string at(const std::string& name, const std::string& tensor, std::int64_t t, const Shape& shape) {
    const std::string part = made_.part(name + "_part", tensor, 3, 1, t, steps_ - 1 - t);
    return made_.reshape(name, part, shape);
  }

  /// Gives the output of step `t`; `state`, "" where it is zero, becomes the next one.
  std::string step(std::int64_t t, std::string& state) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, t); };
    std::string value = at(name("value"), values_, t, {batch_, heads_, 1, value_width_});
    if (has_decay_ && !state.empty()) {
      state = made_.add(name("decayed"), "Mul",
                        {state, at(name("decay"), decay_, t, {batch_, heads_, decays_, 1})});
    }
    if (has_delta_) {
      if (!state.empty()) {
        const std::string row = at(name("row"), keys_, t, {batch_, heads_, 1, width_});
        value = made_.add(name("less"), "Sub", {value, made_.add(name("had"), "MatMul", {row, state})});
      }
      value = made_.add(name("rated"), "Mul", {value, at(name("beta"), beta_, t, {batch_, betas_, 1, 1})});
    }
    const std::string column = at(name("key"), keys_, t, {batch_, heads_, width_, 1});
    const std::string written = made_.add(name("written"), "Mul", {column, value});
    state = state.empty() ? written : made_.add(name("state"), "Add", {state, written});
    const std::string query = at(name("query"), queries_, t, {batch_, heads_, group_, width_});
    return made_.reshape(name("output"), made_.add(name("read"), "MatMul", {query, state}),
                         {batch_, 1, heads_ * group_ * value_width_});
  }

  NodeContext& context_;
  const Node& node_;
  Composition made_;
  bool has_decay_ = false, has_delta_ = false;
  Size batch_;
  std::int64_t heads_ = 0, group_ = 0, width_ = 0, value_width_ = 0, steps_ = 0;
  std::int64_t decays_ = 0;  // of a head
  std::int64_t betas_ = 0;
  std::string queries_, keys_, values_, decay_, beta_;
};

}  // namespace

std::vector<Node> linear_attention(NodeContext& context, Node node) {
  return LinearAttention(context, node).run();
}

std::vector<Node> causal_conv_with_state(NodeContext& context, Node node) {
  const TensorInfo &x = data_info(context, node), &w = context.info(node.inputs[1]);
  if (x.shape.size() != 3 || w.shape.size() != 3)
    refuse(node, fmt::format("the inputs are {} and {}; they must be [B,C,L] and [C,1,K]", to_string(x),
                             to_string(w)));
  const std::int64_t channels = known_extent(node, w.shape[0], "number of channels"),
                     taps = known_extent(node, w.shape[2], "length of the filter");
  require_shape(context, node, 1, {x.shape[1], 1, taps});
  const std::string activation = node.attributes.get<std::string>("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    refuse(node, fmt::format("attribute activation = \"{}\" is not supported; supported: none, silu, swish",
                             activation));
  }
  Composition made(context, node);
  std::string padded = node.inputs[0];
  if (!node.input(3).empty()) {
    require_shape(context, node, 3, {x.shape[0], x.shape[1], taps - 1});
    if (taps > 1) padded = made.concat("padded", {node.inputs[3], padded}, 2);
  } else if (taps > 1) {
    padded = made.add("padded", "Pad", {padded}, attributes_of({{"pads", Ints{0, 0, taps - 1, 0, 0, 0}}}));
  }
  std::vector<std::string> inputs{padded, node.inputs[1]};
  if (!node.input(2).empty()) inputs.push_back(node.inputs[2]);
  std::string y = made.add("sums", "Conv", inputs, attributes_of({{"group", channels}}));
  if (activation != "none") y = made.add("activated", "Swish", {y});
  made.give(0, y);
  if (node.outputs.size() > 1) {
    const std::int64_t length = 1 - taps, end = taps == 1 ? 0 : std::numeric_limits<std::int64_t>::max();
    made.give(1, made.add("present", "Slice", {padded},
                          attributes_of({{"axes", Ints{2}}, {"ends", Ints{end}}, {"starts", Ints{length}}})));
  }
  return made.take();
}

}  // namespace tensordsl::ops::normalize
