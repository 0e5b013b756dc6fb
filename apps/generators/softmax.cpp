// Softmax over the rows of a matrix.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

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
    const RDom r({{0, columns}}, "r");
    Func highest("highest"), total("total"), out("out");
    highest(y).maximize(cast(Float(32), in(y, r)));
    total(y) += exp(cast(Float(32), in(y, r)) - highest(y));
    out(y, x) = cast(type, exp(cast(Float(32), in(y, x)) - highest(y)) / total(y));
    out.bound({rows, columns});
    schedule(out, {highest, total}, r, target.figures);
    return Pipeline(out);
  }

 private:
  /// A group to a row. Its work-items, or the lanes of a vector, take every so many-th element, and their
  /// partial results meet in local memory.
  static void schedule(Func out, const std::vector<Func>& reductions, const RDom& r, const Target& target) {
    const Var y("y"), x("x"), xo("xo"), xi("xi"), ro("ro"), ri("ri"), lane("lane");
    const bool is_vector = target.group_items == 1;
    const int lanes = is_vector ? target.vector_width : target.group_items;
    out.split(x, xo, xi, lanes, Tail::Guard).gpu_blocks(y);
    is_vector ? out.vectorize(xi) : out.gpu_threads(xi);
    for (Func f : reductions) {
      Func part = f.update().split(r[0], ro, ri, lanes, Tail::Guard).rfactor(ri, lane);
      f.compute_at(out, y);
      if (is_vector) {
        part.compute_at(out, y).vectorize(lane);
        part.update().reorder({ro, lane}).vectorize(lane);
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
