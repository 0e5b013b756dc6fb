// Shape rules, and the attributes they write out.
#include <doctest/doctest.h>

#include "ops/run_shape_rule.h"

using namespace tensordsl;
using namespace tensordsl::testing;

namespace {

/// Only the shape of a pool over [1,1,n].
std::string pool(std::int64_t n, std::map<std::string, Attributes::Value> values,
                 const char* op = "MaxPool") {
  const std::string text = run(op, {f32({1, 1, n})}, values);
  return text.substr(0, text.find(" {"));
}

}  // namespace

TEST_CASE("operators: the table finds each operator and no other") {
  for (const OperatorSpec& spec : operators()) CHECK(find_operator(spec.name)->name == spec.name);
  for (const char* name : {"", "Convolution", "conv", "Zzz"}) CHECK(find_operator(name) == nullptr);
}

TEST_CASE("operators: wrong numbers of inputs and unknown attributes are refused") {
  CHECK(run("Relu", {}) == "0 inputs are given; it takes 1");
  CHECK(run("Conv", {f32({1, 1, 4, 4})}) == "1 inputs are given; it takes 2 to 3");
  CHECK(run("Concat", {}, {{"axis", std::int64_t{0}}}) == "0 inputs are given; it takes 1 or more");
  CHECK(run("Relu", {f32({2})}, {{"slope", 0.5}}) ==
        "attribute slope = 0.5 is not supported; supported attributes: none");
  CHECK(run("Gemm", {f32({2, 2}), f32({2, 2})}, {{"broadcast", std::int64_t{1}}}) ==
        "attribute broadcast = 1 is not supported; supported attributes: alpha, beta, transA, transB");
  CHECK(run("Gemm", {f32({2, 2}), f32({2, 2})}, {{"alpha", std::int64_t{1}}}) ==
        "attribute alpha = 1 is an integer; it must be a number");
  const Attributes none;
  CHECK_THROWS_WITH_AS(infer(*find_operator("Relu"), OperatorCall{none, {nullptr}}), "input 0 is absent",
                       ModelError);
}

TEST_CASE("elementwise: shapes broadcast and types must meet") {
  CHECK(run("Add", {f32({2, 3, 4}), f32({3, 1})}) == "f32[2,3,4]");
  CHECK(run("Mul", {f16({}), f16({5, 1})}) == "f16[5,1]");
  CHECK(run("Sub", {f32({4, 1}), f32({1, 5})}) == "f32[4,5]");
  CHECK(run("Add", {f32({2, 3}), f32({2, 4})}) ==
        "[2,3] and [2,4] do not broadcast: 3 against 4 in dimension 1 from the end");
  CHECK(run("Add", {f32({2}), f16({2})}) ==
        "inputs 0 and 1 are f32[2] and f16[2]; their types must be the same");
  CHECK(run("Add", {{"", Bool(), {2}}, {"", Bool(), {2}}}) ==
        "input 0 is bool[2]; supported: all types but bool");
  CHECK(run("Exp", {i64({2})}) == "input 0 is i64[2]; supported: f64, f32, f16");
}

TEST_CASE("elementwise: defaults are written out") {
  CHECK(run("LeakyRelu", {f32({2})}) == "f32[2] {alpha=0.01}");
  CHECK(run("Cast", {f32({2})}, {{"to", std::int64_t{11}}}) == "f64[2] {to=11}");
  CHECK(
      run("Cast", {f32({2})}, {{"to", std::int64_t{8}}}) ==
      "attribute to = 8 is not supported; supported: 1 (FLOAT), 2 (UINT8), 3 (INT8), 6 (INT32), 7 (INT64), 9 "
      "(BOOL), 10 (FLOAT16), 11 (DOUBLE)");
  CHECK(run("HardSigmoid", {f32({2})}) == "f32[2] {alpha=0.2, beta=0.5}");
  CHECK(run("Softmax", {f32({2, 3})}) == "f32[2,3] {axis=1}");
  CHECK(run("Softmax", {f32({2, 3})}, {{"axis", std::int64_t{2}}}) ==
        "axis 2 is outside a tensor of 2 dimensions");
  CHECK(run("Clip", {i64({2})}, {{"max", 6.0}}) == "i64[2] {max=6}");
}

TEST_CASE("batch normalization: the statistics have one value a channel") {
  const TensorInfo c = f32({3});
  CHECK(run("BatchNormalization", {f32({1, 3, 2, 2}), c, c, c, c}) == "f32[1,3,2,2] {epsilon=1e-05}");
  CHECK(run("BatchNormalization", {f32({1, 4, 2, 2}), c, c, c, c}) ==
        "input 1 is f32[3]; an input f32[1,4,2,2] has 4 channels");
  CHECK(run("BatchNormalization", {f32({4}), c, c, c, c}) ==
        "the input is f32[4]; it must have the dimensions [N,C,..]");
}

TEST_CASE("conv: stride, dilation, groups and pads") {
  CHECK(run("Conv", {f32({1, 3, 224, 224}), f32({64, 3, 7, 7}), f32({64})},
            {{"strides", Ints{2, 2}}, {"pads", Ints{3, 3, 3, 3}}}) ==
        "f32[1,64,112,112] {dilations=[1,1], group=1, kernel_shape=[7,7], pads=[3,3,3,3], strides=[2,2]}");
  CHECK(run("Conv", {f16({1, 4, 9, 10}), f16({4, 1, 3, 2})},
            {{"group", std::int64_t{4}}, {"dilations", Ints{2, 3}}}) ==
        "f16[1,4,5,7] {dilations=[2,3], group=4, kernel_shape=[3,2], pads=[0,0,0,0], strides=[1,1]}");
  CHECK(run("Conv", {f32({1, 2, 8}), f32({5, 2, 3})}, {{"pads", Ints{0, 2}}}) ==
        "f32[1,5,8] {dilations=[1], group=1, kernel_shape=[3], pads=[0,2], strides=[1]}");
}

TEST_CASE("conv: auto_pad becomes explicit pads") {
  const auto same = [](std::int64_t n, std::int64_t k, std::int64_t stride, const char* mode) {
    return run("Conv", {f32({1, 1, n}), f32({1, 1, k})},
               {{"auto_pad", std::string(mode)}, {"strides", Ints{stride}}});
  };
  CHECK(same(7, 4, 1, "SAME_UPPER") ==
        "f32[1,1,7] {dilations=[1], group=1, kernel_shape=[4], pads=[1,2], strides=[1]}");
  CHECK(same(7, 4, 1, "SAME_LOWER") ==
        "f32[1,1,7] {dilations=[1], group=1, kernel_shape=[4], pads=[2,1], strides=[1]}");
  CHECK(same(8, 3, 2, "SAME_UPPER") ==
        "f32[1,1,4] {dilations=[1], group=1, kernel_shape=[3], pads=[0,1], strides=[2]}");
  CHECK(same(7, 1, 3, "SAME_UPPER") ==
        "f32[1,1,3] {dilations=[1], group=1, kernel_shape=[1], pads=[0,0], strides=[3]}");
  CHECK(same(8, 3, 2, "VALID") ==
        "f32[1,1,3] {dilations=[1], group=1, kernel_shape=[3], pads=[0,0], strides=[2]}");
  CHECK(same(8, 3, 2, "SAME") ==
        "attribute auto_pad = \"SAME\" is not supported; supported: NOTSET, SAME_UPPER, SAME_LOWER, VALID");
}

TEST_CASE("conv: what does not fit is refused with the shapes") {
  const TensorInfo x = f32({1, 4, 8, 8});
  CHECK(run("Conv", {x, f32({6, 3, 3, 3})}) ==
        "group = 1 does not fit an input [1,4,8,8] and weights [6,3,3,3]: they need the shapes [N,Ci,..] and "
        "[Co,Ci/group,..]");
  CHECK(run("Conv", {x, f32({6, 2, 3, 3})}, {{"group", std::int64_t{0}}}) ==
        "group = 0 does not fit an input [1,4,8,8] and weights [6,2,3,3]: they need the shapes [N,Ci,..] and "
        "[Co,Ci/group,..]");
  CHECK(run("Conv", {x, f32({6, 4, 3})}) == "the input [1,4,8,8] and the weights [6,4,3] differ in rank");
  CHECK(run("Conv", {x, f32({6, 4, 3, 3}), f32({5})}) ==
        "the bias is f32[5]; weights [6,4,3,3] need a bias [6]");
  CHECK(run("Conv", {x, f32({6, 4, 3, 3})}, {{"kernel_shape", Ints{3, 2}}}) ==
        "attribute kernel_shape = [3,2] differs from the weights [6,4,3,3]");
  CHECK(run("Conv", {x, f32({6, 4, 9, 3})}) ==
        "a window of 9 (kernel 9, dilation 1) does not fit into spatial dimension 0 of [1,4,8,8] with pads 0 "
        "and 0");
  CHECK(run("Conv", {x, f32({6, 4, 3, 3})}, {{"strides", Ints{0, 1}}}) ==
        "attribute strides = [0,1] is not supported; supported: values from 1 to 2147483647");
  CHECK(run("Conv", {x, f32({6, 4, 3, 3})}, {{"pads", Ints{1, 1}}}) ==
        "attribute pads = [1,1] has 2 values; 4 are needed");
  CHECK(run("Conv", {x, f32({6, 4, 3, 3})}, {{"pads", Ints{-1, 0, 0, 0}}}) ==
        "attribute pads = [-1,0,0,0] is not supported; supported: values from 0 to 2147483647");
  CHECK(run("Conv", {f32({4, 8}), f32({6, 8})}) ==
        "the input is f32[4,8]; it must have the dimensions [N,C,..] with one spatial dimension or more");
}

TEST_CASE("pools: ceil_mode rounds up but starts no window in the trailing padding") {
  const auto ceil = std::int64_t{1};
  CHECK(pool(6, {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}}) == "f32[1,1,2]");
  CHECK(pool(6, {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"ceil_mode", ceil}}) == "f32[1,1,3]");
  CHECK(pool(7, {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"ceil_mode", ceil}}) == "f32[1,1,3]");
  // PyTorch: a third window would start at 4 = 3 + 1, past the input and its leading padding.
  CHECK(
      pool(3, {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}, {"ceil_mode", ceil}}) ==
      "f32[1,1,2]");
  CHECK(pool(112, {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}}) == "f32[1,1,56]");
}

TEST_CASE("pools: defaults are written out and unsupported values refused") {
  CHECK(run("AveragePool", {f32({1, 2, 5, 5})}, {{"kernel_shape", Ints{2, 2}}}) ==
        "f32[1,2,4,4] {ceil_mode=0, count_include_pad=0, dilations=[1,1], kernel_shape=[2,2], "
        "pads=[0,0,0,0], strides=[1,1]}");
  CHECK(run("GlobalAveragePool", {f32({2, 3, 5, 7})}) == "f32[2,3,1,1]");
  CHECK(pool(5, {}) == "attribute kernel_shape is missing");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"storage_order", std::int64_t{1}}}) ==
        "attribute storage_order = 1 is not supported; supported: 0");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"ceil_mode", std::int64_t{2}}}) ==
        "attribute ceil_mode = 2 is not supported; supported: 0, 1");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"pads", Ints{0, 2}}}) ==
        "attribute pads = [0,2] with kernel_shape = [2] is not supported; supported: pads smaller than the "
        "kernel");
}

TEST_CASE("matrices: gemm and matmul") {
  CHECK(run("Gemm", {f32({2, 3}), f32({3, 4}), f32({4})}) ==
        "f32[2,4] {alpha=1, beta=1, transA=0, transB=0}");
  CHECK(run("Gemm", {f32({3, 2}), f32({4, 3})},
            {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 0.5}}) ==
        "f32[2,4] {alpha=0.5, beta=1, transA=1, transB=1}");
  CHECK(run("Gemm", {f32({2, 3}), f32({4, 3})}) ==
        "the inner extents of [2,3] and [4,3] differ: 3 against 4");
  CHECK(run("Gemm", {f32({2, 3}), f32({3, 4}), f32({5, 2, 4})}) ==
        "C is [5,2,4]; it must broadcast to [2,4]");
  CHECK(run("Gemm", {f32({2, 3, 1}), f32({3, 4})}) == "A and B are [2,3,1] and [3,4]; both must be matrices");
  CHECK(run("MatMul", {f32({2, 3}), f32({3, 4})}) == "f32[2,4]");
  CHECK(run("MatMul", {f32({5, 1, 2, 3}), f32({6, 3, 4})}) == "f32[5,6,2,4]");
  CHECK(run("MatMul", {f32({3}), f32({5, 3, 4})}) == "f32[5,4]");
  CHECK(run("MatMul", {f32({5, 2, 3}), f32({3})}) == "f32[5,2]");
  CHECK(run("MatMul", {f32({3}), f32({3})}) == "f32[]");
  CHECK(run("MatMul", {f32({}), f32({3})}) ==
        "an input is a scalar; both must be vectors, matrices or batches of matrices");
}

TEST_CASE("movement: concat, flatten, transpose and pad") {
  const auto axis = [](std::int64_t value) {
    return std::map<std::string, Attributes::Value>{{"axis", value}};
  };
  CHECK(run("Concat", {f32({1, 2, 3}), f32({1, 5, 3})}, axis(-2)) == "f32[1,7,3] {axis=1}");
  CHECK(run("Concat", {f32({1, 2, 3}), f32({1, 5, 4})}, axis(1)) ==
        "inputs 0 and 1 are [1,2,3] and [1,5,4]; they may differ only in dimension 1");
  CHECK(run("Concat", {f32({2})}) == "attribute axis is missing");
  CHECK(run("Flatten", {f32({2, 3, 4})}) == "f32[2,12] {axis=1}");
  CHECK(run("Flatten", {f32({2, 3, 4})}, axis(0)) == "f32[1,24] {axis=0}");
  CHECK(run("Flatten", {f32({2, 3, 4})}, axis(3)) == "f32[24,1] {axis=3}");
  CHECK(run("Transpose", {f32({2, 3, 4})}) == "f32[4,3,2] {perm=[2,1,0]}");
  CHECK(run("Transpose", {f32({2, 3, 4})}, {{"perm", Ints{1, 0, 2}}}) == "f32[3,2,4] {perm=[1,0,2]}");
  CHECK(run("Transpose", {f32({2, 3})}, {{"perm", Ints{0, 0}}}) ==
        "attribute perm = [0,0] is no permutation of the dimensions of [2,3]");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{1, 0, 0, -1}}}) == "f32[3,2] {pads=[1,0,0,-1], value=0}");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{0, 0, -2, 0}}}) == "f32[0,3] {pads=[0,0,-2,0], value=0}");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{0, 0, -3, 0}}}) ==
        "the output would be [-1,3]; an extent is negative");
  CHECK(run("Pad", {f32({2})}, {{"pads", Ints{0, 0}}, {"mode", std::string("symmetric")}}) ==
        "attribute mode = \"symmetric\" is not supported; supported: constant, reflect, edge, wrap");
}

TEST_CASE("movement: reshape resolves 0 and -1") {
  const auto to = [](Ints shape) { return run("Reshape", {f32({2, 3, 4})}, {{"shape", std::move(shape)}}); };
  CHECK(to({6, 4}) == "f32[6,4] {shape=[6,4]}");
  CHECK(to({0, -1}) == "f32[2,12] {shape=[2,12]}");
  CHECK(to({-1, 0, 1}) == "f32[8,3,1] {shape=[8,3,1]}");
  CHECK(to({5, -1}) == "[2,3,4] cannot be reshaped to [5,-1]");
  CHECK(to({-1, -1}) == "[2,3,4] cannot be reshaped to [-1,-1]");
  CHECK(to({1, 1, 1, 0}) == "[2,3,4] cannot be reshaped to [1,1,1,0]");
  CHECK(to({std::int64_t{1} << 62, 4}) == "[2,3,4] cannot be reshaped to [4611686018427387904,4]");
}

TEST_CASE("movement: squeeze and unsqueeze") {
  const auto axes = [](Ints values) {
    return std::map<std::string, Attributes::Value>{{"axes", std::move(values)}};
  };
  CHECK(run("Squeeze", {f32({1, 3, 1})}) == "f32[3] {axes=[0,2]}");
  CHECK(run("Squeeze", {f32({1, 3, 1})}, axes({-1})) == "f32[1,3] {axes=[2]}");
  CHECK(run("Squeeze", {f32({1, 3, 1})}, axes({1})) ==
        "dimension 1 of [1,3,1] cannot be dropped: its extent is not 1");
  CHECK(run("Unsqueeze", {f32({3})}, axes({-1, 0})) == "f32[1,3,1] {axes=[0,2]}");
  CHECK(run("Unsqueeze", {f32({3})}, axes({0, 0})) == "attribute axes = [0,0] names a dimension twice");
}

TEST_CASE("tensors: too many, negative and huge extents are refused") {
  CHECK(checked_bytes(Float(32), {}) == 4);
  CHECK(checked_bytes(Float(16), {1 << 16, 1 << 16}) == std::int64_t{1} << 33);
  CHECK_THROWS_WITH_AS(
      checked_bytes(Int(8), {0, std::int64_t{1} << 40, std::int64_t{1} << 40}),
      "a tensor i8[0,1099511627776,1099511627776] is larger than the limit of 8589934592 bytes", ShapeError);
  CHECK_THROWS_WITH_AS(checked_bytes(Float(32), {1 << 16, 1 << 16}),
                       "a tensor f32[65536,65536] is larger than the limit of 8589934592 bytes", ShapeError);
  CHECK_THROWS_WITH_AS(checked_bytes(Int(8), {2, -1}), "the shape [2,-1] has a negative extent", ShapeError);
  CHECK_THROWS_WITH_AS(checked_bytes(Int(8), Shape(33, 1)),
                       "a tensor of 33 dimensions is not supported; supported: 32", ShapeError);
  CHECK(run("Add", {f32({1 << 20, 1}), f32({1, 1 << 20})}) ==
        "a tensor f32[1048576,1048576] is larger than the limit of 8589934592 bytes");
}
