#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ops/assumed_sizes.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// TensorProto.DataType of a type that softmax_precision may be.
std::int64_t data_type(Type type) { return type == Float(64) ? 11 : type == Float(16) ? 10 : 1; }

constexpr std::int64_t kCountType = 6;  // INT32 of TensorProto.DataType
/// A distance larger than that between any two keys.
constexpr std::int64_t kFar = std::int64_t{1} << 30;

/// B batches, Hq and Hk heads, S and L elements in sequences of queries and of keys.
class Attention {
 public:
  Attention(NodeContext& context, const Node& node) : context_(context), node_(node), made_(context, node) {}

  std::vector<Node> run() {
    read_shapes();
    std::string q = heads("q", 0, queries_), k = heads("k", 1, keys_), v = heads("v", 2, keys_);
    if (!node_.input(4).empty()) {
      k = made_.concat("present_key", {node_.inputs[4], k}, 2);
      v = made_.concat("present_value", {node_.inputs[5], v}, 2);
    }
    made_.give(1, k);
    made_.give(2, v);

    // Scaled before the product, which f16 may not hold otherwise. The queries of the heads that share keys
    // are one matrix.
    const double usual = 1 / std::sqrt(static_cast<double>(known_extent(width_, "head size")));
    q = made_.add("scaled", "Mul", {q, scalar("scale", node_.attributes.get<double>("scale", usual))});
    const Size rows = group_ * length_;
    if (group_ > 1) q = made_.reshape("grouped", q, {batch_, keys_, rows, width_});
    std::string scores = made_.add("scores", "MatMul", {q, made_.transpose("transposed", k, {0, 1, 3, 2})});
    if (group_ > 1) scores = made_.reshape("of_heads", scores, {batch_, queries_, length_, total_});
    give_scores(0, scores);
    scores = capped(scores);
    give_scores(1, scores);
    scores = masked(scores);
    give_scores(2, scores);
    std::string weights = softmax(scores);
    give_scores(3, weights);

    if (const Type type = context_.info(node_.inputs[2]).type; type != type_)
      weights = made_.add("as_values", "Cast", {weights}, attributes_of({{"to", data_type(type)}}));
    if (group_ > 1) weights = made_.reshape("weights_grouped", weights, {batch_, keys_, rows, total_});
    std::string y = made_.add("mixed", "MatMul", {weights, v});
    if (group_ > 1) y = made_.reshape("y_of_heads", y, {batch_, queries_, length_, value_width_});
    if (!has_heads_) {
      y = made_.transpose("y_transposed", y, {0, 2, 1, 3});
      y = made_.reshape("y_merged", y, {batch_, length_, queries_ * value_width_});
    }
    made_.give(0, y);
    return made_.take();
  }

 private:
  const TensorInfo& info(std::size_t i) const { return context_.info(node_.inputs[i]); }

  std::int64_t known_extent(const Size& extent, const char* what) const {
    if (!extent.is_known()) {
      refuse(node_, fmt::format("the {} is {}, and must be known; {}", what, to_string(extent),
                                how_to_know(extent)));
    }
    return extent.value();
  }

  void read_shapes() {
    for (std::size_t i = 0; i < 3; ++i) {
      if (!info(i).type.is_float())
        refuse(node_, fmt::format("input {} is {}; supported: f64, f32, f16", i, to_string(info(i))));
    }
    if (node_.input(4).empty() != node_.input(5).empty())
      refuse(node_, "one of past_key and past_value is absent; supported: both or none");
    type_ = info(0).type;
    const Shape &q = info(0).shape, &k = info(1).shape, &v = info(2).shape;
    has_heads_ = q.size() == 4;
    if ((q.size() != 3 && q.size() != 4) || k.size() != q.size() || v.size() != q.size()) refuse_shapes();
    if (has_heads_) {
      queries_ = known_extent(q[1], "number of heads");
      keys_ = known_extent(k[1], "number of heads");
    } else {
      queries_ = node_.attributes.get<std::int64_t>("q_num_heads", 0);
      keys_ = node_.attributes.get<std::int64_t>("kv_num_heads", 0);
    }
    if (queries_ < 1 || keys_ < 1 || queries_ % keys_ != 0) {
      refuse(node_, fmt::format("there are {} heads of queries and {} of keys; supported: a multiple",
                                queries_, keys_));
    }
    group_ = queries_ / keys_;
    const std::size_t sequence = has_heads_ ? 2 : 1;
    const auto width = [&](const Shape& shape, std::int64_t heads) {
      const auto each = has_heads_ ? std::optional(shape[3]) : exact_quotient(shape[2], heads);
      if (!each) refuse_shapes();
      return *each;
    };
    batch_ = q[0];
    length_ = q[sequence];
    width_ = width(q, queries_);
    value_width_ = width(v, keys_);
    const Sizes wanted{batch_, batch_, k[sequence], width_, keys_};
    const Sizes found{k[0], v[0], v[sequence], width(k, keys_), has_heads_ ? v[1] : Size(keys_)};
    if (found != wanted) refuse_unequal(shapes_text(), wanted, found);
    total_ = k[sequence];
    if (has_counts()) {
      if (!node_.input(4).empty())
        refuse(node_, "nonpad_kv_seqlen is given with past_key; supported: one of them");
      if (info(6).type.is_float() || info(6).shape != Shape{batch_})
        refuse(node_, fmt::format("nonpad_kv_seqlen is {}; it must be i64[{}], a count for each batch",
                                  to_string(info(6)), to_string(batch_)));
    }
    if (node_.input(4).empty()) return;
    const Shape &past_k = info(4).shape, &past_v = info(5).shape;
    const std::string text = fmt::format("the past is {} and {}; it must be [B,H,P,..] of the same length",
                                         to_string(info(4)), to_string(info(5)));
    if (past_k.size() != 4 || past_v.size() != 4) refuse(node_, text);
    if (past_k[2] != past_v[2]) refuse_unequal(text, past_k[2], past_v[2]);
    past_ = past_k[2];
    total_ += past_;
  }

  std::string shapes_text() const {
    return fmt::format(
        "Q, K and V are {}, {} and {}; they must be [B,H,S,D] or [B,S,H*D], of equal batches, K and V of "
        "equal length, and Q and K of equal width",
        to_string(info(0)), to_string(info(1)), to_string(info(2)));
  }

  [[noreturn]] void refuse_shapes() const { refuse(node_, shapes_text()); }

  /// Input `i` as [B,heads,..].
  std::string heads(const std::string& step, std::size_t i, std::int64_t count) {
    if (has_heads_) return node_.inputs[i];
    const Shape& shape = info(i).shape;
    const std::string split = made_.reshape(step + "_split", node_.inputs[i],
                                            {batch_, shape[1], count, *exact_quotient(shape[2], count)});
    return made_.transpose(step, split, {0, 2, 1, 3});
  }

  std::string scalar(const std::string& step, double value) {
    Buffer number(type_, {});
    number.set(0, value);
    return made_.constant(step, std::move(number));
  }

  std::string capped(const std::string& scores) {
    const double cap = node_.attributes.get<double>("softcap", 0.0);
    if (cap == 0) return scores;
    const std::string limit = scalar("softcap", cap), part = made_.add("capped_part", "Div", {scores, limit});
    return made_.add("capped", "Mul", {made_.add("capped_tanh", "Tanh", {part}), limit});
  }

  std::string masked(std::string scores) {
    const std::string nothing = scalar("nothing", -std::numeric_limits<double>::infinity());
    if (!node_.input(3).empty()) {
      const std::string mask = padded_mask();
      scores = info(3).type.is_bool() ? made_.add("masked", "Where", {mask, scores, nothing})
                                      : made_.add("biased", "Add", {scores, mask});
    }
    const auto left = node_.attributes.get<std::int64_t>("left_window_size", -1);
    const auto right = node_.attributes.get<std::int64_t>("right_window_size", -1);
    const bool is_causal = node_.attributes.get<std::int64_t>("is_causal", 0) != 0;
    if (!is_causal && !has_window() && !has_counts()) return scores;

    // Query i has the position p = i + past, or at the end of the keys that a batch has. It sees key j if j
    // <= p, and if p - left <= j <= p + right.
    const std::string keys = counted("keys", 0, total_);
    const Size first = has_counts() ? Size(0) - length_ : past_;
    std::string places = made_.reshape("rows", counted("queries", first, length_), {length_, 1});
    std::string counts;
    if (has_counts()) {
      counts = made_.add("counts", "Cast", {node_.inputs[6]}, attributes_of({{"to", kCountType}}));
      counts = made_.reshape("counts_of_batches", counts, {batch_, 1, 1, 1});
      places = made_.add("places", "Add", {places, counts});
    }
    const auto keep = [&](const std::string& step, const std::string& op, const std::string& limit) {
      const std::string is_kept = made_.add("is_" + step, op, {keys, limit});
      scores = made_.add(step, "Where", {is_kept, scores, nothing});
    };
    const auto shifted = [&](const std::string& step, std::int64_t by) {
      Buffer number(Int(32), {});
      number.set_int(0, std::clamp(by, -kFar, kFar));
      return made_.add(step, "Add", {places, made_.constant(step + "_by", std::move(number))});
    };
    if (is_causal) keep("causal", "LessOrEqual", places);
    if (left >= 0) keep("left", "GreaterOrEqual", shifted("first", -left));
    if (right >= 0) keep("right", "LessOrEqual", shifted("last", right));
    if (has_counts()) keep("present", "Less", counts);
    return scores;
  }

  /// A mask for fewer keys than there are hides the others (operator set 24).
  std::string padded_mask() {
    const TensorInfo& mask = info(3);
    if (mask.shape.empty() || mask.shape.back() == Size(1) || is_less(mask.shape.back(), total_) != true)
      return node_.inputs[3];
    Sizes pads(2 * mask.shape.size(), 0);
    pads.back() = total_ - mask.shape.back();
    const double hidden = mask.type.is_bool() ? 0 : -std::numeric_limits<double>::infinity();
    return made_.add("padded_mask", "Pad", {node_.inputs[3]},
                     attributes_of({{"mode", std::string("constant")}, {"pads", pads}, {"value", hidden}}));
  }

  bool has_counts() const { return !node_.input(6).empty(); }
  bool has_window() const {
    return node_.attributes.get<std::int64_t>("left_window_size", -1) >= 0 ||
           node_.attributes.get<std::int64_t>("right_window_size", -1) >= 0;
  }

  /// Makes the numbers from `first` on.
  std::string counted(const std::string& step, const Size& first, const Size& count) {
    return made_.add(
        step, "Range", {},
        attributes_of(
            {{"start", Sizes{first}}, {"delta", Sizes{1}}, {"count", Sizes{count}}, {"dtype", kCountType}}));
  }

  /// A row that a mask hides is 0. Causality without a mask leaves each query a key.
  std::string softmax(const std::string& scores) {
    std::string values = scores;
    const std::int64_t own = data_type(type_);
    const std::int64_t precision = node_.attributes.get<std::int64_t>("softmax_precision", own);
    if (precision != 1 && precision != 10 && precision != 11) {
      refuse(node_, fmt::format("attribute softmax_precision = {} is not supported; supported: 1 (FLOAT), 10 "
                                "(FLOAT16), 11 (DOUBLE)",
                                precision));
    }
    if (precision != own) values = made_.add("precise", "Cast", {values}, attributes_of({{"to", precision}}));
    const bool may_hide_all = !node_.input(3).empty() || has_window() || has_counts();
    std::string weights = made_.add("softmax", may_hide_all ? "MaskedSoftmax" : "Softmax", {values},
                                    attributes_of({{"axis", std::int64_t{3}}}));
    if (precision != own) weights = made_.add("weights", "Cast", {weights}, attributes_of({{"to", own}}));
    return weights;
  }

  void give_scores(std::int64_t mode, const std::string& scores) {
    if (node_.attributes.get<std::int64_t>("qk_matmul_output_mode", 0) == mode) made_.give(3, scores);
  }

  NodeContext& context_;
  const Node& node_;
  Composition made_;
  Type type_;
  bool has_heads_ = false;
  std::int64_t queries_ = 1, keys_ = 1, group_ = 1;  // heads of each; queries' for each of keys'
  Size batch_, length_, total_, past_ = 0, width_, value_width_;
};

}  // namespace

std::vector<Node> attention(NodeContext& context, Node node) {
  const std::int64_t mode = node.attributes.get<std::int64_t>("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3)
    refuse(node,
           fmt::format("attribute qk_matmul_output_mode = {} is not supported; supported: 0 to 3", mode));
  return Attention(context, node).run();
}

}  // namespace tensordsl::ops::normalize
