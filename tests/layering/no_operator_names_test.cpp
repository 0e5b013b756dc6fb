// Tests that the code after the front end knows definitions, and no operators.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "layering/source_tree.h"
#include "ops/operator_spec.h"
#include "support/source_dir.h"

namespace tensordsl::layering {
namespace {

using Strings = std::vector<std::string>;

/// The operator types of ONNX that import reads, and those that it may read one day.
bool is_operator_type(const std::string& text) {
  static const std::set<std::string, std::less<>> kFurther = {"And",
                                                              "ArgMax",
                                                              "ArgMin",
                                                              "Attention",
                                                              "BitShift",
                                                              "Cast",
                                                              "CastLike",
                                                              "ConstantOfShape",
                                                              "ConvInteger",
                                                              "ConvTranspose",
                                                              "Cos",
                                                              "CumSum",
                                                              "DeformConv",
                                                              "DepthToSpace",
                                                              "DequantizeLinear",
                                                              "Einsum",
                                                              "Elu",
                                                              "Equal",
                                                              "Expand",
                                                              "EyeLike",
                                                              "GRU",
                                                              "Gather",
                                                              "GatherElements",
                                                              "GatherND",
                                                              "Gelu",
                                                              "GlobalLpPool",
                                                              "Greater",
                                                              "GridSample",
                                                              "GroupNormalization",
                                                              "Hardmax",
                                                              "If",
                                                              "InstanceNormalization",
                                                              "IsInf",
                                                              "IsNaN",
                                                              "LRN",
                                                              "LSTM",
                                                              "LayerNormalization",
                                                              "Less",
                                                              "LogSoftmax",
                                                              "Loop",
                                                              "LpNormalization",
                                                              "LpPool",
                                                              "MatMulInteger",
                                                              "MaxRoiPool",
                                                              "MaxUnpool",
                                                              "Mean",
                                                              "MeanVarianceNormalization",
                                                              "Mish",
                                                              "Mod",
                                                              "NonMaxSuppression",
                                                              "NonZero",
                                                              "Not",
                                                              "OneHot",
                                                              "Or",
                                                              "PRelu",
                                                              "QLinearConv",
                                                              "QLinearMatMul",
                                                              "QuantizeLinear",
                                                              "RMSNormalization",
                                                              "RNN",
                                                              "Range",
                                                              "Reciprocal",
                                                              "ReduceMax",
                                                              "ReduceMean",
                                                              "ReduceMin",
                                                              "ReduceSum",
                                                              "Resize",
                                                              "RoiAlign",
                                                              "Round",
                                                              "Scan",
                                                              "ScatterElements",
                                                              "ScatterND",
                                                              "Selu",
                                                              "Shape",
                                                              "Shrink",
                                                              "Sign",
                                                              "Sin",
                                                              "Slice",
                                                              "Softplus",
                                                              "Softsign",
                                                              "SpaceToDepth",
                                                              "Split",
                                                              "Sum",
                                                              "Tan",
                                                              "ThresholdedRelu",
                                                              "Tile",
                                                              "TopK",
                                                              "Trilu",
                                                              "Upsample",
                                                              "Where",
                                                              "Xor"};
  return ops::find_operator(text) != nullptr || kFurther.contains(text);
}

/// One line for each literal that is an operator's type.
Strings find_operator_names(const SourceFile& file) {
  Strings found;
  for (const Token& token : tokenize(file.text)) {
    if (token.kind != Token::Kind::Literal) continue;
    for (const std::string& word : words_of(token.text)) {
      if (is_operator_type(word)) found.push_back(fmt::format("{}:{}: {}", file.path, token.line, word));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no pass over graphs, no schedule and no classification names an operator") {
  std::vector<std::string> folders{"src/graph",   "src/classify", "src/definitions", "schedules",
                                   "src/records", "src/measure",  "src/search"};
  if (std::filesystem::is_directory(source_dir() / "src/tune")) folders.emplace_back("src/tune");
  const auto files = read_tree(source_dir(), folders);
  REQUIRE(files.size() > 30);
  Strings found;
  for (const SourceFile& file : files)
    std::ranges::copy(find_operator_names(file), std::back_inserter(found));
  INFO(fmt::format("{}", fmt::join(found, "\n")));
  CHECK(found.empty());
}

TEST_CASE("operators' names are found where they are: in the front door and its table") {
  std::size_t found = 0;
  for (const SourceFile& file : read_tree(source_dir(), {"src/onnx", "src/ops"}))
    found += find_operator_names(file).size();
  CHECK(found > 40);
}

TEST_CASE("a name in a literal is found, one in a comment or in small letters is not") {
  CHECK(find_operator_names({"a.cpp", "if (op == \"Conv\") f(\"x.MatMul\");"}) ==
        Strings{"a.cpp:1: Conv", "a.cpp:1: MatMul"});
  CHECK(find_operator_names({"a.cpp", "// \"Conv\"\nauto s = \"attention\";\nauto t = \"Conv2\";"}) ==
        Strings{});
}

}  // namespace tensordsl::layering
