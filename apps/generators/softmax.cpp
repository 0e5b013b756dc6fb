// Softmax over the rows of a matrix.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <limits>

using namespace tensordsl;

namespace {

class Softmax : public Generator {
 public:
  GeneratorParam<Extent> rows{this, "rows", 128, "rows of the matrix"};
  GeneratorParam<Extent> columns{this, "columns", 1000, "elements of a row"};
  GeneratorParam<Type> type{
      this, "type", Float(32), {Float(32), Float(16)}, "of an element, as it is stored"};

  Pipeline generate(const GeneratorTarget& target) override {
    const Var y("y"), x("x");
    const Input in("in", type, {rows, columns}, {"y", "x"});
    // Rows end in elements that add nothing, so that all lanes have as many.
    const int lanes = lanes_of(target.figures);
    const RDom r({{0, (Expr(columns) + (lanes - 1)) / lanes * lanes}}, "r");
    Func padded("padded"), highest("highest"), weight("weight"), total("total"), factor("factor"), out("out");
    padded(y, x) =
        select(x < Expr(columns), cast(Float(32), in(y, x)), -std::numeric_limits<float>::infinity());
    highest(y).maximize(padded(y, r));
    weight(y, x) = exp(padded(y, x) - highest(y));
    total(y) += weight(y, r);
    factor(y) = 1.0f / total(y);
    out(y, x) = cast(type, weight(y, x) * factor(y));
    out.bound({rows, columns});
    schedule(out, {highest, total}, weight, factor, r, target.figures);
    return Pipeline(out);
  }

 private:
  static int lanes_of(const Target& target) {
    return target.group_items == 1 ? target.vector_width : target.group_items;
  }

  /// Schedules a group for each row. Its work-items, or the lanes of a vector, take strided elements and
  /// combine their partial results in local memory. A CPU keeps the exponentials of a row if it is short.
  void schedule(Func out, const std::vector<Func>& reductions, Func weight, Func factor, const RDom& r,
                const Target& target) const {
    const Var y("y"), x("x"), xo("xo"), xi("xi"), ro("ro"), ri("ri"), lane("lane");
    const bool is_vector = target.group_items == 1;
    const int lanes = lanes_of(target);
    out.split(x, xo, xi, lanes, Tail::Guard).gpu_blocks(y);
    is_vector ? out.vectorize(xi) : out.gpu_threads(xi);
    factor.compute_at(out, y);
    if (is_vector && !columns.get().is_symbolic() && columns.get().value() <= 8192)
      weight.compute_at(out, y).vectorize(x, lanes, Tail::RoundUp);
    for (Func f : reductions) {
      Func part = f.update().split(r[0], ro, ri, lanes, Tail::Exact).rfactor(ri, lane);
      f.compute_at(out, y);
      if (is_vector) {
        part.compute_at(out, y).vectorize(lane);
        part.update().reorder({ro, lane}).vectorize(lane);
        f.update().unroll(lane);
      } else {
        Func shared = part.in(f);
        shared.compute_at(out, y).store_in(Local).gpu_threads(lane);
        part.compute_at(shared, lane);
      }
    }
  }
};

}  // namespace

TENSORDSL_GENERATOR(Softmax, "softmax", "softmax over the rows of a matrix")
