#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "ops/element_types.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/normalize/recurrent/recurrent_activations.h"
#include "ops/normalize/recurrent/recurrent_masks.h"
#include "ops/operator_spec.h"

namespace tensordsl::ops::normalize {
namespace {

/// Unrolled, a step is three launches, which all work-groups share, but some milliseconds of compiling.
constexpr std::int64_t kMostUnrolled = 64;
/// One step takes some microseconds, and a node is planned in some hundred.
constexpr std::int64_t kMostSteps = 4096;
/// Work-items of a group, as every device has them. One kernel computes all steps, a group for each sequence;
/// where a state has more elements than that, steps that are known are better shared by all groups.
constexpr std::int64_t kGroup = 256;

/// A node of RNN, GRU, LSTM or ONNX Runtime's DynamicQuantizeLSTM. All shapes are of layout 0.
///
/// The weights of DynamicQuantizeLSTM are integers, [directions,inputs,gates * hidden], with scales and zero
/// points after the inputs of LSTM. The inputs of all steps, and the state before each, are quantized to the
/// range of their values.
class Recurrence {
 public:
  Recurrence(NodeContext& context, const Node& node, std::int64_t gates, std::vector<const char*> activations)
      : context_(context),
        node_(node),
        gates_(gates),
        usual_activations_(std::move(activations)),
        made_(context, node) {}

  std::vector<Node> run() {
    read_attributes();
    read_shapes();
    activations_ = read_activations(node_, usual_activations_, directions_);
    std::string x = node_.inputs[0], h = node_.input(5), c = is_lstm() ? node_.input(6) : "";
    if (batch_first_) {
      x = made_.transpose("steps", x, {1, 0, 2});
      if (!h.empty()) h = made_.transpose("states", h, {1, 0, 2});
      if (!c.empty()) c = made_.transpose("cells", c, {1, 0, 2});
    }
    if (is_quantized() && !node_.input(4).empty()) x = within_longest(x);
    std::vector<std::string> all, last_h, last_c;
    for (std::int64_t d = 0; d < directions_; ++d) {
      const Direction result = run_direction(d, x, h, c);
      all.push_back(result.all);
      last_h.push_back(result.h);
      last_c.push_back(result.c);
    }
    const std::string outputs = made_.concat("outputs", all, 1);
    give(0, is_unrolled_ ? masked(outputs) : outputs, {2, 0, 1, 3});
    give(1, last("last", last_h, h), {1, 0, 2});
    if (is_lstm()) give(2, last("last_cells", last_c, c), {1, 0, 2});
    return made_.take();
  }

 private:
  struct Direction {
    std::string all, h, c;  // [T,1,N,H], [1,N,H], [1,N,H]
  };
  struct State {
    std::string h, c;
  };

  bool is_quantized() const { return is_contributed(node_.op); }
  bool is_lstm() const { return node_.op == "LSTM" || is_quantized(); }
  bool is_gru() const { return node_.op == "GRU"; }
  bool resets_last() const { return is_gru() && linear_before_reset_; }

  void read_attributes() {
    std::vector<std::string> known{"activation_alpha", "activation_beta", "activations", "clip",
                                   "direction",        "hidden_size",     "layout"};
    if (is_lstm()) known.push_back("input_forget");
    if (is_gru()) known.push_back("linear_before_reset");
    for (const auto& [name, value] : node_.attributes.values()) {
      if (std::ranges::find(known, name) == known.end()) {
        refuse(node_, fmt::format("attribute {} = {} is not supported; supported attributes: {}", name,
                                  to_string(value), fmt::join(known, ", ")));
      }
    }
    direction_ = node_.attributes.get<std::string>("direction", "forward");
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional") {
      refuse(node_,
             fmt::format(
                 "attribute direction = \"{}\" is not supported; supported: forward, reverse, bidirectional",
                 direction_));
    }
    directions_ = direction_ == "bidirectional" ? 2 : 1;
    batch_first_ = flag("layout");
    linear_before_reset_ = flag("linear_before_reset");
    if (is_lstm()) step_.set("input_forget", std::int64_t{flag("input_forget")});
    if (is_gru()) step_.set("linear_before_reset", std::int64_t{linear_before_reset_});
    if (node_.attributes.has("clip")) step_.set("clip", node_.attributes.get<double>("clip"));
  }

  bool flag(const char* name) const {
    const std::int64_t value = node_.attributes.get<std::int64_t>(name, 0);
    if (value != 0 && value != 1)
      refuse(node_, fmt::format("attribute {} = {} is not supported; supported: 0, 1", name, value));
    return value == 1;
  }

  const Shape& shape(std::size_t i) const { return context_.info(node_.inputs[i]).shape; }

  /// `batch_first`: a state, whose first two dimensions layout = 1 swaps.
  void require_shape(std::size_t i, const char* what, Shape wanted, bool is_state = false) const {
    if (node_.input(i).empty()) return;
    if (is_state && batch_first_) std::swap(wanted[0], wanted[1]);
    const TensorInfo& found = context_.info(node_.inputs[i]);
    if (found.shape != wanted) {
      refuse(node_, fmt::format("the {} are {}; an input {} needs {}", what, to_string(found),
                                to_string(shape(0)), to_string(wanted)));
    }
    if (i != 4 && found.type != type_) {
      refuse(node_, fmt::format("inputs 0 and {} are {} and {}; their types must be the same", i,
                                to_string(context_.info(node_.inputs[0])), to_string(found)));
    }
  }

  void read_steps(const Size& steps) {
    if (steps == Size(0)) refuse(node_, "0 steps are not supported; supported: 1 or more");
    steps_ = steps;
    is_unrolled_ = steps.is_known() && steps.value() <= (hidden_ <= kGroup ? kMostUnrolled : kMostSteps);
    if (!is_quantized()) return;
    // A state's quantization depends on all of its elements, so these steps are unrolled.
    if (!steps.is_known()) {
      refuse(node_, fmt::format("the number of steps is {}, and must be known; {}", to_string(steps),
                                how_to_know(steps)));
    }
    is_unrolled_ = steps.value() <= kMostSteps;
    if (!is_unrolled_)
      refuse(node_, fmt::format("{} steps are not supported; supported: 1 to {}", steps.value(), kMostSteps));
  }

  void read_shapes() {
    const std::size_t least = 3, most = is_quantized() ? 12 : is_lstm() ? 8 : 6;
    if (node_.inputs.size() < least || node_.inputs.size() > most)
      refuse(node_, fmt::format("{} inputs are given; it takes {} to {}", node_.inputs.size(), least, most));
    for (std::size_t i = 0; i < least; ++i) {
      if (node_.input(i).empty()) refuse(node_, fmt::format("input {} is absent", i));
    }
    const TensorInfo& x = context_.info(node_.inputs[0]);
    type_ = x.type;
    if (!type_.is_float())
      refuse(node_, fmt::format("input 0 is {}; supported: f64, f32, f16", to_string(x)));
    if (x.shape.size() != 3 || shape(2).size() != 3)
      refuse(node_, fmt::format("the input {} and the weights {} must have 3 dimensions", to_string(x),
                                to_string(context_.info(node_.inputs[2]))));
    batch_ = x.shape[batch_first_ ? 0 : 1];
    hidden_ = shape(2)[is_quantized() ? 1 : 2].value();
    read_steps(x.shape[batch_first_ ? 1 : 0]);
    if (node_.attributes.get<std::int64_t>("hidden_size", hidden_) != hidden_) {
      refuse(node_, fmt::format("attribute hidden_size = {} differs from the recurrence weights {}",
                                node_.attributes.get<std::int64_t>("hidden_size"), to_string(shape(2))));
    }
    const Size rows = gates_ * hidden_;
    if (is_quantized()) {
      require_weights(1, "weights", {directions_, x.shape[2], rows});
      require_weights(2, "recurrence weights", {directions_, hidden_, rows});
    } else {
      require_shape(1, "weights", {directions_, rows, x.shape[2]});
      require_shape(2, "recurrence weights", {directions_, rows, hidden_});
    }
    require_shape(3, "biases", {directions_, 2 * rows});
    require_shape(4, "sequence lengths", {batch_});
    require_shape(5, "initial states", {directions_, batch_, hidden_}, true);
    require_shape(6, "initial cells", {directions_, batch_, hidden_}, true);
    require_shape(7, "peepholes", {directions_, 3 * hidden_});
    if (!node_.input(4).empty() && context_.info(node_.inputs[4]).type != Int(32)) {
      refuse(node_, fmt::format("input 4 is {}; supported: i32", to_string(context_.info(node_.inputs[4]))));
    }
  }

  /// Input `i` and its scale and zero point, one of each for a direction or for each of its columns.
  void require_weights(std::size_t i, const char* what, const Shape& wanted) const {
    const TensorInfo& weights = context_.info(node_.inputs[i]);
    if (weights.shape != wanted || (weights.type != Int(8) && weights.type != UInt(8))) {
      refuse(node_, fmt::format("the {} are {}; an input {} needs i8 or u8 {}", what, to_string(weights),
                                to_string(shape(0)), to_string(wanted)));
    }
    for (const std::size_t parameter : {scale_of(i), scale_of(i) + 1}) {
      const TensorInfo& found = context_.info(node_.inputs[parameter]);
      const bool has_type = parameter == scale_of(i) ? found.type == Float(32) : found.type == weights.type;
      if (has_type && (found.shape == Shape{wanted[0]} || found.shape == Shape{wanted[0], wanted[2]}))
        continue;
      refuse(node_, fmt::format("input {} is {}; it must be one number, or {}, for each direction", parameter,
                                to_string(found), to_string(wanted[2])));
    }
  }

  /// The input with the scale of the weights, input `i`.
  static std::size_t scale_of(std::size_t i) { return 6 + 2 * i; }

  /// Returns the attributes of a direction's activations from number `first` on.
  Attributes step_attributes(std::int64_t direction, std::size_t first, std::size_t count) const {
    Attributes attributes = step_;
    activations_.put_into(attributes, static_cast<std::size_t>(direction) * usual_activations_.size() + first,
                          count);
    attributes.set("hidden_size", hidden_);
    return attributes;
  }

  /// Returns the direction's part of input `i`, without that dimension: of the shape `shape`.
  std::string of_direction(const std::string& tensor, std::int64_t d, const std::string& step,
                           const Shape& shape) {
    if (tensor.empty()) return "";
    const std::string part =
        made_.part(step + "_of_direction", tensor, shape.size() + 1, 0, d, directions_ - 1 - d);
    return made_.reshape(step, part, shape);
  }

  Direction run_direction(std::int64_t d, const std::string& x, const std::string& initial_h,
                          const std::string& initial_c) {
    const std::int64_t rows = gates_ * hidden_;
    const Size& inputs = shape(0)[2];
    read_bias(d);

    // Projects the inputs of all steps together.
    if (is_quantized()) {
      input_scale_ = parameter(scale_of(1), d, "input_scale");
      input_zero_ = parameter(scale_of(1) + 1, d, "input_zero");
      recurrence_scale_ = parameter(scale_of(2), d, "recurrence_scale");
      recurrence_zero_ = parameter(scale_of(2) + 1, d, "recurrence_zero");
      recurrence_ = of_direction(node_.inputs[2], d, "recurrence", {hidden_, rows});
      const std::string w = of_direction(node_.inputs[1], d, "weights", {inputs, rows});
      projected_ = quantized_product("projected", x, w, input_scale_, input_zero_);
    } else {
      recurrence_ = of_direction(node_.inputs[2], d, "recurrence", {rows, hidden_});
      const std::string w = of_direction(node_.inputs[1], d, "weights", {rows, inputs});
      projected_ = made_.add("projected", "MatMul", {x, made_.transpose("w", w, {1, 0})});
      transpose_recurrence();
    }
    if (!bias_.empty()) projected_ = made_.add("biased", "Add", {projected_, bias_});
    peepholes_ = is_lstm() ? of_direction(node_.input(7), d, "peepholes", {3 * hidden_}) : "";

    const State initial{of_direction(initial_h, d, "h", {batch_, hidden_}),
                        of_direction(initial_c, d, "c", {batch_, hidden_})};
    return is_unrolled_ ? unrolled(d, initial) : in_one(d, initial);
  }

  bool is_reverse(std::int64_t d) const { return direction_ == "reverse" || d == 1; }

  Direction unrolled(std::int64_t d, State state) {
    const std::int64_t count = steps_.value();
    std::vector<std::string> states(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t t = is_reverse(d) ? count - 1 - i : i;
      state = step(d, t, state);
      states[static_cast<std::size_t>(t)] = state.h;
    }
    const Shape one{1, batch_, hidden_};
    return {
        made_.reshape("outputs_of_direction", made_.concat("all", states, 0), {steps_, 1, batch_, hidden_}),
        made_.reshape("last_of_direction", state.h, one),
        is_lstm() ? made_.reshape("last_cells_of_direction", state.c, one) : ""};
  }

  /// Makes one node of all steps, which gives all states and then the last ones.
  Direction in_one(std::int64_t d, const State& initial) {
    Attributes attributes = step_attributes(d, 0, usual_activations_.size());
    attributes.set("reverse", std::int64_t{is_reverse(d)});
    const std::string lengths = node_.input(4);
    std::string rows;
    if (is_lstm()) {
      rows = made_.add("states", "LSTMStates",
                       {projected_, recurrence_, initial.h, initial.c, peepholes_, lengths}, attributes);
    } else if (is_gru()) {
      rows = made_.add("states", "GRUStates", {projected_, recurrence_, initial.h, recurrent_bias_, lengths},
                       attributes);
    } else {
      rows = made_.add("states", "RNNStates", {projected_, recurrence_, initial.h, lengths}, attributes);
    }
    const std::string all = made_.slice("all", rows, 0, 0, steps_);
    return {made_.reshape("outputs_of_direction", all, {steps_, 1, batch_, hidden_}),
            made_.slice("last_of_direction", rows, 0, steps_, steps_ + 1),
            is_lstm() ? made_.slice("last_cells_of_direction", rows, 0, steps_ + 1, steps_ + 2) : ""};
  }

  /// The scale or zero point, input `i`, of the direction: one number, or one for each column.
  std::string parameter(std::size_t i, std::int64_t d, const std::string& step) {
    return of_direction(node_.inputs[i], d, step, Shape(shape(i).begin() + 1, shape(i).end()));
  }

  /// Returns x with 0 after the end of the longest sequence: the elements there are not part of the range,
  /// which includes 0.
  std::string within_longest(const std::string& x) {
    const std::string longest = made_.add("longest", "ReduceMax", {node_.inputs[4]},
                                          attributes_of({{"axes", Ints{0}}, {"keepdims", std::int64_t{1}}}));
    return kept(made_, "inputs", "Less", all_steps(steps_.value(), {steps_.value(), 1, 1}), longest, x,
                type_);
  }

  /// The state before step t, with 0 for sequences that ended before the last step, as in ONNX Runtime.
  std::string unended(const std::string& h, std::int64_t t) {
    Buffer number(Int(32), {});
    number.set_int(0, t);
    return kept(made_, "going", "LessOrEqual", number, made_.reshape("ends", node_.inputs[4], {batch_, 1}), h,
                type_);
  }

  /// Returns x * weights, computed from x rounded to 255 steps from its least to its largest element.
  std::string quantized_product(const std::string& step, const std::string& x, const std::string& weights,
                                const std::string& scale, const std::string& zero) {
    const auto of_x = made_.add_outputs(step + "_quantized", "DynamicQuantizeLinear", {x}, {}, 3);
    const std::string sum = made_.add(step + "_sum", "MatMulInteger", {of_x[0], weights, of_x[2], zero});
    const std::string value =
        made_.add(step + "_value", "Cast", {sum}, attributes_of({{"to", element_type_number(Float(32))}}));
    const std::string scales = made_.add(step + "_scales", "Mul", {of_x[1], scale});
    return made_.add(step, "Mul", {value, scales});
  }

  /// The biases of inputs and states are one sum, but where the reset gate is between them.
  void read_bias(std::int64_t d) {
    bias_ = recurrent_bias_ = "";
    if (node_.input(3).empty()) return;
    const std::int64_t rows = gates_ * hidden_;
    const std::string both = of_direction(node_.inputs[3], d, "biases", {2 * rows});
    bias_ = made_.part("bias", both, 1, 0, 0, rows);
    recurrent_bias_ = made_.part("recurrent_bias", both, 1, 0, rows, 0);
    if (resets_last() && !is_unrolled_) return;
    if (resets_last()) {
      recurrent_bias_ = made_.reshape("recurrent_bias_row", recurrent_bias_, {1, rows});
    } else {
      bias_ = made_.add("bias_sum", "Add", {bias_, std::exchange(recurrent_bias_, "")});
    }
  }

  /// [H,gates * H], so that a step is a product; GRU's candidate by itself where it waits for the reset gate.
  void transpose_recurrence() {
    if (is_unrolled_ && is_gru() && !linear_before_reset_) {
      candidate_ = made_.transpose("candidate",
                                   made_.part("candidate_rows", recurrence_, 2, 0, 2 * hidden_, 0), {1, 0});
      recurrence_ = made_.part("gate_rows", recurrence_, 2, 0, 0, hidden_);
    }
    recurrence_ = made_.transpose("r", recurrence_, {1, 0});
  }

  State step(std::int64_t d, std::int64_t t, const State& before) {
    // The step's number is a tensor, not an attribute, so that all steps share one kernel. It has two
    // elements because a constant of one would be inlined into the kernel's text.
    Buffer number(Int(32), {2});
    number.set_int(0, t);
    number.set_int(1, steps_.value());
    const std::string at = made_.constant("step", std::move(number));
    const std::string lengths = node_.input(4);
    std::string product;
    if (!before.h.empty()) {
      const bool is_forward = direction_ != "reverse" && d == 0;
      const std::string h =
          is_quantized() && is_forward && !lengths.empty() ? unended(before.h, t) : before.h;
      product = is_quantized()
                    ? quantized_product("product", h, recurrence_, recurrence_scale_, recurrence_zero_)
                    : made_.add("product", "MatMul", {h, recurrence_});
    }
    if (resets_last() && !recurrent_bias_.empty()) {
      product =
          product.empty() ? recurrent_bias_ : made_.add("biased_product", "Add", {product, recurrent_bias_});
    }
    if (is_lstm()) {
      const auto outputs =
          made_.add_outputs("h", "LSTM", {projected_, at, product, before.h, before.c, peepholes_, lengths},
                            step_attributes(d, 0, 3), 2);
      return {outputs[0], outputs[1]};
    }
    if (!is_gru()) {
      Attributes attributes = step_attributes(d, 0, 1);
      attributes.set("first", std::int64_t{0});
      return {made_.add("h", "RNN", {projected_, at, product, before.h, lengths}, attributes), ""};
    }
    std::string candidate;
    if (!linear_before_reset_ && !before.h.empty()) {
      Attributes attributes = step_attributes(d, 0, 1);
      attributes.erase("linear_before_reset");
      attributes.set("first", hidden_);
      const std::string reset = made_.add("reset", "RNN", {projected_, at, product}, attributes);
      const std::string reset_h = made_.add("kept", "Mul", {reset, before.h});
      candidate = made_.add("candidate_product", "MatMul", {reset_h, candidate_});
    }
    return {made_.add("h", "GRU", {projected_, at, product, before.h, candidate, lengths},
                      step_attributes(d, 0, 2)),
            ""};
  }

  /// Outputs of steps after a sequence's end are 0.
  std::string masked(const std::string& outputs) {
    if (node_.input(4).empty()) return outputs;
    const std::string lengths = made_.reshape("lengths", node_.inputs[4], {1, 1, batch_, 1});
    return kept(made_, "masked", "Less", all_steps(steps_.value(), {steps_.value(), 1, 1, 1}), lengths,
                outputs, type_);
  }

  /// The last state, which is 0 of a sequence without steps, as in ONNX Runtime, and not the initial one.
  std::string last(const char* step, const std::vector<std::string>& parts, const std::string& initial) {
    const std::string state = made_.concat(step, parts, 0);
    if (initial.empty() || node_.input(4).empty()) return state;
    const std::string lengths = made_.reshape("counts", node_.inputs[4], {1, batch_, 1});
    return kept(made_, std::string(step) + "_of_steps", "Less", all_steps(1, {1}), lengths, state, type_);
  }

  void give(std::size_t i, const std::string& tensor, const Ints& batch_first) {
    made_.give(i, batch_first_ ? made_.transpose("batch_first", tensor, batch_first) : tensor);
  }

  NodeContext& context_;
  const Node& node_;
  std::int64_t gates_;
  std::vector<const char*> usual_activations_;
  Composition made_;
  Type type_;
  Size batch_, steps_;
  std::int64_t directions_ = 1, hidden_ = 0;
  bool is_unrolled_ = true;
  std::string direction_;
  bool batch_first_ = false, linear_before_reset_ = false;
  Attributes step_;  // of all steps
  CellActivations activations_;
  // Tensors of the direction that is being built.
  std::string projected_, recurrence_, candidate_, bias_, recurrent_bias_, peepholes_;
  std::string input_scale_, input_zero_, recurrence_scale_, recurrence_zero_;  // of integer weights
};

}  // namespace

std::vector<Node> rnn(NodeContext& context, Node node) {
  return Recurrence(context, node, 1, {"Tanh"}).run();
}

std::vector<Node> gru(NodeContext& context, Node node) {
  return Recurrence(context, node, 3, {"Sigmoid", "Tanh"}).run();
}

std::vector<Node> lstm(NodeContext& context, Node node) {
  return Recurrence(context, node, 4, {"Sigmoid", "Tanh", "Tanh"}).run();
}

std::vector<Node> contributed::dynamic_quantize_lstm(NodeContext& context, Node node) {
  return lstm(context, std::move(node));
}

}  // namespace tensordsl::ops::normalize
