// Shape rules, and the attributes they write out.
#include <doctest/doctest.h>

#include "ops/run_shape_rule.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

/// Returns only the shape of a pool over [1,1,n].
std::string pool(const Size& n, std::map<std::string, Attributes::Value> values, const char* op = "MaxPool") {
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
  CHECK(run("Cast", {f32({2})}, {{"to", std::int64_t{8}}}) ==
        "attribute to = 8 is not supported; supported: 1 (FLOAT), 2 (UINT8), 3 (INT8), 4 (UINT16), 5 "
        "(INT16), 6 "
        "(INT32), 7 (INT64), 9 (BOOL), 10 (FLOAT16), 11 (DOUBLE), 12 (UINT32), 13 (UINT64)");
  CHECK(run("HardSigmoid", {f32({2})}) == "f32[2] {alpha=0.2, beta=0.5}");
  CHECK(run("Softmax", {f32({2, 3})}) == "f32[2,3] {axis=1}");
  CHECK(run("Softmax", {f32({2, 3})}, {{"axis", std::int64_t{2}}}) ==
        "axis 2 is outside a tensor of 2 dimensions");
  CHECK(run("Clip", {i64({2})}, {{"max", 6.0}}) == "i64[2] {max=6}");
}

TEST_CASE("elementwise: activations have their defaults") {
  for (const char* op : {"Celu", "Elu", "ThresholdedRelu"}) CHECK(run(op, {f32({2})}) == "f32[2] {alpha=1}");
  CHECK(run("Selu", {f32({2})}) == "f32[2] {alpha=1.6732632, gamma=1.050701}");
  CHECK(run("Shrink", {i64({2})}) == "i64[2] {bias=0, lambd=0.5}");
  CHECK(run("Gelu", {f32({2})}) == "f32[2] {approximate=\"none\"}");
  CHECK(run("Gelu", {f32({2})}, {{"approximate", std::string("sigmoid")}}) ==
        "attribute approximate = \"sigmoid\" is not supported; supported: none, tanh");
  CHECK(run("PRelu", {f32({2, 3}), f32({3})}) == "f32[2,3]");
  CHECK(run("PRelu", {f32({3}), f32({2, 3})}) == "the slope is [2,3]; it must broadcast to [3]");
  CHECK(run("Mean", {f32({2, 1}), f32({3}), f32({})}) == "f32[2,3]");
  CHECK(run("Mean", {i64({2})}) == "input 0 is i64[2]; supported: f64, f32, f16");
}

TEST_CASE("logic: comparisons give bools, and operators of bools and of bits take no others") {
  const TensorInfo truth = of(Bool(), {2, 1});
  CHECK(run("Less", {f32({2, 1}), f32({3})}) == "bool[2,3]");
  CHECK(run("Less", {truth, truth}) == "input 0 is bool[2,1]; supported: all types but bool");
  CHECK(run("Equal", {truth, of(Bool(), {3})}) == "bool[2,3]");
  CHECK(run("Equal", {truth, f32({3})}) ==
        "inputs 0 and 1 are bool[2,1] and f32[3]; their types must be the same");
  CHECK(run("And", {truth, of(Bool(), {3})}) == "bool[2,3]");
  CHECK(run("Xor", {truth, f32({3})}) == "input 1 is f32[3]; supported: bool");
  CHECK(run("Not", {f32({3})}) == "input 0 is f32[3]; supported: bool");
  CHECK(run("IsNaN", {f16({3})}) == "bool[3]");
  CHECK(run("IsInf", {f32({3})}) == "bool[3] {detect_negative=1, detect_positive=1}");
  CHECK(run("IsInf", {f32({3})}, {{"detect_negative", std::int64_t{2}}}) ==
        "attribute detect_negative = 2 is not supported; supported: 0, 1");
  CHECK(run("BitwiseAnd", {f32({3}), f32({3})}) == "input 0 is f32[3]; supported: integers");
  CHECK(run("BitwiseNot", {truth}) == "input 0 is bool[2,1]; supported: integers");
  const std::map<std::string, Attributes::Value> left{{"direction", std::string("LEFT")}};
  CHECK(run("BitShift", {of(UInt(8), {3}), of(UInt(8), {})}, left) == "u8[3] {direction=\"LEFT\"}");
  CHECK(run("BitShift", {i64({3}), i64({})}, left) == "i64[3] {direction=\"LEFT\"}");
  CHECK(run("BitShift", {f32({3}), f32({})}, left).find("input 0 is f32[3]") != std::string::npos);
  CHECK(run("BitShift", {of(UInt(8), {3}), of(UInt(8), {})}, {{"direction", std::string("UP")}}) ==
        "attribute direction = \"UP\" is not supported; supported: LEFT, RIGHT");
  CHECK(run("Mod", {i64({3}), i64({})}) == "i64[3] {fmod=0}");
  CHECK(run("Mod", {f32({3}), f32({})}) == "f32[3] {fmod=0}");
  CHECK(run("SwiGLU", {f32({3, 2}), f32({3, 2})}) == "f32[3,2] {alpha=1}");
  CHECK(run("SwiGLU", {f32({3, 2}), f32({2})}) ==
        "A is f32[3,2] and B f32[2]; they must have the same type and shape");
  const TensorInfo cache = f32({2, 8, 3}), update = f32({2, 4, 3});
  CHECK(run("TensorScatter", {cache, update}) == "f32[2,8,3] {axis=1, mode=\"linear\"}");
  CHECK(run("TensorScatter", {cache, update, i64({3})}) ==
        "write_indices is i64[3]; it must be [2], a place for each batch");
  CHECK(run("TensorScatter", {update, cache}) ==
        "the update [2,8,3] does not fit the cache [2,4,3] in dimension 1");
  CHECK(run("TensorScatter", {cache, f32({2, 4})}) ==
        "the cache is f32[2,8,3] and the update f32[2,4]; they must be of one type and rank, at least 2");
  CHECK(run("TensorScatter", {cache, update}, {{"axis", std::int64_t{0}}}) ==
        "axis = 0 is the batch; the cache is written along another dimension");
  CHECK(run("Pow", {f32({3}), i64({2, 1})}) == "f32[2,3]");
  CHECK(run("Pow", {f32({3}), truth}) == "input 1 is bool[2,1]; supported: all types but bool");
  CHECK(run("Where", {truth, i64({3}), i64({})}) == "i64[2,3]");
  CHECK(run("Where", {f32({3}), i64({3}), i64({})}) == "input 0 is f32[3]; supported: bool");
  CHECK(run("Where", {truth, i64({3}), f32({})}) ==
        "inputs 1 and 2 are i64[3] and f32[]; their types must be the same");
}

TEST_CASE("reductions: axes are all, none or some") {
  const TensorInfo x = f32({2, 3, 4});
  const auto sum = [&](const std::map<std::string, Attributes::Value>& values) {
    return run("ReduceSum", {x}, values);
  };
  CHECK(sum({}) == "f32[1,1,1] {axes=[0,1,2], keepdims=1, noop_with_empty_axes=0}");
  CHECK(sum({{"axes", Ints{-1, 0}}, {"keepdims", std::int64_t{0}}}) ==
        "f32[3] {axes=[0,2], keepdims=0, noop_with_empty_axes=0}");
  CHECK(sum({{"axes", Ints{}}, {"noop_with_empty_axes", std::int64_t{1}}}) ==
        "f32[2,3,4] {axes=[], keepdims=1, noop_with_empty_axes=1}");
  CHECK(sum({{"axes", Ints{1, -2}}}) == "attribute axes = [1,1] names a dimension twice");
  CHECK(sum({{"axes", Ints{3}}}) == "axis 3 is outside a tensor of 3 dimensions");
  CHECK(sum({{"keepdims", std::int64_t{2}}}) == "attribute keepdims = 2 is not supported; supported: 0, 1");
  CHECK(run("ReduceSum", {of(Bool(), {2})}) == "input 0 is bool[2]; supported: all types but bool");
  CHECK(run("ReduceMax", {of(Bool(), {2})}) == "bool[1] {axes=[0], keepdims=1, noop_with_empty_axes=0}");
  CHECK(run("ArgMax", {x}) == "i64[1,3,4] {axis=0, keepdims=1, select_last_index=0}");
  CHECK(run("ArgMin", {x}, {{"axis", std::int64_t{-1}}, {"keepdims", std::int64_t{0}}}) ==
        "i64[2,3] {axis=2, keepdims=0, select_last_index=0}");
  CHECK(run("ArgMax", {f32({2, 0})}, {{"axis", std::int64_t{1}}}) ==
        "dimension 1 of [2,0] has no element to choose");
  CHECK(run("CumSum", {x}, {{"axis", std::int64_t{-1}}}) == "f32[2,3,4] {axis=2, exclusive=0, reverse=0}");
}

TEST_CASE("normalizations: groups of elements") {
  const TensorInfo x = f32({2, 6, 4}), c = f32({6});
  CHECK(run("InstanceNormalization", {x, c, c}) == "f32[2,6,4] {epsilon=1e-05}");
  CHECK(run("InstanceNormalization", {f32({2, 6}), c, c}) ==
        "the input is f32[2,6]; it must have the dimensions [N,C,..] with one spatial dimension or more");
  const std::map<std::string, Attributes::Value> groups{{"num_groups", std::int64_t{3}}};
  CHECK(run("GroupNormalization", {x, c, c}, groups) == "f32[2,6,4] {epsilon=1e-05, num_groups=3}");
  CHECK(run("GroupNormalization", {x, f32({3}), f32({3})}, groups) ==
        "f32[2,6,4] {epsilon=1e-05, num_groups=3}");
  CHECK(run("GroupNormalization", {x, f32({4}), c}, groups) ==
        "input 1 is f32[4]; it must have one value for each of 6 channels or 3 groups");
  CHECK(run("GroupNormalization", {x, c, c}, {{"num_groups", std::int64_t{4}}}) ==
        "num_groups = 4 does not divide the 6 channels of f32[2,6,4]");
  CHECK(run("LayerNormalization", {x, f32({4})}) == "f32[2,6,4] {axis=2, epsilon=1e-05}");
  CHECK(run("LayerNormalization", {x, f32({6})}) ==
        "[2,6,4] and [6] do not broadcast: 4 against 6 in dimension 1 from the end");
  CHECK(run("LayerNormalization", {x, f32({4})}, {{"stash_type", std::int64_t{10}}}) ==
        "attribute stash_type = 10 is not supported; supported: 1 (FLOAT)");
  const Attributes none;
  const TensorInfo scale = f32({4});
  const InferredNode all = infer(*find_operator("LayerNormalization"), OperatorCall{none, {&x, &scale}, 3});
  CHECK(to_string(all.outputs.at(2).shape) == "[2,6,1]");
  CHECK(run("RMSNormalization", {f16({2, 4}), f32({4})}) == "f32[2,4] {axis=1, epsilon=1e-05}");
  CHECK(run("RMSNormalization", {f16({4}), f32({2, 4})}) == "input 1 is f32[2,4]; it must broadcast to [4]");
  CHECK(run("LpNormalization", {x}) == "f32[2,6,4] {axis=2, p=2}");
  CHECK(run("LpNormalization", {x}, {{"p", std::int64_t{3}}}) ==
        "attribute p = 3 is not supported; supported: 1, 2");
  CHECK(run("LRN", {x}, {{"size", std::int64_t{3}}}) ==
        "f32[2,6,4] {alpha=0.0001, beta=0.75, bias=1, size=3}");
  CHECK(run("LRN", {x}, {{"size", std::int64_t{0}}}) ==
        "attribute size = 0 is not supported; supported: values from 1 to 1048576");
  CHECK(run("MeanVarianceNormalization", {f32({2, 3, 4, 5})}) == "f32[2,3,4,5] {axes=[0,2,3]}");
  CHECK(run("MeanVarianceNormalization", {x}, {{"axes", Ints{}}}) ==
        "attribute axes is empty; it must name a dimension");
}

TEST_CASE("quantization: scales and zero points are of a tensor, of an axis or of blocks") {
  const TensorInfo x = f32({3, 5}), byte = of(UInt(8), {}), bytes = of(UInt(8), {3, 5});
  CHECK(run("QuantizeLinear", {x, f32({})}) == "u8[3,5] {output_dtype=2}");
  CHECK(run("QuantizeLinear", {x, f32({}), of(Int(16), {})}) == "i16[3,5] {output_dtype=5}");
  CHECK(run("QuantizeLinear", {x, f32({5})}) == "u8[3,5] {axis=1, block_size=0, output_dtype=2}");
  CHECK(run("QuantizeLinear", {x, f32({3})}) ==
        "the scale is f32[3]; an input f32[3,5] with axis = 1 and block_size = 0 needs [5]");
  CHECK(run("QuantizeLinear", {x, f32({3, 3})}, {{"block_size", std::int64_t{2}}}) ==
        "u8[3,5] {axis=1, block_size=2, output_dtype=2}");
  CHECK(run("QuantizeLinear", {x, f32({3, 2})}, {{"block_size", std::int64_t{2}}}) ==
        "the scale is f32[3,2]; an input f32[3,5] with axis = 1 and block_size = 2 needs one for each block");
  CHECK(run("QuantizeLinear", {x, f32({})}, {{"block_size", std::int64_t{-2}}}) ==
        "attribute block_size = -2 is negative");
  CHECK(run("QuantizeLinear", {x, f32({5}), byte}) ==
        "the scale is f32[5] and the zero point u8[]; their shapes must be the same");
  CHECK(run("QuantizeLinear", {x, f32({}), byte}, {{"output_dtype", std::int64_t{3}}}) ==
        "the zero point is u8[] and the output i8; their types must be the same");
  CHECK(run("QuantizeLinear", {x, f32({})}, {{"output_dtype", std::int64_t{7}}}) ==
        "the output would be i64; supported: i8, u8, i16, u16, and integers and floats of 8 bits or less");
  CHECK(run("QuantizeLinear", {x, f32({})}, {{"precision", std::int64_t{10}}}) ==
        "u8[3,5] {output_dtype=2, precision=10}");
  CHECK(run("QuantizeLinear", {x, f32({})}, {{"precision", std::int64_t{16}}}) ==
        "attribute precision = 16 is not supported; supported: 0, 1 (FLOAT), 10 (FLOAT16), 11 (DOUBLE)");
  CHECK(run("DequantizeLinear", {bytes, f16({}), byte}) == "f16[3,5] {output_dtype=10}");
  CHECK(run("DequantizeLinear", {bytes, f32({}), of(Int(8), {})}) ==
        "inputs 0 and 2 are u8[3,5] and i8[]; their types must be the same");
  CHECK(run("DequantizeLinear", {x, f32({})}) == "input 0 is f32[3,5]; supported: i8, u8, i16, u16, i32");
  CHECK(run("DequantizeLinear", {bytes, f32({})}, {{"output_dtype", std::int64_t{7}}}) ==
        "the output would be i64; supported: f64, f32, f16");
}

TEST_CASE("quantization: products of bytes") {
  const TensorInfo a = of(UInt(8), {2, 3, 5}), b = of(Int(8), {5, 7}), scale = f32({});
  CHECK(run("MatMulInteger", {a, b}) == "i32[2,3,7]");
  CHECK(run("MatMulInteger", {a, b, of(UInt(8), {3}), of(Int(8), {7})}) == "i32[2,3,7]");
  CHECK(run("MatMulInteger", {a, b, of(UInt(8), {2, 3, 1}), of(Int(8), {1, 7})}) == "i32[2,3,7]");
  CHECK(run("MatMulInteger", {a, b, of(UInt(8), {5})}) ==
        "input 2 is u8[5]; it must be one number, or have one for each of dimension 1 of [2,3,5]");
  CHECK(run("MatMulInteger", {a, b, of(Int(8), {})}) ==
        "inputs 0 and 2 are u8[2,3,5] and i8[]; their types must be the same");
  CHECK(run("MatMulInteger", {f32({3, 5}), b}) == "input 0 is f32[3,5]; supported: i8, u8");
  const TensorInfo zero = of(UInt(8), {}), zeros = of(Int(8), {});
  CHECK(run("QLinearMatMul", {a, scale, zero, b, scale, zeros, scale, zeros}) == "i8[2,3,7]");
  CHECK(run("QLinearMatMul", {a, scale, zero, b, scale, zeros, f32({7}), zeros}) ==
        "input 6 is f32[7]; it must be one number");
  const TensorInfo x = of(UInt(8), {1, 2, 4, 4}), w = of(Int(8), {3, 2, 3, 3});
  const std::string window = " {dilations=[1,1], group=1, kernel_shape=[3,3], pads=[0,0,0,0], strides=[1,1]}";
  CHECK(run("ConvInteger", {x, w}) == "i32[1,3,2,2]" + window);
  CHECK(run("ConvInteger", {x, w, zero, of(Int(8), {2})}) ==
        "input 3 is i8[2]; it must be one number, or have one for each of dimension 0 of [3,2,3,3]");
  CHECK(run("QLinearConv", {x, scale, zero, w, f32({3}), of(Int(8), {3}), scale, zero}) ==
        "u8[1,3,2,2]" + window);
  CHECK(run("QLinearConv", {x, scale, zero, w, scale, zeros, scale, zero, f32({3})}) ==
        "the bias is f32[3]; supported: i32");
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
  // An unknown length is accepted if no window can start in the trailing padding.
  CHECK(pool(Size::symbol("n"), {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"ceil_mode", ceil}}) ==
        "f32[1,1,n/2]");
  const std::string refused =
      pool(Size::symbol("n"),
           {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}, {"ceil_mode", ceil}});
  CHECK(refused.ends_with("must be known here; fix its dimensions, as in --dim n=1"));
}

TEST_CASE("pools: defaults are written out and unsupported values refused") {
  CHECK(run("AveragePool", {f32({1, 2, 5, 5})}, {{"kernel_shape", Ints{2, 2}}}) ==
        "f32[1,2,4,4] {ceil_mode=0, count_include_pad=0, dilations=[1,1], kernel_shape=[2,2], "
        "pads=[0,0,0,0], strides=[1,1]}");
  CHECK(run("GlobalAveragePool", {f32({2, 3, 5, 7})}) == "f32[2,3,1,1]");
  CHECK(pool(5, {}) == "attribute kernel_shape is missing");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"storage_order", std::int64_t{2}}}) ==
        "attribute storage_order = 2 is not supported; supported: 0, 1");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"ceil_mode", std::int64_t{2}}}) ==
        "attribute ceil_mode = 2 is not supported; supported: 0, 1");
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"pads", Ints{0, 2}}}) ==
        "attribute pads = [0,2] with kernel_shape = [2] is not supported; supported: pads smaller than the "
        "kernel");
}

TEST_CASE("pools: of 8-bit integers only the largest, and where it was") {
  CHECK(pool(5, {{"kernel_shape", Ints{2}}, {"p", std::int64_t{0}}}, "LpPool") ==
        "attribute p = 0 is not supported; supported: 1 and more");
  CHECK(run("LpPool", {f32({1, 2, 5})}, {{"kernel_shape", Ints{2}}}) ==
        "f32[1,2,4] {ceil_mode=0, dilations=[1], kernel_shape=[2], p=2, pads=[0,0], strides=[1]}");
  CHECK(run("GlobalLpPool", {f16({2, 3, 5})}) == "f16[2,3,1] {p=2}");
  const TensorInfo bytes{"", UInt(8), {1, 1, 5}};
  Attributes attributes;
  attributes.set("kernel_shape", Ints{2});
  const InferredNode both = infer(*find_operator("MaxPool"), {attributes, {&bytes}, 2});
  REQUIRE(both.outputs.size() == 2);
  CHECK(both.type() == UInt(8));
  CHECK(both.outputs[1].type == Int(64));
  CHECK(both.outputs[1].shape == both.shape());
  CHECK(run("MaxPool", {i64({1, 1, 5})}, {{"kernel_shape", Ints{2}}}) ==
        "input 0 is i64[1,1,5]; supported: f64, f32, f16, i8, u8");
  CHECK(run("AveragePool", {bytes}, {{"kernel_shape", Ints{2}}}) ==
        "input 0 is u8[1,1,5]; supported: f64, f32, f16");
}

TEST_CASE("unpooling: the shape before the pool, or a larger one") {
  const auto unpool = [](std::map<std::string, Attributes::Value> values, const TensorInfo& indices) {
    values.emplace("kernel_shape", Ints{2, 2});
    values.emplace("strides", Ints{2, 2});
    return run("MaxUnpool", {f32({1, 1, 2, 3}), indices}, values);
  };
  const TensorInfo indices = i64({1, 1, 2, 3});
  CHECK(unpool({}, indices) ==
        "f32[1,1,4,6] {kernel_shape=[2,2], output_shape=[1,1,4,6], pads=[0,0,0,0], strides=[2,2]}");
  CHECK(unpool({{"output_shape", Ints{1, 1, 5, 6}}}, indices) ==
        "f32[1,1,5,6] {kernel_shape=[2,2], output_shape=[1,1,5,6], pads=[0,0,0,0], strides=[2,2]}");
  CHECK(unpool({{"output_shape", Ints{1, 1, 5, 5}}}, indices) ==
        "the output shape is [1,1,5,5]; it must be [1,1,4,6] or more in the spatial dimensions");
  CHECK(unpool({}, i64({1, 1, 3, 2})) ==
        "the indices are i64[1,1,3,2]; an input [1,1,2,3] needs i64[1,1,2,3]");
}

TEST_CASE("transposed convolutions: output_shape and auto_pad become pads") {
  const auto transposed = [](std::map<std::string, Attributes::Value> values) {
    return run("ConvTranspose", {f32({1, 4, 3}), f32({4, 3, 3})}, values);
  };
  CHECK(transposed({{"strides", Ints{2}}, {"group", std::int64_t{2}}}) ==
        "f32[1,6,7] {dilations=[1], group=2, kernel_shape=[3], output_padding=[0], pads=[0,0], strides=[2]}");
  CHECK(transposed({{"strides", Ints{2}}, {"auto_pad", std::string("SAME_UPPER")}}) ==
        "f32[1,3,6] {dilations=[1], group=1, kernel_shape=[3], output_padding=[0], pads=[0,1], strides=[2]}");
  CHECK(transposed({{"strides", Ints{2}}, {"auto_pad", std::string("SAME_LOWER")}}) ==
        "f32[1,3,6] {dilations=[1], group=1, kernel_shape=[3], output_padding=[0], pads=[1,0], strides=[2]}");
  CHECK(
      transposed({{"strides", Ints{3}}, {"output_shape", Ints{10}}}) ==
      "f32[1,3,10] {dilations=[1], group=1, kernel_shape=[3], output_padding=[1], pads=[0,0], strides=[3]}");
  CHECK(transposed({{"output_shape", Ints{1, 3, 4}}}) ==
        "f32[1,3,4] {dilations=[1], group=1, kernel_shape=[3], output_padding=[0], pads=[1,0], strides=[1]}");
  CHECK(transposed({{"output_shape", Ints{3, 4}}}) ==
        "attribute output_shape = [3,4] has 2 values; 1 are needed");
  CHECK(transposed({{"group", std::int64_t{3}}}) ==
        "group = 3 does not fit an input [1,4,3] and weights [4,3,3]: they need the shapes [N,Ci,..] and "
        "[Ci,Co/group,..]");
}

TEST_CASE("deformed convolutions: an offset for each tap and dimension") {
  const TensorInfo x = f32({1, 2, 4, 4}), w = f32({3, 2, 2, 2}), offset = f32({1, 8, 3, 3});
  CHECK(run("DeformConv", {x, w, offset}) ==
        "f32[1,3,3,3] {dilations=[1,1], group=1, kernel_shape=[2,2], offset_group=1, pads=[0,0,0,0], "
        "strides=[1,1]}");
  CHECK(run("DeformConv", {x, w, f32({1, 4, 3, 3})}) == "the offset is f32[1,4,3,3]; it must be [1,8,3,3]");
  CHECK(run("DeformConv", {x, w, offset, f32({3}), f32({1, 4, 3, 4})}) ==
        "the mask is f32[1,4,3,4]; it must be [1,4,3,3]");
  CHECK(run("DeformConv", {x, w, offset}, {{"offset_group", std::int64_t{3}}}) ==
        "offset_group = 3 does not divide the channels of an input [1,2,4,4]");
}

TEST_CASE("rotary embeddings: angles for the positions, and heads that can be rotated") {
  const TensorInfo x = f32({2, 3, 5, 8}), angles = f32({2, 5, 4}), table = f32({9, 4});
  CHECK(run("RotaryEmbedding", {x, angles, angles}) ==
        "f32[2,3,5,8] {interleaved=0, num_heads=0, rotary_embedding_dim=8}");
  CHECK(run("RotaryEmbedding", {f32({2, 5, 24}), table, table, i64({2, 5})},
            {{"num_heads", std::int64_t{3}}}) ==
        "f32[2,5,24] {interleaved=0, num_heads=3, rotary_embedding_dim=8}");
  CHECK(run("RotaryEmbedding", {x, angles, angles}, {{"rotary_embedding_dim", std::int64_t{4}}}) ==
        "f32[2,3,5,8] {interleaved=0, num_heads=0, rotary_embedding_dim=4}");
  CHECK(run("RotaryEmbedding", {f32({2, 5, 24}), table, table, i64({2, 5})}) ==
        "attribute num_heads = 0 does not divide an input [2,5,24]");
  CHECK(run("RotaryEmbedding", {x, angles, angles}, {{"rotary_embedding_dim", std::int64_t{10}}}) ==
        "cannot rotate 10 of the 8 elements of each head; supported: an even number, up to all of them");
  CHECK(run("RotaryEmbedding", {x, angles, angles, i64({2, 4})}) ==
        "the positions are i64[2,4]; an input [2,3,5,8] needs i64[2,5]");
  CHECK(run("RotaryEmbedding", {x, f32({2, 5, 3}), angles}) ==
        "the cosines are f32[2,5,3] and the sines f32[2,5,4]; they must be [2,5,4]");
}

TEST_CASE("sampling: the grid and the regions fit the image") {
  CHECK(run("GridSample", {f32({2, 3, 4, 5}), f32({2, 6, 7, 2})}, {{"mode", std::string("bicubic")}}) ==
        "f32[2,3,6,7] {align_corners=0, mode=\"cubic\", padding_mode=\"zeros\"}");
  CHECK(run("GridSample", {f32({2, 3, 4, 5}), f32({2, 6, 7, 3})}) ==
        "the grid is f32[2,6,7,3]; an input [2,3,4,5] needs a grid [2,..,2] of 4 dimensions");
  CHECK(run("GridSample", {i64({2, 3, 4, 5}), f32({2, 6, 7, 2})}) ==
        "input 0 is i64[2,3,4,5]; supported: f64, f32, f16");
  CHECK(run("GridSample", {f32({2, 3, 4, 5}), f32({2, 6, 7, 2})}, {{"mode", std::string("area")}}) ==
        "attribute mode = \"area\" is not supported; supported: linear, bilinear, nearest, cubic, bicubic");
  CHECK(run("GridSample", {f32({2, 3, 0, 5}), f32({2, 6, 7, 2})}) ==
        "the input is f32[2,3,0,5], which has no elements to sample");
  CHECK(run("AffineGrid", {f32({2, 2, 3})}, {{"size", Ints{2, 3, 4, 5}}}) ==
        "f32[2,4,5,2] {align_corners=0, size=[2,3,4,5]}");
  CHECK(run("AffineGrid", {f32({2, 3, 4})}, {{"size", Ints{2, 3, 4, 5}}}) ==
        "theta is f32[2,3,4] and size = [2,3,4,5]; they must be [N,2,3] and [N,C,H,W], or [N,3,4] and "
        "[N,C,D,H,W]");
  CHECK(run("RoiAlign", {f32({2, 3, 4, 5}), f32({6, 4}), i64({6})}, {{"output_height", std::int64_t{2}}}) ==
        "f32[6,3,2,1] {coordinate_transformation_mode=\"half_pixel\", mode=\"avg\", output_height=2, "
        "output_width=1, sampling_ratio=0, spatial_scale=1}");
  CHECK(run("RoiAlign", {f32({2, 3, 4, 5}), f32({6, 5}), i64({6})}) ==
        "the regions are f32[6,5]; they must be [6,4]");
  CHECK(run("RoiAlign", {f32({2, 3, 4, 5}), f32({6, 4}), i64({5})}) ==
        "the batch indices are i64[5]; they must be [6]");
  CHECK(run("RoiAlign", {f32({2, 3, 4, 5}), f32({6, 4}), i64({6})}, {{"sampling_ratio", std::int64_t{-1}}}) ==
        "attribute sampling_ratio = -1 is not supported; supported: values from 0 to 65536");
  CHECK(run("MaxRoiPool", {f32({2, 3, 4, 5}), f32({6, 5})}, {{"pooled_shape", Ints{2, 3}}}) ==
        "f32[6,3,2,3] {pooled_shape=[2,3], spatial_scale=1}");
  CHECK(run("MaxRoiPool", {f32({2, 3, 4, 5}), f32({6, 5})}) == "attribute pooled_shape is missing");
  CHECK(run("MaxRoiPool", {f32({2, 3, 4, 5}), f32({6, 5})},
            {{"pooled_shape", Ints{2, 3}}, {"spatial_scale", -0.5}}) ==
        "attribute spatial_scale = -0.5 is not supported; supported: more than 0");
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

TEST_CASE("layout transformation: concat, flatten, transpose and pad") {
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
        "attribute perm = [0,0] is not a permutation of the dimensions of [2,3]");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{1, 0, 0, -1}}}) == "f32[3,2] {pads=[1,0,0,-1], value=0}");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{0, 0, -2, 0}}}) == "f32[0,3] {pads=[0,0,-2,0], value=0}");
  CHECK(run("Pad", {f32({2, 3})}, {{"pads", Ints{0, 0, -3, 0}}}) ==
        "the output would be [-1,3]; an extent is negative");
  CHECK(run("Pad", {f32({2})}, {{"pads", Ints{0, 0}}, {"mode", std::string("symmetric")}}) ==
        "attribute mode = \"symmetric\" is not supported; supported: constant, reflect, edge, wrap");
}

TEST_CASE("layout transformation: reshape resolves 0 and -1") {
  const auto to = [](Ints shape) { return run("Reshape", {f32({2, 3, 4})}, {{"shape", std::move(shape)}}); };
  CHECK(to({6, 4}) == "f32[6,4] {shape=[6,4]}");
  CHECK(to({0, -1}) == "f32[2,12] {shape=[2,12]}");
  CHECK(to({-1, 0, 1}) == "f32[8,3,1] {shape=[8,3,1]}");
  CHECK(to({5, -1}) == "[2,3,4] cannot be reshaped to [5,-1]");
  CHECK(to({-1, -1}) == "[2,3,4] cannot be reshaped to [-1,-1]");
  CHECK(to({1, 1, 1, 0}) == "[2,3,4] cannot be reshaped to [1,1,1,0]");
  CHECK(to({std::int64_t{1} << 62, 4}) == "[2,3,4] cannot be reshaped to [4611686018427387904,4]");
}

TEST_CASE("layout transformation: squeeze and unsqueeze") {
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
