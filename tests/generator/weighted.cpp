// A generator whose pipeline has a constant, in a buffer or an image, and names that a launcher has itself.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

using namespace tensordsl;

namespace {

class Weighted : public Generator {
 public:
  GeneratorParam<int> rows{this, "rows", 3, 1, 100, "rows"};

  Pipeline generate(const GeneratorTarget& target) override {
    const Var y("y"), x("x");
    Input in("Chain", Float(32), {rows, 8}, {"y", "x"}), weights("kernels", Float(32), {rows, 8}, {"y", "x"});
    Func half("context"), out("NULL");
    half(y, x) = in(y, x) * 0.5f;
    out(y, x) = half(y, x) * weights(y, x);
    half.compute_root();
    weights.layout("y | x/4 | x%4");
    out.bound({rows, 8}).layout("x y").vectorize(x, 4, Tail::Exact);
    if (target.figures.prefers_images) weights.set_image(Image2D);
    Buffer values(Float(32), {rows, 8});
    for (int i = 0; i < rows * 8; ++i) values.set(i, i);
    Pipeline pipeline(out);
    pipeline.set_constant("kernels", values);
    return pipeline;
  }
};

}  // namespace

TENSORDSL_GENERATOR(Weighted, "weighted", "multiplies by numbers that are a part of the program")
