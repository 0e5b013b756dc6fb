// A two-dimensional convolution of a feature map, channels last, with bias and activation.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <string>

using namespace tensordsl;

namespace {

class Conv2d : public Generator {
 public:
  GeneratorParam<Extent> height{this, "height", 56, "rows of the input"};
  GeneratorParam<Extent> width{this, "width", 56, "columns of the input"};
  GeneratorParam<int> inputs{this, "inputs", 64, 1, 16384, "channels of the input"};
  GeneratorParam<int> outputs{this, "outputs", 64, 1, 16384, "channels of the output"};
  GeneratorParam<int> kernel{this, "kernel", 3, 1, 31, "rows and columns of the filter"};
  GeneratorParam<int> stride{this, "stride", 1, 1, 8, "pixels between two windows"};
  GeneratorParam<int> padding{this, "padding", 1, 0, 15, "zeros around the input, on each side"};
  GeneratorParam<std::string> activation{
      this, "activation", "none", {"none", "relu", "silu"}, "of the sum with the bias"};
  GeneratorParam<Type> type{
      this, "type", Float(32), {Float(32), Float(16)}, "of an element, as it is stored"};

  Pipeline generate(const GeneratorTarget& target) override {
    Input in("in", type, {height, width, inputs}, {"y", "x", "c"});
    Input weights("weights", type, {outputs, kernel, kernel, inputs}, {"o", "ky", "kx", "i"});
    Input bias("bias", type, {outputs}, {"o"});
    const RDom r({{0, kernel}, {0, kernel}, {0, inputs}}, "r");
    const Func padded = BoundaryConditions::zero(in, {height, width, Expr()});
    Func conv("conv"), out("out");
    conv(y, x, c) += cast(Float(32), padded(y * stride + r[0] - padding, x * stride + r[1] - padding, r[2])) *
                     cast(Float(32), weights(c, r[0], r[1], r[2]));
    const Expr sum = conv(y, x, c) + cast(Float(32), bias(c));
    out(y, x, c) = cast(type, activation == "relu"   ? max(sum, 0.0f)
                              : activation == "silu" ? sum / (1.0f + exp(-sum))
                                                     : sum);
    out.bound({extent_of(height), extent_of(width), Expr(outputs)});
    schedule(in, weights, conv, out, r, target.figures);
    return Pipeline(out);
  }

 private:
  /// The widest vector that divides the channels; where only a narrow one does, the last is filled in part.
  int vector_of(int most) const {
    int lanes = most;
    while (lanes > 1 && outputs % lanes != 0) lanes /= 2;
    return lanes < 4 && outputs > most ? most : lanes;
  }

  /// The extent of the output along an axis.
  Expr extent_of(const Extent& size) const {
    const std::int64_t padded = size.is_symbolic() ? kernel : std::int64_t{size.value()} + 2 * padding;
    if (padded < kernel) {
      throw Error("kernel=" + kernel.text() + ": the padded input has only " + std::to_string(padded) +
                  " rows or columns; give a larger padding or input");
    }
    return (Expr(size) + (2 * padding - kernel)) / stride + 1;
  }

  /// Some pixels times a block of channels for each work-item, in vectors that stay in registers; the weights
  /// lie in the order in which they are read. On devices that read images faster, tensors are images.
  void schedule(Input in, Input weights, Func conv, Func out, const RDom& r, const Target& target) const {
    const bool is_cpu = target.group_items == 1;
    const bool has_images = target.prefers_images && inputs % 4 == 0 && outputs % 4 == 0;
    const int vector = has_images ? 4 : vector_of(is_cpu ? target.vector_width : 4);
    const int groups = outputs % (2 * vector) == 0 && !has_images ? 2 : 1;
    const int pixels = std::clamp((target.accumulators - 1) / groups, 1, is_cpu ? 8 : 4);
    if (has_images) {
      in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
      weights.set_image(Image2D).layout("ky kx i | o/4 | o%4");
      out.set_image(Image2DArray).layout("c/4 | y | x | c%4").autobroadcast();
    } else {
      const std::string block = std::to_string(groups * vector);
      weights.layout("o/" + block + " ky kx i o%" + block);
    }
    out.split(c, co, ct, groups * vector, Tail::Guard)
        .split(ct, cg, cv, vector)
        .split(x, xo, xi, pixels, Tail::Guard);
    out.reorder({y, co, xo, xi, cg, cv}).vectorize(cv).unroll(cg).unroll(xi);
    is_cpu ? out.gpu_blocks(xo, co, y)
           : out.gpu_tile(xo, co, y, {8, std::max(1, target.group_items / 8), 1}, Tail::Guard);
    conv.compute_at(out, xo)
        .split(c, cg, cv, vector)
        .reorder({y, x, cg, cv})
        .vectorize(cv)
        .unroll(cg)
        .unroll(x);
    Stage update = conv.update();
    update.split(c, cg, cv, vector);
    if (has_images) {
      update.split(r[2], ro, ri, 4).reorder({y, r[0], r[1], ro, ri, x, cg, cv}).unroll(ri);
    } else {
      update.reorder({y, r[0], r[1], r[2], x, cg, cv});
    }
    update.vectorize(cv).unroll(cg).unroll(x);
  }

  const Var y{"y"}, x{"x"}, c{"c"}, co{"co"}, ct{"ct"}, cg{"cg"}, cv{"cv"}, xo{"xo"}, xi{"xi"}, ro{"ro"},
      ri{"ri"};
};

}  // namespace

TENSORDSL_GENERATOR(Conv2d, "conv2d",
                    "a two-dimensional convolution, channels last, with bias and activation")
