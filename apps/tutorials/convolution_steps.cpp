#include "apps/tutorials/convolution_steps.h"

using namespace tensordsl;

namespace {

/// Everything that a schedule names.
struct Convolution {
  // [definition]
  Var y{"y"}, x{"x"}, c{"c"};
  Input image{"image", Float(32), {kSize, kSize, kChannels}, {"y", "x", "c"}};
  Input weights{"weights", Float(32), {kChannels, 3, 3, kChannels}, {"o", "ky", "kx", "i"}};
  Input bias{"bias", Float(32), {kChannels}};
  RDom r{{{0, 3}, {0, 3}, {0, kChannels}}, "r"};  // row and column of the filter, input channel
  Func conv{"conv"}, out{"out"};

  void define() {
    const Func padded = BoundaryConditions::zero(image, {kSize, kSize, Expr()});
    conv(y, x, c) += padded(y + r[0] - 1, x + r[1] - 1, r[2]) * weights(c, r[0], r[1], r[2]);
    out(y, x, c) = max(conv(y, x, c) + bias(c), 0.0f);
    out.bound({kSize, kSize, kChannels});
  }
  // [end]

  Var xo{"xo"}, xi{"xi"}, co{"co"}, ci{"ci"}, cv{"cv"}, cu{"cu"};
};

void tile(Convolution& v) {
  Func &out = v.out, &conv = v.conv;
  const Var &y = v.y, &x = v.x, &c = v.c, &xo = v.xo, &xi = v.xi, &co = v.co, &ci = v.ci, &cv = v.cv,
            &cu = v.cu;
  const RDom& r = v.r;
  // [tile]
  out.split(x, xo, xi, 7).split(c, co, ci, 32).split(ci, cu, cv, 16);
  out.reorder({y, co, xo, xi, cu, cv}).unroll(xi).unroll(cu).vectorize(cv).gpu_blocks(y);
  conv.compute_at(out, xo).split(c, cu, cv, 16).unroll(x).unroll(cu).vectorize(cv);
  conv.update()
      .split(c, cu, cv, 16)
      .reorder({r[0], r[1], r[2], x, cu, cv})
      .unroll(x)
      .unroll(cu)
      .vectorize(cv);
  // [end]
}

/// `step`: how many steps are taken.
Func scheduled(int step) {
  Convolution v;
  v.define();
  Func &out = v.out, &conv = v.conv;
  const Var &y = v.y, &c = v.c, &co = v.co, &ci = v.ci;
  const RDom& r = v.r;
  if (step == 1) {
    // [registers]
    conv.compute_at(out, c);
    // [end]
  }
  if (step == 2) {
    // [groups]
    conv.compute_at(out, c);
    out.gpu_blocks(y);
    // [end]
  }
  if (step == 3) {
    // [vectors]
    v.weights.layout("ky kx i o");
    out.split(c, co, ci, 16).vectorize(ci).gpu_blocks(y);
    conv.compute_at(out, co).vectorize(c);
    conv.update().reorder({r[0], r[1], r[2], c}).vectorize(c);
    // [end]
  }
  if (step == 4) {
    v.weights.layout("ky kx i o");
    tile(v);
  }
  if (step == 5) {
    // [packed]
    v.weights.layout("o/32 ky kx i o%32");
    // [end]
    tile(v);
  }
  return out;
}

}  // namespace

std::vector<ConvolutionStep> convolution_steps() {
  std::vector<ConvolutionStep> steps;
  int step = 0;
  for (const char* name : {"naive", "registers", "groups", "vectors", "tile", "packed"})
    steps.push_back({name, scheduled(step++)});
  return steps;
}
