// SmartMem's Tables 5 and 6: what becomes of two consecutive operators, by their types, and whose layouts are
// searched then.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "classify/classify.h"
#include "classify/layout_type.h"
#include "classify/movement.h"
#include "graph/planned_model.h"
#include "graph/stages/pass_log.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;
using testing::PlannedModel;

namespace {

/// The rows and columns of both tables, in the paper's order, with the operators that stand for each here.
const std::array<std::string, 4> kTypes{"ILD & Variable", "ILI & Variable", "ILD & Fixed", "ILI & Fixed"};
const std::map<std::string, std::size_t> kOperators{
    {"MatMul", 0}, {"Softmax", 0}, {"Relu", 1}, {"Add", 1}, {"Slice", 3}, {"Transpose", 2}, {"Reshape", 2}};

/// Appends out = op(in) to the model and gives the shape of it; `shape` is that of `in`, of three dimensions.
Ints append(OnnxModel& model, const std::string& op, const std::string& in, const std::string& out,
            Ints shape) {
  const std::string other = out + "_operand";
  if (op == "MatMul") {
    model.floats(other, {shape[2], 12}, testing::Floats(static_cast<std::size_t>(shape[2] * 12), 1));
    model.node(op, {in, other}, {out});
    return {shape[0], shape[1], 12};
  }
  if (op == "Add") {
    model.input(other, shape).node(op, {in, other}, {out});
    return shape;
  }
  if (op == "Transpose") {
    model.node(op, {in}, {out}, {attribute("perm", Ints{1, 0, 2})});
    return {shape[1], shape[0], shape[2]};
  }
  if (op == "Reshape") {
    const Ints to{shape[0] * shape[1] / 3, 3, shape[2]};
    model.ints(other, {3}, to).node(op, {in, other}, {out});
    return to;
  }
  if (op == "Slice") {
    model.ints(out + "_begin", {1}, {4}).ints(out + "_end", {1}, {shape[2]}).ints(out + "_axis", {1}, {2});
    model.node(op, {in, out + "_begin", out + "_end", out + "_axis"}, {out});
    return {shape[0], shape[1], shape[2] - 4};
  }
  if (op == "Gather") {
    model.ints(other, {3}, {2, 0, 1}).node(op, {in, other}, {out}, {attribute("axis", 0)});
    return {3, shape[1], shape[2]};
  }
  model.node(op, {in}, {out});
  return shape;
}

bool only_moves(const std::string& op) {
  return op == "Transpose" || op == "Reshape" || op == "Slice" || op == "Gather";
}

/// b = second(a), a = first(x). What only moves elements has a reader, for the host's outputs are stored.
OnnxModel pair(const std::string& first, const std::string& second) {
  OnnxModel model;
  model.input("x", {6, 4, 24});
  const Ints shape = append(model, first, "x", "a", {6, 4, 24});
  append(model, second, "a", "b", shape);
  if (!only_moves(second)) return model.output("b");
  return model.node("Softmax", {"b"}, {"y"}).output("y");
}

bool is_movement(const PlannedModel& plan, const FusedGroup& group) {
  const TensorFuncs funcs(plan.graph);
  return std::ranges::all_of(group.tensors, [&](std::size_t tensor) {
    return tensordsl::graph::is_movement(plan.graph, funcs, tensor);
  });
}

/// Returns Table 5's word for the result of a pair. An operator is eliminated if no kernel moves its
/// elements.
std::string action(const std::string& first, const std::string& second) {
  const PlannedModel plan(pair(first, second));
  const auto is_eliminated = [&](const std::string& op, const std::string& tensor) {
    const FusedGroup* kernel = plan.kernel_of(tensor);
    return only_moves(op) && (!kernel || !is_movement(plan, *kernel));
  };
  const bool without_first = is_eliminated(first, "a"), without_second = is_eliminated(second, "b");
  if (without_first && without_second) return "eliminate both";
  if (without_first) return "eliminate 1st";
  if (without_second) return "eliminate 2nd";
  return plan.kernel_of("a") == plan.kernel_of("b") ? "fuse" : "keep both";
}

classify::LayoutType type_of(const std::vector<Func>& funcs, bool is_bijection) {
  std::vector<classify::Classification> all;
  for (const Func& func : funcs) all.push_back(classify::classify(func.contents()));
  return classify::layout_type_of(all, is_bijection);
}

/// The layout type of an operator, by its definitions before any pass.
std::string type_of(const std::string& op) {
  OnnxModel model;
  model.input("x", {6, 4, 24});
  append(model, op, "x", "a", {6, 4, 24});
  const DefinitionGraph graph = testing::definitions_of(model.output("a"));
  const DefinedTensor& tensor = graph.tensors[graph.outputs[0].tensor];
  const auto movement = classify::movement_of(tensor.func.contents(), tensor.extents());
  return to_string(
      type_of(TensorFuncs(graph).funcs_of(graph.outputs[0].tensor), movement && movement->is_bijective));
}

/// Returns the layout type that remains of a pair: the more complex one if there are two kernels, "N/A" if
/// there is none.
std::string type_left_of(const std::string& first, const std::string& second) {
  const PlannedModel plan(pair(first, second));
  std::set<std::tuple<bool, bool, std::string>> types;
  for (const char* tensor : {"a", "b"}) {
    const FusedGroup* kernel = plan.kernel_of(tensor);
    if (!kernel) continue;
    std::vector<Func> funcs = kernel->prologue;
    funcs.insert(funcs.end(), kernel->anchors.begin(), kernel->anchors.end());
    funcs.insert(funcs.end(), kernel->epilogue.begin(), kernel->epilogue.end());
    const classify::LayoutType type = type_of(funcs, false);
    types.emplace(type.depends_on_input, type.has_variable_output, to_string(type));
  }
  return types.empty() ? "N/A" : std::get<2>(*types.rbegin());
}

}  // namespace

TEST_CASE("SmartMem Table 3: what stands for a type here is of it by its definitions") {
  for (const auto& [op, type] : kOperators) {
    CAPTURE(op);
    CHECK(type_of(op) == kTypes[type]);
  }
}

TEST_CASE("SmartMem Table 5: of each pair of operators becomes what its cell says") {
  const std::array<std::array<std::string, 4>, 4> table{{
      {"keep both", "try fuse", "eliminate 2nd", "eliminate 2nd"},
      {"try fuse", "try fuse", "eliminate 2nd", "eliminate 2nd"},
      {"eliminate 1st", "eliminate 1st", "eliminate both", "eliminate both"},
      {"eliminate 1st", "eliminate 1st", "eliminate both", "eliminate both"},
  }};
  // Pairs whose fusion is tried and does not pay: it would repeat a comparison for each column of a product,
  // or all that a softmax reads three times.
  const std::set<std::string> apart{"Relu MatMul", "Relu Softmax", "Add Softmax"};
  for (const auto& [first, row] : kOperators) {
    for (const auto& [second, column] : kOperators) {
      const std::string both = first + " " + second;
      CAPTURE(both);
      std::string expected = table[row][column];
      if (expected == "try fuse") expected = apart.contains(both) ? "keep both" : "fuse";
      CHECK(action(first, second) == expected);
    }
  }
}

TEST_CASE("SmartMem Table 6: what is left of a pair is of its cell's type") {
  const std::array<std::array<std::string, 4>, 4> table{{
      {kTypes[0], kTypes[0], kTypes[0], kTypes[0]},
      {kTypes[0], kTypes[1], kTypes[1], kTypes[1]},
      {kTypes[0], kTypes[1], "N/A", "N/A"},
      {kTypes[0], kTypes[1], "N/A", "N/A"},
  }};
  for (const auto& [first, row] : kOperators) {
    for (const auto& [second, column] : kOperators) {
      CAPTURE(first);
      CAPTURE(second);
      CHECK(type_left_of(first, second) == table[row][column]);
    }
  }
}

TEST_CASE(
    "SmartMem Table 5, ILD & Variable twice: of attention, and of a mean and its products, we keep one "
    "kernel") {
  OnnxModel attention;
  attention.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("v", {2, 7, 5});
  attention.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  attention.node("MatMul", {"w", "v"}, {"y"}).output("y");
  CHECK(PlannedModel(attention).kernels() == "MatMul; Softmax; MatMul");
  CHECK(PlannedModel(attention, true).kernels() == "MatMul+Softmax+MatMul");
  OnnxModel excitation;
  excitation.input("x", {1, 8, 5, 5}).node("GlobalAveragePool", {"x"}, {"m"});
  excitation.floats("w", {4, 8, 1, 1}, testing::Floats(32, 1)).node("Conv", {"m", "w"}, {"y"}).output("y");
  CHECK(PlannedModel(excitation).kernels() == "GlobalAveragePool; Conv");
  CHECK(PlannedModel(excitation, true).kernels() == "GlobalAveragePool+Conv");
}

TEST_CASE("SmartMem Table 5, ILI & Fixed: a gather by data stays, but before what is done to each element") {
  CHECK(type_of("Gather") == kTypes[3]);
  CHECK(action("MatMul", "Gather") == "keep both");
  CHECK(action("Relu", "Gather") == "keep both");
  CHECK(action("Gather", "MatMul") == "keep both");
  CHECK(action("Gather", "Relu") == "eliminate 1st");
  CHECK(action("Gather", "Transpose") == "eliminate 2nd");
  CHECK(action("Slice", "Gather") == "keep both");
}

TEST_CASE("SmartMem Table 5, ILD & Fixed: a transpose stays where its reader would leap through memory") {
  const auto kernels = [](const Ints& perm) {
    OnnxModel model;
    model.input("x", {4, 6, 8}).node("Transpose", {"x"}, {"t"}, {attribute("perm", perm)});
    return PlannedModel(model.node("Softmax", {"t"}, {"y"}).output("y")).kernels();
  };
  CHECK(kernels({1, 0, 2}) == "Softmax");
  CHECK(kernels({0, 2, 1}) == "Transpose; Softmax");
}

TEST_CASE("SmartMem Table 5: the reshape and the transpose between a convolution and a LayerNorm go") {
  OnnxModel model;  // its Figure 1 (a)
  model.input("x", {1, 3, 8, 8}).floats("w", {6, 3, 2, 2}, testing::Floats(72, 1));
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("strides", Ints{2, 2})}).ints("shape", {3}, {1, 6, 16});
  model.node("Reshape", {"c", "shape"}, {"r"});
  model.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{0, 2, 1})});
  model.floats("scale", {6}, testing::Floats(6, 1)).floats("bias", {6}, testing::Floats(6, 1));
  model.node("LayerNormalization", {"t", "scale", "bias"}, {"y"}).output("y");
  const PlannedModel plan(model);
  CHECK(plan.kernels() == "Conv; LayerNormalization");
  CHECK(plan.layout("c") == "a c d b");  // a pixel's channels together, as the norm reads them
}

namespace {

/// Table 6's search: the tensors of x -> a -> b, which are pictures, that are stored in an order that was
/// searched for.
std::string searched(const std::string& first, const std::string& second) {
  OnnxModel model;
  model.input("x", first == "Transpose" ? Ints{1, 8, 6, 8} : Ints{1, 8, 8, 6});
  const auto append_picture = [&](const std::string& op, const std::string& in, const std::string& out) {
    if (op == "Conv") {
      model.floats(out + "_w", {8, 8, 1, 1}, testing::Floats(64, 1)).node(op, {in, out + "_w"}, {out});
    } else if (op == "Slice") {
      model.ints(out + "_begin", {1}, {1}).ints(out + "_axis", {1}, {2}).ints(out + "_end", {1}, {6});
      model.node(op, {in, out + "_begin", out + "_end", out + "_axis"}, {out});
    } else if (op == "Transpose") {  // channels last, and back
      model.node(op, {in}, {out}, {attribute("perm", out == "b" ? Ints{0, 2, 3, 1} : Ints{0, 3, 1, 2})});
    } else {
      model.node(op, {in}, {out});
    }
  };
  append_picture(first, "x", "a");
  append_picture(second, "a", "b");
  only_moves(second) ? model.node("Softmax", {"b"}, {"y"}).output("y") : model.output("b");
  const PlannedModel plan(model);
  std::string all;
  for (const char* name : {"x", "a", "b"}) {
    const auto tensor = plan.tensor(name);
    const FusedGroup* kernel = plan.kernel_of(name);
    const bool is_stored = name == std::string("x") || (kernel && kernel->stored_tensors[0] == tensor);
    if (is_stored && !plan.storage.reasons[tensor.value()].empty())
      all += (all.empty() ? "" : " ") + std::string(name);
  }
  return all;
}

}  // namespace

TEST_CASE("SmartMem Table 6: layouts are searched of what an operator that depends on them reads and makes") {
  CHECK(searched("Conv", "Conv") == "x a b");     // both
  CHECK(searched("Conv", "Relu") == "x b");       // of the fused one; a is not stored
  CHECK(searched("Relu", "Conv") == "x a b");     // ours are two kernels, of which the first goes along
  CHECK(searched("Conv", "Transpose") == "x a");  // of the first
  CHECK(searched("Conv", "Slice") == "x a");
  CHECK(searched("Slice", "Conv") == "x b");    // of the second
  CHECK(searched("Transpose", "Conv") == "b");  // x is in its order already
}

TEST_CASE("SmartMem Table 6: of pairs without such an operator no layout is searched") {
  for (const std::string first : {"Relu", "Transpose", "Slice"}) {
    for (const std::string second : {"Relu", "Transpose", "Slice"}) {
      CAPTURE(first);
      CAPTURE(second);
      CHECK(searched(first, second).empty());
    }
  }
}
