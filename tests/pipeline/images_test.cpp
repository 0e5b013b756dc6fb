// Tensors in images: the same results as in buffers.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/error_text.h"
#include "support/tier.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var n("n"), c("c"), h("h"), w("w"), x("x"), y("y"), ci("ci"), wi("wi");

Buffer counting(Type type, std::vector<std::int64_t> shape) {
  Buffer buffer(type, std::move(shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    if (type.is_bool()) {
      buffer.set_int(i, i % 3 == 0);
    } else {
      buffer.set_int(i, i * 7 % 23 - (type.is_uint() ? 0 : 11));
    }
  }
  return buffer;
}

/// The simulated kernels and those of the device give what the interpreter does.
void check(const Func& output, const std::vector<std::int64_t>& shape,
           const std::map<std::string, Buffer>& inputs, const ParamValues& params = {}) {
  const Buffer expected = runtime::interpret(output.shared(), shape, {inputs, params});
  const Buffer found = Pipeline(output).realize(inputs, *Device::open(), params);
  REQUIRE(found.shape() == expected.shape());
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    INFO("element ", i, "\n", Pipeline(output).emit("cl"));
    REQUIRE(found.get(i) == expected.get(i));
  }
}

std::string layout_of(ImageKind kind, int channels) {
  if (kind == Image1DBuffer) return channels == 4 ? "c/4 h w | c%4" : "c h w";
  if (kind == Image2D) return channels == 4 ? "h | c/4 w | c%4" : "h | c w";
  return channels == 4 ? "c/4 | h | w | c%4" : "c | h | w";
}

/// PoCL 3.1 lists images of one f16 to a texel and reads them as bytes; that is reported before the pipeline
/// runs.
bool reads_single_halves_wrongly(const Func& output, const Buffer& data) {
  const auto device = Device::open();
  try {
    Pipeline(output).realize({{"in", data}}, *device);
  } catch (const DeviceError& e) {
    CHECK(std::string(e.what()) ==
          fmt::format("out_kernel: in is an image of one f16 per texel, which {} supports but reads "
                      "incorrectly; use four per texel, with a layout that ends in \"| c%4\", or f32",
                      device->info().name));
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("images: every kind, channel order and type is read and written") {
  for (const ImageKind kind : {Image1DBuffer, Image2D, Image2DArray}) {
    for (const int channels : {1, 4}) {
      if (testing::is_left_to_full(kind != Image1DBuffer && channels == 1)) continue;
      for (const Type type :
           {Float(32), Float(16), Int(32), Int(16), Int(8), UInt(32), UInt(16), UInt(8), Bool()}) {
        CAPTURE(std::string(to_string(kind)));
        CAPTURE(channels);
        CAPTURE(to_string(type));
        Input in("in", type, {6, 3, 5}, {"c", "h", "w"});
        in.set_image(kind).layout(layout_of(kind, channels));
        Func out("out");
        out(c, h, w) = in(c, h, w);
        out.bound({6, 3, 5}).set_image(kind).layout(layout_of(kind, channels)).reorder({h, w, c});
        if (channels == 4) out.vectorize(c, 4, Tail::RoundUp);
        out.gpu_tile(w, h, {2, 2});
        const Buffer data = counting(type, {6, 3, 5});
        if (channels == 1 && type == Float(16) && reads_single_halves_wrongly(out, data)) continue;
        check(out, {6, 3, 5}, {{"in", data}});
      }
    }
  }
}

namespace {

/// A padded 3x3 convolution whose activation and weights are textures.
struct TextureConvolution {
  Input in{"in", Float(32), {8, 7, 5}, {"c", "h", "w"}};
  Input weights{"weights", Float(32), {12, 3, 3, 8}, {"o", "ky", "kx", "i"}};
  Func out{"out"};

  explicit TextureConvolution(int channels, ImageKind kind) {
    const RDom r({{0, 3}, {0, 3}, {0, 8}});
    const Func padded = BoundaryConditions::zero(in, {{}, 7, 5});
    Func conv("conv");
    const Var o("o");
    conv(o, h, w) += padded(r[2], h + r[0] - 1, w + r[1] - 1) * weights(o, r[0], r[1], r[2]);
    out(o, h, w) = max(conv(o, h, w), 0.0f);
    in.set_image(kind).layout(layout_of(kind, channels));
    weights.set_image(Image2D).layout("i | o/4 ky kx | o%4");
    out.bound({12, 7, 5}).set_image(kind).layout(kind == Image2D ? "h | o/4 w | o%4" : "o/4 | h | w | o%4");
    const Var oo("oo"), oi("oi");
    const Var ro("ro"), ri("ri");
    out.split(o, oo, oi, 4).vectorize(oi).reorder({oo, h, w, oi}).gpu_tile(w, h, oo, {5, 1, 1});
    conv.compute_at(out, w).vectorize(o);
    conv.update().split(r[2], ro, ri, 4).reorder({r[0], r[1], ro, ri, o}).unroll(ri).vectorize(o);
  }
};

}  // namespace

TEST_CASE("images: a padded convolution over an array image has no boundary test") {
  for (const int channels : {4, 1}) {
    CAPTURE(channels);
    TextureConvolution conv(channels, Image2DArray);
    const std::string text = Pipeline(conv.out).emit("cl");
    CAPTURE(text);
    CHECK(text.find("read_imagef") != std::string::npos);
    CHECK(text.find("CLK_ADDRESS_CLAMP ") != std::string::npos);
    for (const char* test : {"if (", "? ", "&&", "<=", " min(", " max(", "clamp("})
      CHECK(text.find(test) == std::string::npos);
    check(conv.out, {12, 7, 5},
          {{"in", counting(Float(32), {8, 7, 5})}, {"weights", counting(Float(32), {12, 3, 3, 8})}});
  }
}

TEST_CASE("images: where the columns hold channels too, the tests of columns stay and those of rows go") {
  TextureConvolution conv(4, Image2D);
  const std::string text = Pipeline(conv.out).disable_pass("partition_loops").emit("cl");
  CAPTURE(text);
  CHECK(text.find(" < 6") != std::string::npos);  // 5 columns
  CHECK(text.find(" < 8") == std::string::npos);  // 7 rows
  CHECK(Pipeline(conv.out).emit("cl").find(" ? ") == std::string::npos);
  check(conv.out, {12, 7, 5},
        {{"in", counting(Float(32), {8, 7, 5})}, {"weights", counting(Float(32), {12, 3, 3, 8})}});
}

TEST_CASE("images: an empty image is read as zeros, its border too") {
  for (const ImageKind kind : {Image2D, Image2DArray}) {
    for (const int channels : {1, 4}) {
      const Param height("height");
      Input in("in", Float(32), {4, height, 3}, {"c", "h", "w"});
      in.set_image(kind).layout(layout_of(kind, channels));
      const Func padded = BoundaryConditions::zero(in, {4, height, 3});
      Func out("out");
      out(c, h, w) = padded(c, h - 1, w - 1) + padded(c, h + 1, w) + 1.0f;
      out.bound({4, height + 2, 5});
      check(out, {4, 2, 5}, {{"in", counting(Float(32), {4, 0, 3})}}, {{"height", 0}});
    }
  }
}

TEST_CASE("images: what cannot be an image is refused with what would do") {
  const auto lowering_error = [](const Func& f, const std::optional<ImageLimits>& limits = std::nullopt) {
    lower::LowerOptions options;
    options.image_limits = limits;
    return error_of([&] { lower::lower(f.shared(), options); });
  };
  const Input wide("wide", Int(64), {4, 4}, {"h", "w"});
  CHECK(error_of([&] { Input(wide).set_image(Image2D); }) ==
        "wide.set_image(Image2D): images cannot hold i64; cast it to a narrower type, or keep the buffer");

  Func late("late"), reader("reader");
  late.set_image(Image2D);
  late(h, w) = wide(h, w);
  late.compute_root().layout("h | w");
  reader(h, w) = late(h, w);
  reader.bound({4, 4});
  CHECK(lowering_error(reader) ==
        "late.set_image(Image2D): images cannot hold i64; cast it to a narrower type, or keep the buffer");

  const auto copy_of = [](Input& in) {
    Func out("out");
    out(h, w) = in(h, w);
    out.bound({6, 8});
    return out;
  };
  Input in("in", Float(32), {6, 8}, {"h", "w"});
  in.set_image(Image2D);
  CHECK(lowering_error(copy_of(in)) ==
        "in.set_image(Image2D): the layout \"h w\" has 1 group; it must be rows | columns | 4 elements, or "
        "rows | columns of one element, for example \"h | c/4 w | c%4\"");
  in.layout("h | w/2 | w%2");
  CHECK(lowering_error(copy_of(in)) ==
        "in.set_image(Image2D): the layout \"h | w/2 | w%2\" has texels of 2 elements; it must be rows | "
        "columns | 4 elements, or rows | columns of one element, for example \"h | c/4 w | c%4\"");
  in.layout("h | w/4 | w%4");
  CHECK(lowering_error(copy_of(in), ImageLimits{4, 4, 4, 64}) ==
        "in.set_image(Image2D): it needs 6 x 2 texels, but the limit of the device is 4 x 4; use an "
        "Image1DBuffer, which can hold them, an Image2D with a layout that spreads them over rows and "
        "columns, or a buffer");
  CHECK(lowering_error(copy_of(in), ImageLimits{4, 6, 4, 64}) == "no error");

  Func part("part");
  part(h, w) = cast(Float(32), h + w);
  part.bound({6, 8}).set_image(Image2D).layout("h | w/4 | w%4");
  CHECK(lowering_error(part) ==
        "part.set_image(Image2D): a work-item writes part of a texel, but images are written in whole "
        "texels; vectorize the dimension of the layout's last group by 4, with Tail::RoundUp if 4 does not "
        "divide its extent");

  Func sum("sum");
  const RDom r({{0, 3}}, "r");
  sum(h, w) += cast(Float(32), h * r[0] + w);
  sum.bound({6, 8}).set_image(Image2D).layout("h | w/4 | w%4").vectorize(w, 4);
  sum.update().vectorize(w, 4);
  CHECK(
      lowering_error(sum) ==
      "sum.set_image(Image2D): kernel sum_update0 reads and writes sum, which OpenCL 1.2 does not allow for "
      "an image; compute the updates of sum in a Func that is computed inside its loops, or keep the buffer");

  Func inner("inner"), outer("outer");
  inner(h, w) = in(h, w) + 1.0f;
  outer(h, w) = inner(h, w);
  outer.bound({6, 8});
  inner.compute_at(outer, h).set_image(Image2D);
  CHECK(lowering_error(outer) ==
        "inner.set_image(Image2D): the Func is computed inside the loops of its consumer, where images "
        "cannot be used; use compute_root");
}

}  // namespace tensordsl
