// Tests the shape rules of operators that move, choose, resize and contract elements.
#include <doctest/doctest.h>

#include <limits>

#include <cmath>

#include "ops/assumed_sizes.h"
#include "ops/resize_scale.h"
#include "ops/run_shape_rule.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

using Values = std::map<std::string, Attributes::Value>;

const Size n = Size::symbol("n");

std::string text(const char* value) { return value; }

/// Returns only the shape.
std::string shape_of(const char* op, const std::vector<TensorInfo>& inputs, const Values& values) {
  const std::string result = run(op, inputs, values);
  return result.substr(0, result.find(" {"));
}

}  // namespace

TEST_CASE("sizes: Shape, Size, ConstantOfShape, Range and EyeLike have no inputs") {
  CHECK(run("Shape", {}, {{"sizes", Sizes{n, 3}}}) == "i64[2] {sizes=[n,3]}");
  CHECK(run("Size", {}, {{"sizes", Sizes{n * 3}}}) == "i64[] {sizes=[n*3]}");
  CHECK(run("ConstantOfShape", {}, {{"shape", Sizes{n, 3}}, {"value", Buffer(Int(8), {1})}}) ==
        "i8[n,3] {shape=[n,3], value=i8[1]}");
  CHECK(run("ConstantOfShape", {}, {{"shape", Ints{2}}, {"value", Buffer(Int(8), {2})}}) ==
        "attribute value = i8[2] must be one number");
  CHECK(run("ConstantOfShape", {}, {{"shape", Ints{2, -1}}, {"value", Buffer(Int(8), {1})}}) ==
        "the shape [2,-1] has a negative extent");
  CHECK(run("Range", {},
            {{"count", Sizes{n}}, {"start", Sizes{0}}, {"delta", Sizes{1}}, {"dtype", std::int64_t{7}}}) ==
        "i64[n] {count=[n], delta=[1], dtype=7, start=[0]}");
  CHECK(run("EyeLike", {}, {{"shape", Ints{2, 3}}, {"dtype", std::int64_t{9}}}) ==
        "bool[2,3] {dtype=9, k=0, shape=[2,3]}");
  CHECK(run("EyeLike", {}, {{"shape", Ints{2}}, {"dtype", std::int64_t{1}}}) ==
        "the input has the shape [2]; it must be a matrix");
  CHECK(run("EyeLike", {}, {{"shape", Ints{2, 3}}, {"dtype", std::int64_t{8}}}) ==
        "attribute dtype = 8 is not supported; supported: 1 (FLOAT), 2 (UINT8), 3 (INT8), 4 (UINT16), 5 "
        "(INT16), 6 (INT32), 7 (INT64), 9 (BOOL), 10 (FLOAT16), 11 (DOUBLE), 12 (UINT32), 13 (UINT64)");
}

TEST_CASE("Slice: begins and ends are inside, all axes are written out, and a second time changes nothing") {
  const auto slice = [](const Shape& x, const Sizes& starts, const Sizes& ends, const Ints& axes,
                        const Ints& steps) {
    const Attributes none;
    const TensorInfo info = f32(x);
    Attributes given;
    given.set("starts", starts);
    given.set("ends", ends);
    given.set("axes", axes);
    given.set("steps", steps);
    const OperatorSpec& spec = *find_operator("Slice");
    const InferredNode once = infer(spec, {given, {&info}});
    const InferredNode twice = infer(spec, {once.attributes, {&info}});
    CHECK(once.attributes == twice.attributes);
    CHECK(once.shape() == twice.shape());
    return to_string(once.shape()) + " " + to_string(Attributes::Value(once.attributes.sizes("starts")));
  };
  CHECK(slice({10}, {2}, {5}, {0}, {1}) == "[3] [2]");
  CHECK(slice({10}, {-3}, {INT64_MAX}, {0}, {1}) == "[3] [7]");
  CHECK(slice({10}, {-30}, {-1}, {0}, {4}) == "[3] [0]");
  CHECK(slice({10}, {20}, {30}, {-1}, {1}) == "[0] [10]");
  CHECK(slice({10}, {INT64_MAX}, {INT64_MIN}, {0}, {-1}) == "[10] [9]");
  CHECK(slice({10}, {INT64_MAX}, {INT64_MAX}, {0}, {-1}) == "[10] [9]");
  CHECK(slice({10}, {6}, {INT32_MAX}, {0}, {-1}) == "[7] [6]");
  CHECK(slice({10}, {6}, {INT64_MAX - 1}, {0}, {-1}) == "[0] [6]");
  CHECK(slice({10}, {7}, {2}, {0}, {-3}) == "[2] [7]");
  CHECK(slice({10}, {0}, {-20}, {0}, {-3}) == "[1] [0]");
  CHECK(slice({10}, {3}, {5}, {0}, {-1}) == "[0] [3]");
  CHECK(slice({10}, {1}, {9}, {0}, {INT64_MAX}) == "[1] [1]");
  CHECK(slice({4, 10}, {1}, {3}, {-1}, {1}) == "[4,2] [0,1]");
  // A symbolic extent may be smaller than the part that is cut off.
  CHECK(slice({n, 8}, {0}, {5}, {0}, {1}) == "[min(n, 5),8] [0,0]");
  CHECK(slice({n, 8}, {2}, {5}, {0}, {1}) == "[min(n, 5) - min(n, 2),8] [min(n, 2),0]");
  CHECK(slice({n, 8}, {-2}, {INT64_MAX}, {0}, {1}) == "[min(n, 2),8] [max(n - 2, 0),0]");
  CHECK(slice({n, 8}, {1}, {-1}, {0}, {1}) == "[max(n - 2, 0),8] [1,0]");
  CHECK(slice({n, 8}, {-1}, {-4}, {0}, {-2}) == "[min((n + 1)/2, 2),8] [n - 1,0]");
  // A step beyond every extent takes one element, if there is one.
  CHECK(slice({n, 8}, {-1}, {-1000}, {0}, {std::numeric_limits<std::int64_t>::min()}) == "[1,8] [n - 1,0]");
  CHECK(slice({n, 8}, {-1}, {INT64_MIN}, {0}, {-1}) == "[n,8] [n - 1,0]");
  CHECK(slice({512, 8}, {0}, {n}, {0}, {1}) == "[min(n, 512),8] [0,0]");
  CHECK(slice({512, 8}, {n}, {n + 3}, {0}, {1}) == "[min(n + 3, 512) - min(n, 512),8] [min(n, 512),0]");
  // One that may be negative counts from the end then.
  CHECK(slice({n, 8}, {n - 2}, {INT64_MAX}, {0}, {1}) ==
        "[max(n - max(max(2 - n, 0)*n + n - 2, 0), 0),8] [min(max(max(2 - n, 0)*n + n - 2, 0), n),0]");
  CHECK(slice({n * 2, 8}, {n}, {INT64_MAX}, {0}, {1}) == "[n,8] [n,0]");
}

TEST_CASE("Slice: operands that do not fit are refused") {
  const auto error = [](const Values& values) { return run("Slice", {f32({4, 5})}, values); };
  CHECK(error({{"starts", Ints{0, 1}}, {"ends", Ints{1}}}) ==
        "starts = [0,1], ends = [1], axes = [0,1] and steps = [1,1] must have the same length");
  CHECK(error({{"starts", Ints{0, 1}}, {"ends", Ints{1, 2}}, {"axes", Ints{1, -1}}}) ==
        "attribute axes = [1,-1] names a dimension twice");
  CHECK(error({{"starts", Ints{0}}, {"ends", Ints{1}}, {"steps", Ints{0}}}) == "steps = [0] has a step of 0");
  CHECK(error({{"starts", Ints{0}}, {"ends", Ints{1}}, {"axes", Ints{2}}}) ==
        "axis 2 is outside a tensor of 2 dimensions");
}

TEST_CASE("Split: by parts, by a number, or by the outputs") {
  const auto split = [](const Shape& x, const Values& values, std::size_t outputs) {
    return run("Split", {f32(x)}, values, outputs);
  };
  CHECK(split({2, 6}, {{"axis", std::int64_t{-1}}, {"split", Ints{1, 0, 5}}}, 3) ==
        "f32[2,1], f32[2,0], f32[2,5] {axis=1, split=[1,0,5]}");
  CHECK(split({6, 2}, {}, 2) == "f32[3,2], f32[3,2] {axis=0, split=[3,3]}");
  CHECK(split({7, 2}, {{"num_outputs", std::int64_t{3}}}, 3) ==
        "f32[3,2], f32[3,2], f32[1,2] {axis=0, split=[3,3,1]}");
  CHECK(split({n * 4}, {}, 2) == "f32[n*2], f32[n*2] {axis=0, split=[n*2,n*2]}");
  CHECK(split({7, 2}, {}, 2) == "dimension 0 of [7,2] cannot be split into 2 equal parts");
  CHECK(split({6, 2}, {{"split", Ints{1, 4}}}, 2) ==
        "split = [1,4] does not fit the extent 6 of dimension 0 of [6,2]");
  CHECK(split({6, 2}, {{"split", Ints{1, 5}}}, 3) == "the node has 3 outputs, but the split has 2");
  CHECK(split({6, 2}, {{"num_outputs", std::int64_t{2}}}, 3) ==
        "the node has 3 outputs, but the split has 2");
  CHECK(split({5}, {{"num_outputs", std::int64_t{4}}}, 4) ==
        "the output would be [-1]; an extent is negative");
}

TEST_CASE("layout transformation: Expand, Tile and the modes of Pad") {
  CHECK(run("Expand", {f32({3, 1})}, {{"shape", Sizes{n, 1, 4}}}) == "f32[n,3,4] {shape=[n,3,4]}");
  CHECK(run("Expand", {f32({3})}, {{"shape", Ints{1}}}) == "f32[3] {shape=[3]}");
  CHECK(run("Expand", {f32({3})}, {{"shape", Ints{2}}}) ==
        "[3] and [2] do not broadcast: 3 against 2 in dimension 1 from the end");
  CHECK(run("Tile", {f32({n, 3})}, {{"repeats", Ints{2, 1}}}) == "f32[n*2,3] {repeats=[2,1]}");
  CHECK(run("Tile", {f32({2, 3})}, {{"repeats", Ints{2}}}) ==
        "repeats = [2] has 1 values; an input [2,3] needs 2");
  CHECK(run("Pad", {f32({n, 3})}, {{"pads", Sizes{1, n, 0, 0}}, {"mode", text("edge")}}) ==
        "f32[n + 1,n + 3] {mode=\"edge\", pads=[1,n,0,0]}");
  CHECK(run("Pad", {f32({2, 0})}, {{"pads", Ints{0, 1, 0, 0}}, {"mode", text("wrap")}}) ==
        "mode = \"wrap\" with pads of 1 and 0 needs 1 or more elements in dimension 1 of [2,0], but there "
        "are none");
  CHECK(run("Pad", {f32({3}), f32({})}, {{"pads", Ints{1, 0}}}) == "f32[4] {pads=[1,0]}");
  CHECK(run("Pad", {f32({3}), i64({})}, {{"pads", Ints{1, 0}}}) ==
        "inputs 0 and 1 are f32[3] and i64[]; their types must be the same");
}

TEST_CASE("Pad: what is repeated has to be there after negative pads") {
  const auto pad = [](const Shape& x, const char* mode, const Sizes& pads) {
    return shape_of("Pad", {f32(x)}, {{"pads", pads}, {"mode", text(mode)}});
  };
  CHECK(pad({3}, "reflect", {2, 2}) == "f32[7]");
  CHECK(pad({3}, "reflect", {3, 0}) ==
        "mode = \"reflect\" with pads of 3 and 0 needs 4 or more elements in dimension 0 of [3], but there "
        "are 3");
  CHECK(pad({5, 3}, "reflect", {0, -1, 0, 2}) ==
        "mode = \"reflect\" with pads of -1 and 2 needs 3 or more elements in dimension 1 of [5,3], but "
        "there are 2");
  CHECK(pad({2}, "edge", {-2, 1}) ==
        "mode = \"edge\" with pads of -2 and 1 needs 1 or more elements in dimension 0 of [2], but there "
        "are none");
  CHECK(pad({2}, "wrap", {9, 1}) == "f32[12]");
  CHECK(pad({2}, "edge", {-2, 0}) ==
        "mode = \"edge\" with pads of -2 and 0 needs 1 or more elements in dimension 0 of [2], but there "
        "are none");
  CHECK(pad({2}, "reflect", {-1, 0}) == "f32[1]");
  CHECK(pad({2}, "constant", {-2, 0}) == "f32[0]");
  CHECK(pad({0}, "edge", {0, 0}) == "f32[0]");
  CHECK(pad({0, n}, "reflect", {0, 2, 0, 1}) == "f32[0,n + 3]");
}

TEST_CASE("Reshape: a size follows from the number of elements") {
  const auto reshape = [](const Shape& x, const Sizes& shape) {
    return shape_of("Reshape", {f32(x)}, {{"shape", shape}});
  };
  CHECK(reshape({n * 4, 3}, {-1, 6}) == "f32[n*2,6]");
  const Size m = Size::symbol("m"), k = Size::symbol("k");
  const auto unequal = [](const Shape& x, const Sizes& shape) {
    Attributes attributes;
    attributes.set("shape", shape);
    const TensorInfo info = f32(x);
    try {
      return to_string(infer(*find_operator("Reshape"), {attributes, {&info}}).shape());
    } catch (const UnequalSizes& error) {
      return to_string(error.a) + " = " + to_string(error.b);
    }
  };
  CHECK(unequal({n, 1, 4, 3}, {12}) == "n*12 = 12");
  CHECK(unequal({n, 3}, {4, 3}) == "n*3 = 12");
  CHECK(unequal({n, m}, {4, 6}) == "n = 4");
  CHECK(unequal({n, m, k}, {0, 0, -1, 2}) == "k = k/2*2");
  CHECK(unequal({n}, {4, -1}) == "n = n/4*4");
  CHECK(unequal({n, 6}, {4, -1}) == "n*6 = n*3/2*4");
}

TEST_CASE("indexing: the shapes of gathers") {
  CHECK(run("Gather", {f32({5, n, 3}), i64({2, 2})}, {{"axis", std::int64_t{-2}}}) ==
        "f32[5,2,2,3] {axis=1}");
  CHECK(run("Gather", {f32({5}), f32({2})}) == "input 1 is f32[2]; supported: i32, i64");
  CHECK(run("Gather", {f32({0, 2}), i64({2})}) == "dimension 0 of [0,2] has no elements to index");
  CHECK(run("GatherElements", {f32({5, 3}), i64({9, 2})}) == "f32[9,2] {axis=0}");
  CHECK(run("GatherElements", {f32({5, 3}), i64({9, 4})}) ==
        "the indices [9,4] do not fit [5,3]: in all dimensions except 0 they must not be larger");
  CHECK(run("GatherND", {f32({5, 3, 2}), i64({4, 2})}) == "f32[4,2] {batch_dims=0}");
  CHECK(run("GatherND", {f32({n, 3, 2}), i64({n, 4, 1})}, {{"batch_dims", std::int64_t{1}}}) ==
        "f32[n,4,2] {batch_dims=1}");
  CHECK(run("GatherND", {f32({5, 3}), i64({4, 3})}) ==
        "the last extent of the indices [4,3] must be from 1 to 2, for [5,3]");
  CHECK(run("GatherND", {f32({5, 3}), i64({4, 1})}, {{"batch_dims", std::int64_t{1}}}) ==
        "with batch_dims = 1, the first 1 extents of x [5,3] and of the indices [4,1] must be equal");
  CHECK(run("GatherND", {f32({5, 3}), i64({1})}, {{"batch_dims", std::int64_t{1}}}) ==
        "x [5,3] and the indices [1] have too few dimensions for batch_dims = 1");
  CHECK(run("GatherND", {f32({5, 3}), i64({1})}, {{"batch_dims", std::int64_t{-1}}}) ==
        "attribute batch_dims = -1 is negative");
  CHECK(run("ReverseSequence", {f32({5, n}), i64({n})}) == "f32[5,n] {batch_axis=1, time_axis=0}");
  CHECK(run("ReverseSequence", {f32({5, 3}), i64({5})}) == "the lengths are [5]; an input [5,3] needs [3]");
  CHECK(run("ReverseSequence", {f32({5, 3, 2}), i64({2})}, {{"batch_axis", std::int64_t{2}}}) ==
        "batch_axis = 2 and time_axis = 0 do not fit [5,3,2]; one is 0 and the other 1");
}

TEST_CASE("indexing: the shapes of scatters") {
  CHECK(run("ScatterElements", {f32({5, 3}), i64({2, 3}), f32({2, 3})}, {{"axis", std::int64_t{-2}}}) ==
        "f32[5,3] {axis=0, reduction=\"none\"}");
  CHECK(run("ScatterElements", {f32({5, 3}), i64({2, 3}), f32({2, 2})}) ==
        "the indices [2,3] and the updates [2,2] differ in shape");
  CHECK(run("ScatterElements", {f32({5, 3}), i64({2, 3}), i64({2, 3})}) ==
        "inputs 0 and 2 are f32[5,3] and i64[2,3]; their types must be the same");
  CHECK(run("ScatterElements", {f32({5}), i64({2}), f32({2})}, {{"reduction", text("mean")}}) ==
        "attribute reduction = \"mean\" is not supported; supported: none, add, mul, max, min");
  CHECK(run("ScatterElements", {of(Bool(), {5}), i64({2}), of(Bool(), {2})}, {{"reduction", text("add")}}) ==
        "reduction = \"add\" of bool is not supported; supported: none");
  CHECK(run("ScatterND", {f32({5, n}), i64({2, 1}), f32({2, n})}) == "f32[5,n] {reduction=\"none\"}");
  CHECK(run("ScatterND", {f32({5, 3}), i64({2, 1}), f32({2})}) ==
        "the updates are [2]; x [5,3] and the indices [2,1] need [2,3]");
}

TEST_CASE("indexing: OneHot, Trilu and TopK") {
  CHECK(run("OneHot", {i64({2, 3}), f32({2})}, {{"axis", std::int64_t{1}}, {"depth", Sizes{n}}}) ==
        "f32[2,n,3] {axis=1, depth=[n]}");
  CHECK(run("OneHot", {i64({2}), f32({3})}, {{"depth", Sizes{5}}}) ==
        "the values are f32[3]; they must be [2]: off, on");
  CHECK(run("OneHot", {of(Bool(), {2}), f32({2})}, {{"depth", Sizes{5}}}) ==
        "input 0 is bool[2]; supported: all types but bool");
  CHECK(run("OneHot", {i64({2}), f32({2})}, {{"depth", Sizes{-5}}}) == "depth = -5 is negative");
  CHECK(run("Trilu", {f32({2, 3})}) == "f32[2,3] {k=[0], upper=1}");
  CHECK(run("Trilu", {f32({3})}) == "the input is f32[3]; it must be a matrix or a batch of matrices");
  CHECK(run("TopK", {f32({2, 9})}, {{"k", Sizes{3}}}, 2) ==
        "f32[2,3], i64[2,3] {axis=1, k=[3], largest=1, sorted=1}");
  CHECK(run("TopK", {f32({2, 9})}, {{"k", Sizes{10}}}, 2) ==
        "k = 10 does not fit dimension 1 of [2,9], whose extent is 9");
  CHECK(run("TopK", {of(Bool(), {9})}, {{"k", Sizes{1}}}, 2) ==
        "input 0 is bool[9]; supported: all types but bool");
}

TEST_CASE("Resize: extents by sizes and by scales") {
  const auto scaled = [](const Shape& x, std::vector<double> scales) {
    return shape_of("Resize", {f32(x)}, {{"scales", std::move(scales)}});
  };
  CHECK(scaled({1, 3, 4, 5}, {1, 1, 2, 0.5}) == "f32[1,3,8,2]");
  // 10 * 0.7f is 6.9999999 in exact arithmetic, and 7 is meant.
  CHECK(scaled({10}, {0.7F}) == "f32[7]");
  CHECK(scaled({n, 4}, {2, 1}) == "f32[n*2,4]");
  CHECK(scaled({n, 4}, {0.5, 1}) == "f32[n/2,4]");
  CHECK(run("Resize", {f32({4})}, {{"sizes", Sizes{n}}, {"mode", text("cubic")}}) ==
        "f32[n] {coordinate_transformation_mode=\"half_pixel\", cubic_coeff_a=-0.75, exclude_outside=0, "
        "extrapolation_value=0, mode=\"cubic\", nearest_mode=\"round_prefer_floor\", sizes=[n]}");
  CHECK(scaled({4}, {1, 2}) == "scales = [1,2] has 2 values; an input [4] needs 1");
  CHECK(scaled({4}, {0}) == "scales = [0] is not supported; supported: values from 0.000001 to 1000000");
  CHECK(run("Resize", {f32({4})}) == "neither scales nor sizes are given; give one of them");
  CHECK(run("Resize", {f32({0})}, {{"sizes", Ints{3}}}) ==
        "f32[0] has no elements; it cannot be resized to [3]");
  CHECK(run("Resize", {f32({4})}, {{"sizes", Ints{3}}, {"mode", text("area")}}) ==
        "attribute mode = \"area\" is not supported; supported: nearest, linear, cubic");
  CHECK(run("Resize", {of(Bool(), {4})}, {{"sizes", Ints{3}}, {"mode", text("linear")}}) ==
        "input 0 is bool[4]; supported: with mode = \"nearest\"");
  CHECK(run("Resize", {f32({4})},
            {{"sizes", Ints{3}}, {"coordinate_transformation_mode", text("tf_crop_and_resize")}}) ==
        "tf_crop_and_resize needs roi");
}

TEST_CASE("Resize: a scale is the simplest fraction that its f32 is") {
  const auto fraction = [](double scale) {
    const Scale result = scale_of(scale);
    return to_string(result.up) + "/" + to_string(result.down);
  };
  CHECK(fraction(2) == "2/1");
  CHECK(fraction(0.6F) == "3/5");
  CHECK(fraction(1.0F / 3) == "1/3");
  CHECK(fraction(2.5) == "5/2");
  CHECK(fraction(0.7F) == "7/10");
  for (const float scale : {3.14159265F, 1e-5F, 123456.789F, 0.99999994F, 1.0000001F}) {
    const Scale result = scale_of(scale);
    CHECK(static_cast<float>(static_cast<double>(result.up.value()) /
                             static_cast<double>(result.down.value())) == scale);
  }
}

TEST_CASE("Einsum: equations") {
  const auto einsum = [](const char* equation, const std::vector<TensorInfo>& inputs) {
    return shape_of("Einsum", inputs, {{"equation", text(equation)}});
  };
  CHECK(einsum("bij, bjk -> bik", {f32({2, 3, 4}), f32({2, 4, 5})}) == "f32[2,3,5]");
  CHECK(einsum("ij,jk", {f32({3, n}), f32({n, 5})}) == "f32[3,5]");
  CHECK(einsum("ba", {f32({3, 4})}) == "f32[4,3]");
  CHECK(einsum("ii", {f32({3, 3})}) == "f32[]");
  CHECK(einsum("...ij,...jk->...ik", {f32({7, 1, 3, 4}), f32({5, 4, 2})}) == "f32[7,5,3,2]");
  CHECK(einsum("i...,i...", {f32({3, 4}), f32({3, 4})}) == "f32[4]");
  CHECK(einsum("ij,jk", {f32({3, 4})}) == "attribute equation = \"ij,jk\": it has 2 terms for 1 inputs");
  CHECK(einsum("ij->k", {f32({3, 4})}) ==
        "attribute equation = \"ij->k\": its result has a letter that no input has");
  CHECK(einsum("ij->ii", {f32({3, 4})}) == "attribute equation = \"ij->ii\": its result has a letter twice");
  CHECK(einsum("i1", {f32({3, 4})}) ==
        "attribute equation = \"i1\": '1' is neither a letter nor an ellipsis");
  CHECK(einsum("......", {f32({3, 4})}) == "attribute equation = \"......\": a term has two ellipses");
  CHECK(einsum("ijk", {f32({3, 4})}) ==
        "attribute equation = \"ijk\": the term \"ijk\" does not fit input 0 of shape [3,4]");
  CHECK(einsum("ij,jk", {f32({3, 4}), f32({5, 6})}) ==
        "attribute equation = \"ij,jk\": dimension 0 of input 1 has the extent 5; it is 4 elsewhere");
}

TEST_CASE("matrices: integers, and determinants") {
  const TensorInfo a = of(Int(32), {2, 3}), b = of(Int(32), {3, 4});
  CHECK(run("MatMul", {a, b}) == "i32[2,4]");
  CHECK(run("MatMul", {of(Int(8), {2, 3}), of(Int(8), {3, 4})}) ==
        "input 0 is i8[2,3]; supported: f64, f32, f16, i64, i32, u64, u32");
  CHECK(run("Gemm", {a, b}, {{"alpha", 3.0}}) == "i32[2,4] {alpha=3, beta=1, transA=0, transB=0}");
  CHECK(run("Gemm", {a, b}, {{"alpha", 0.5}}) ==
        "attribute alpha = 0.5 of i32 is not supported; supported: whole numbers");
  CHECK(run("Det", {f32({5, 3, 3})}) == "f32[5]");
  CHECK(run("Det", {f32({3, 4})}) == "the input is f32[3,4]; it must be a square matrix or a batch of such");
}

TEST_CASE("Col2Im: the input has a column for each place of the block") {
  const Values values{{"image_shape", Ints{5, 5}}, {"block_shape", Ints{2, 3}}};
  CHECK(
      run("Col2Im", {f32({2, 18, 12})}, values) ==
      "f32[2,3,5,5] {block_shape=[2,3], dilations=[1,1], image_shape=[5,5], pads=[0,0,0,0], strides=[1,1]}");
  CHECK(run("Col2Im", {f32({2, 18, 11})}, values) ==
        "the input is f32[2,18,11]; the image [5,5] and the block [2,3] need the shape [N,C*6,12]");
  CHECK(run("Col2Im", {f32({2, 18, 12})}, {{"image_shape", Ints{1, 5}}, {"block_shape", Ints{2, 3}}}) ==
        "a block of 2 does not fit into dimension 0 of the image [1,5]");
}
