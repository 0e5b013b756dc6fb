// Normalizations of sums: of a residual connection, of embeddings.
#include <fmt/format.h>

#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

constexpr double kEpsilon = 1e-12F;

Attributes along_last(double epsilon) {
  return attributes_of({{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
}

/// 1 / sqrt(mean of x*x + epsilon) over the dimensions from `axis` on, in f32.
std::string inverse_root(Rewrite& made, const std::string& x, std::size_t rank, std::size_t axis,
                         double epsilon) {
  Ints axes;
  for (std::size_t d = axis; d < rank; ++d) axes.push_back(static_cast<std::int64_t>(d));
  const std::string precise = made.cast("precise", x, Float(32));
  const std::string squares = made.add("squares", "Mul", {precise, precise});
  const std::string mean = made.add("mean_square", "ReduceMean", {squares},
                                    attributes_of({{"axes", axes}, {"keepdims", std::int64_t{1}}}));
  const std::string shifted = made.add("shifted", "Add", {mean, made.scalar("epsilon", Float(32), epsilon)});
  return made.add("inverse_root", "Reciprocal", {made.add("root", "Sqrt", {shifted})});
}

/// Rows of input `table` for the numbers in input `ids`.
std::string embedding(Rewrite& made, const std::string& step, std::size_t table, const std::string& ids) {
  return made.add(step, "Gather", {made.input(table), ids}, attributes_of({{"axis", std::int64_t{0}}}));
}

/// The first rows of the positions, one for each element of a sequence.
std::string first_positions(Rewrite& made, std::size_t table, const Size& length) {
  const Shape& shape = made.shape(table);
  if (shape.size() != 2)
    refuse(made.node(),
           fmt::format("input {} is {}; it must be a matrix", table, to_string(made.info(table))));
  return made.part("positions", made.input(table), 2, 0, 0, shape[0] - length);
}

}  // namespace

std::vector<Node> skip_layer_normalization(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::string x = made.sum("sum", {made.input(0), made.input(1), made.input(4)});
  std::vector<std::string> inputs{x, made.input(2)};
  if (made.has(3)) inputs.push_back(made.input(3));
  const std::size_t outputs = made.gives(2) ? 3 : made.gives(1) ? 2 : 1;
  const auto y = made.add_outputs("normal", "LayerNormalization", inputs,
                                  along_last(made.number("epsilon", kEpsilon)), outputs);
  for (std::size_t i = 0; i < outputs; ++i) made.give(i, y[i]);
  made.give(3, x);
  return made.take();
}

std::vector<Node> skip_simplified_layer_normalization(NodeContext& context, Node node) {
  Rewrite made(context, node);
  if (made.shape(0).empty())
    refuse(node, fmt::format("input 0 is {}; it must have a dimension", to_string(made.info(0))));
  const std::string x = made.sum("sum", {made.input(0), made.input(1), made.input(3)});
  const double epsilon = made.number("epsilon", kEpsilon);
  made.give(0, made.add("normal", "RMSNormalization", {x, made.input(2)}, along_last(epsilon)));
  const std::size_t rank = made.shape(0).size();
  // Gives zeros for the mean, which RMS normalization does not subtract.
  if (made.gives(1)) {
    Shape rows = made.shape(0);
    rows.back() = 1;
    made.give(1, made.add("mean", "ConstantOfShape", {},
                          attributes_of({{"shape", Sizes(rows)}, {"value", Buffer(Float(32), {1})}})));
  }
  if (made.gives(2)) made.give(2, inverse_root(made, x, rank, rank - 1, epsilon));
  made.give(3, x);
  return made.take();
}

std::vector<Node> simplified_layer_normalization(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const double epsilon = made.number("epsilon", 1e-5F);
  made.give(0, made.add("normal", "RMSNormalization", node.inputs,
                        made.attributes({"axis", "epsilon", "stash_type"})));
  const std::size_t rank = made.shape(0).size();
  if (made.gives(1)) {
    made.give(1, inverse_root(made, made.input(0), rank,
                              axis_from_start(node, made.integer("axis", -1), rank), epsilon));
  }
  return made.take();
}

std::vector<Node> embed_layer_normalization(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const Shape& ids = made.shape(0);
  if (ids.size() != 2)
    refuse(node, fmt::format("input 0 is {}; it must be [batch,sequence]", to_string(made.info(0))));
  if (made.has(1) != made.has(4))
    refuse(node, "one of segment_ids and segment_embedding is absent; supported: both or none");
  const std::string positions =
      made.has(8) ? embedding(made, "positions", 3, made.input(8)) : first_positions(made, 3, ids[1]);
  const std::string segments = made.has(4) ? embedding(made, "segments", 4, made.input(1)) : "";
  const std::string sum = made.sum("sum", {embedding(made, "words", 2, made.input(0)), positions, segments});
  made.give(0, made.add("normal", "LayerNormalization", {sum, made.input(5), made.input(6)},
                        along_last(made.number("epsilon", kEpsilon))));
  if (made.gives(1)) {
    if (made.has(7)) {
      const std::string is_word =
          made.add("is_word", "Equal", {made.input(7), made.scalar("one", Int(32), 1)});
      made.give(1, made.add("words_of_mask", "ReduceSum", {made.cast("word", is_word, Int(32))},
                            attributes_of({{"axes", Ints{1}}, {"keepdims", std::int64_t{0}}})));
    } else {
      made.give(1, made.add("no_mask", "ConstantOfShape", {},
                            attributes_of({{"shape", Sizes{ids[0]}}, {"value", Buffer(Int(32), {1})}})));
    }
  }
  made.give(2, sum);
  return made.take();
}

}  // namespace tensordsl::ops::normalize::contributed
