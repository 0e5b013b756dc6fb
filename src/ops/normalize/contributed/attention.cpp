// Attention and MultiHeadAttention of ONNX Runtime as ONNX's Attention, which has its mask as a bias.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ops/element_types.h"
#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

/// The extents of a mask: B batches, S queries and T keys, with the P of the past.
struct Scores {
  Size batch, queries, keys, past;
  Type type;
};

/// The lowest number of a type that is not infinite.
double lowest(Type type) {
  constexpr double kMostOfHalf = 65504;
  if (type.bits == 64) return std::numeric_limits<double>::lowest();
  return type.bits == 32 ? static_cast<double>(std::numeric_limits<float>::lowest()) : -kMostOfHalf;
}

double filter_of(const Rewrite& made) { return made.number("mask_filter_value", -10000); }

/// True if ONNX's is_causal hides what unidirectional does. ONNX Runtime leaves the last query every key,
/// which differs from ONNX where there are more keys than queries and past ones. Hidden keys get the lowest
/// number, which a mask may give to others, too.
bool is_causal(const Rewrite& made, std::size_t mask, const Scores& scores) {
  return is_equal(scores.keys, scores.past + scores.queries) == true &&
         (!made.has(mask) || filter_of(made) > lowest(scores.type));
}

/// True unless the extents are known to differ. The shape rule of the sum takes symbolic ones to be equal.
bool may_be(const Shape& shape, const Sizes& wanted) {
  return std::ranges::equal(shape, wanted,
                            [](const Size& a, const Size& b) { return is_equal(a, b) != false; });
}

/// `first`, `first` + 1 and so on, i32.
std::string counted(Rewrite& made, const std::string& step, const Size& first, const Size& count) {
  return made.add(step, "Range", {},
                  attributes_of({{"start", Sizes{first}},
                                 {"delta", Sizes{1}},
                                 {"count", Sizes{count}},
                                 {"dtype", element_type_number(Int(32))}}));
}

/// `bias`, which may be "", with the lowest number for what unidirectional hides: of each query but the last
/// the keys after it.
std::string with_causal(Rewrite& made, std::string bias, const Scores& scores) {
  const std::string keys = counted(made, "keys", 0, scores.keys);
  const std::string queries = made.reshape(
      "queries", counted(made, "query_places", scores.past, scores.queries), {scores.queries, 1});
  const std::string last = counted(made, "last_query", scores.past + scores.queries - 1, 1);
  const std::string is_hidden = made.add(
      "is_hidden", "And",
      {made.add("is_later", "Greater", {keys, queries}), made.add("is_not_last", "Less", {queries, last})});
  if (bias.empty()) bias = made.scalar("seen", scores.type, 0);
  return made.add("causal_bias", "Where",
                  {is_hidden, made.scalar("hidden", scores.type, lowest(scores.type)), bias});
}

/// True for the keys of each batch before the ends and, if `has_starts`, from the starts on.
std::string present_keys(Rewrite& made, std::size_t mask, const Scores& scores, bool has_starts) {
  const std::string places = counted(made, "places", 0, scores.keys);
  const Size length = made.shape(mask)[0], count = has_starts ? scores.batch : length;
  const auto limits = [&](const std::string& step, const Size& begin) {
    const std::string part = made.part(step + "_part", made.input(mask), 1, 0, begin, length - count - begin);
    return made.reshape(step, part, {count, 1, 1, 1});
  };
  const std::string before_end = made.add("before_end", "Less", {places, limits("ends", 0)});
  if (!has_starts) return before_end;
  const std::string from_start = made.add("from_start", "GreaterOrEqual", {places, limits("starts", count)});
  return made.add("inside", "And", {before_end, from_start});
}

/// True for the keys that the mask keeps. It has lengths, [B], ends and starts, [2*B], or numbers, [B,T] or
/// [B,S,T].
std::string kept_keys(Rewrite& made, std::size_t mask, const Scores& scores) {
  const Shape& shape = made.shape(mask);
  require_type(made, mask, {Int(32)});
  if (may_be(shape, {scores.batch})) return present_keys(made, mask, scores, false);
  if (shape == Shape{2 * scores.batch}) return present_keys(made, mask, scores, true);
  if (!may_be(shape, {scores.batch, scores.keys}) &&
      !may_be(shape, {scores.batch, scores.queries, scores.keys})) {
    refuse(made.node(),
           fmt::format("the mask is {}; supported: i32 [B], [2*B], [B,T] and [B,S,T] with B = {}, S = {} and "
                       "T = {}",
                       to_string(made.info(mask)), to_string(scores.batch), to_string(scores.queries),
                       to_string(scores.keys)));
  }
  const Size rows = shape.size() == 3 ? shape[1] : Size(1);
  const std::string values = made.reshape("mask", made.input(mask), {shape[0], 1, rows, shape.back()});
  return made.add("is_kept", "Greater", {values, made.scalar("nothing", Int(32), 0)});
}

/// Returns the tensor that is added to the scores: the filter value where the mask is 0 or unidirectional
/// hides a key (unless is_causal does that), and the attention bias. "" if there is none of these.
std::string bias_of(Rewrite& made, std::size_t mask, std::size_t bias, const Scores& scores) {
  std::string masked;
  if (made.has(mask)) {
    const std::string keep = kept_keys(made, mask, scores);
    masked = made.add(
        "mask_bias", "Where",
        {keep, made.scalar("kept", scores.type, 0), made.scalar("filter", scores.type, filter_of(made))});
  }
  if (made.flag("unidirectional") && !is_causal(made, mask, scores))
    masked = with_causal(made, masked, scores);
  return made.sum("bias", {masked, made.input(bias)});
}

std::int64_t head_count(const Rewrite& made) {
  const std::int64_t heads = made.node().attributes.get<std::int64_t>("num_heads");
  if (heads < 1)
    refuse(made.node(),
           fmt::format("attribute num_heads = {} is not supported; supported: 1 or more", heads));
  return heads;
}

/// Returns the attributes of ONNX's Attention with equal numbers of heads for queries and keys.
Attributes attention_attributes(const Rewrite& made, std::size_t mask, const Scores& scores) {
  const bool hides = made.flag("unidirectional") && is_causal(made, mask, scores);
  Attributes attributes = attributes_of({{"is_causal", std::int64_t{hides}}});
  // 0 is the default.
  if (const double scale = made.number("scale", 0); scale != 0) attributes.set("scale", scale);
  return attributes;
}

Attributes with_heads(const Rewrite& made, Attributes attributes) {
  for (const char* name : {"q_num_heads", "kv_num_heads"}) attributes.set(name, head_count(made));
  return attributes;
}

/// The ranges of queries, keys and values in `width` columns.
std::array<Size, 3> column_counts(const Rewrite& made, const Size& width) {
  const auto third = exact_quotient(width, 3);
  const Ints given = made.node().attributes.get<Ints>("qkv_hidden_sizes", {});
  if (given.empty() && third) return {*third, *third, *third};
  if (given.size() != 3 || Size(given[0] + given[1] + given[2]) != width) {
    refuse(made.node(),
           fmt::format("there are {} columns of weights for qkv_hidden_sizes = {}; supported: as "
                       "many, or three equal parts",
                       to_string(width), to_string(given)));
  }
  return {given[0], given[1], given[2]};
}

/// `count` columns of the last of `rank` dimensions from `begin` on, of `width`.
std::string columns(Rewrite& made, const std::string& step, const std::string& tensor, std::size_t rank,
                    const Size& begin, const Size& count, const Size& width) {
  return made.part(step, tensor, rank, rank - 1, begin, width - begin - count);
}

}  // namespace

std::vector<Node> attention(NodeContext& context, Node node) {
  Rewrite made(context, node);
  for (const char* name : {"do_rotary", "past_present_share_buffer"}) {
    if (const std::int64_t value = made.integer(name, 0); value != 0)
      refuse(node, fmt::format("attribute {} = {} is not supported; supported: 0", name, value));
  }
  const Shape &x = made.shape(0), &weights = made.shape(1);
  if (x.size() != 3 || weights.size() != 2)
    refuse(node, fmt::format("the input and the weights are {} and {}; they must be [B,S,I] and [I,Q+K+V]",
                             to_string(made.info(0)), to_string(made.info(1))));
  const Size width = weights[1];
  const std::array<Size, 3> counts = column_counts(made, width);
  std::string all = made.add("projected", "MatMul", {made.input(0), made.input(1)});
  all = made.sum("biased", {all, made.input(2)});
  std::vector<std::string> inputs{columns(made, "q", all, 3, 0, counts[0], width),
                                  columns(made, "k", all, 3, counts[0], counts[1], width),
                                  columns(made, "v", all, 3, counts[0] + counts[1], counts[2], width)};

  Size past = 0;
  std::string past_key, past_value;
  if (made.has(4)) {
    const Shape& shape = made.shape(4);
    if (shape.size() != 5 || shape[0] != Size(2))
      refuse(node, fmt::format("the past is {}; it must be [2,B,N,P,H]", to_string(made.info(4))));
    past = shape[3];
    const Shape one(shape.begin() + 1, shape.end());
    past_key = made.reshape("past_key", made.part("past_of_keys", made.input(4), 5, 0, 0, 1), one);
    past_value = made.reshape("past_value", made.part("past_of_values", made.input(4), 5, 0, 1, 0), one);
  }
  const Scores scores{x[0], x[1], x[1] + past, past, made.info(0).type};
  inputs.insert(inputs.end(), {bias_of(made, 3, 5, scores), past_key, past_value});

  const Attributes attributes = with_heads(made, attention_attributes(made, 3, scores));
  const auto y = made.add_outputs("attention", "Attention", inputs, attributes, made.gives(1) ? 3 : 1);
  made.give(0, y[0]);
  if (made.gives(1)) {
    const std::int64_t heads = head_count(made);
    const auto present = [&](const std::string& step, const std::string& tensor, const Size& of) {
      const auto each = exact_quotient(of, heads);
      if (!each)
        refuse(node, fmt::format("{} columns are not a multiple of num_heads = {}", to_string(of), heads));
      return made.reshape(step, tensor, {1, x[0], heads, scores.keys, *each});
    };
    made.give(
        1, made.concat("present", {present("keys", y[1], counts[1]), present("values", y[2], counts[2])}, 0));
  }
  return made.take();
}

namespace {

/// Inputs of MultiHeadAttention as tensors [B,S,N*H], or [B,N,S,H] where keys are given so.
class MultiHead {
 public:
  explicit MultiHead(Rewrite& made) : made_(made), heads_(head_count(made)) {}

  std::vector<Node> run() {
    read_inputs();
    add_bias();
    const Scores scores{batch_, queries_, keys_, past_, made_.info(0).type};
    Attributes attributes = attention_attributes(made_, 4, scores);
    if (!is_split_) attributes = with_heads(made_, std::move(attributes));
    const std::size_t outputs = made_.gives(1) || made_.gives(2) ? 3 : 1;
    auto y = made_.add_outputs("attention", "Attention",
                               {q_, k_, v_, bias_of(made_, 4, 5, scores), made_.input(6), made_.input(7)},
                               attributes, outputs);
    if (is_split_) {
      const std::string joined = made_.transpose("joined", y[0], {0, 2, 1, 3});
      y[0] = made_.reshape("y", joined, {batch_, queries_, heads_ * made_.shape(2)[3]});
    }
    for (std::size_t i = 0; i < y.size(); ++i) made_.give(i, y[i]);
    return made_.take();
  }

 private:
  [[noreturn]] void refuse_shapes() const {
    std::string shapes;
    for (std::size_t i = 0; i < 3; ++i)
      shapes += fmt::format("{}{}", i == 0 ? "" : ", ", made_.has(i) ? to_string(made_.info(i)) : "absent");
    refuse(made_.node(),
           fmt::format("query, key and value are {}; supported: three [B,S,N*H]; a query with key and value "
                       "[B,N,S,H]; a query with a key [B,S,N,2,H]; a query [B,S,N,3,H]; N is {}",
                       shapes, heads_));
  }

  /// Part `i` of `count` of input `from`, [B,S,N,count,H], as [B,S,N*H].
  std::string unpacked(const std::string& step, std::size_t from, std::int64_t i, std::int64_t count) {
    const Shape& shape = made_.shape(from);
    if (shape[2] != Size(heads_) || shape[3] != Size(count)) refuse_shapes();
    const std::string part = made_.part(step + "_part", made_.input(from), 5, 3, i, count - 1 - i);
    return made_.reshape(step, part, {shape[0], shape[1], shape[2] * shape[4]});
  }

  void read_inputs() {
    const Shape& query = made_.shape(0);
    if (query.size() < 3) refuse_shapes();
    batch_ = query[0];
    queries_ = keys_ = query[1];
    if (query.size() == 5 && !made_.has(1) && !made_.has(2)) {
      q_ = unpacked("q", 0, 0, 3);
      k_ = unpacked("k", 0, 1, 3);
      v_ = unpacked("v", 0, 2, 3);
      q_width_ = v_width_ = query[2] * query[4];
    } else if (query.size() == 3 && made_.has(1)) {
      read_keys(query);
    } else {
      refuse_shapes();
    }
    if (!made_.has(6)) return;
    if (made_.shape(6).size() != 4)
      refuse(made_.node(), fmt::format("past_key is {}; it must be [B,N,P,H]", to_string(made_.info(6))));
    past_ = made_.shape(6)[2];
    keys_ += past_;
  }

  void read_keys(const Shape& query) {
    q_ = made_.input(0);
    q_width_ = query[2];
    const Shape& key = made_.shape(1);
    if (key.size() == 5 && !made_.has(2)) {
      keys_ = key[1];
      k_ = unpacked("k", 1, 0, 2);
      v_ = unpacked("v", 1, 1, 2);
      v_width_ = key[2] * key[4];
      return;
    }
    if (!made_.has(2)) refuse_shapes();
    const Shape& value = made_.shape(2);
    k_ = made_.input(1);
    v_ = made_.input(2);
    if (key.size() == 3 && value.size() == 3) {
      keys_ = key[1];
      v_width_ = value[2];
    } else if (key.size() == 4 && value.size() == 4 && key[1] == Size(heads_)) {
      keys_ = key[2];
      v_width_ = value[1] * value[3];
      is_split_ = true;
    } else {
      refuse_shapes();
    }
  }

  /// Adds the biases of queries, keys and values in a row; keys and values that are split into heads have
  /// had theirs.
  void add_bias() {
    if (made_.has(3)) {
      const Size width = 2 * q_width_ + v_width_;
      if (made_.shape(3) != Shape{width}) {
        refuse(made_.node(), fmt::format("the bias is {}; it must have {} elements", to_string(made_.info(3)),
                                         to_string(width)));
      }
      const auto biased = [&](const std::string& step, std::string& tensor, const Size& begin,
                              const Size& count) {
        const std::string part = columns(made_, step + "_bias", made_.input(3), 1, begin, count, width);
        tensor = made_.sum(step + "_biased", {tensor, part});
      };
      biased("q", q_, 0, q_width_);
      if (!is_split_) {
        biased("k", k_, q_width_, q_width_);
        biased("v", v_, 2 * q_width_, v_width_);
      }
    }
    if (!is_split_) return;
    const auto each = exact_quotient(q_width_, heads_);
    if (!each) refuse_shapes();
    q_ = made_.transpose("q_of_heads", made_.reshape("q_split", q_, {batch_, queries_, heads_, *each}),
                         {0, 2, 1, 3});
  }

  Rewrite& made_;
  std::int64_t heads_;
  std::string q_, k_, v_;
  Size batch_, queries_, keys_, past_ = 0, q_width_, v_width_;
  bool is_split_ = false;
};

}  // namespace

std::vector<Node> multi_head_attention(NodeContext& context, Node node) {
  Rewrite made(context, node);
  return MultiHead(made).run();
}

}  // namespace tensordsl::ops::normalize::contributed
