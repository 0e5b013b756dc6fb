// A box blur of an image with one channel: the mean of the pixels at most `radius` rows and columns away.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>

using namespace tensordsl;

namespace {

class Blur : public Generator {
 public:
  GeneratorParam<Extent> height{this, "height", 1080, "rows of the image"};
  GeneratorParam<Extent> width{this, "width", 1920, "columns of the image"};
  GeneratorParam<Type> type{this, "type", Float(32), {Float(32), Float(16), UInt(8)}, "of a pixel"};
  GeneratorParam<int> radius{this, "radius", 1, 1, 16, "the window has 2*radius + 1 rows and columns"};
  GeneratorParam<std::string> edges{
      this, "edges", "repeat", {"repeat", "zero"}, "pixels outside: the nearest one, or 0"};

  Pipeline generate(const GeneratorTarget& target) override {
    const Input in("in", type, {height, width}, {"y", "x"});
    const Func padded = edges == "zero" ? BoundaryConditions::zero(in, {height, width})
                                        : BoundaryConditions::repeat_edge(in, {height, width});
    const Type sums = Type(type).is_float() ? Float(32) : Int(32);
    Func rows("rows"), out("out");
    Expr along_row, along_column;
    for (int k = -radius; k <= radius; ++k) {
      const Expr pixel = cast(sums, padded(y, x + k));
      along_row = along_row.defined() ? along_row + pixel : pixel;
    }
    rows(y, x) = along_row;
    for (int k = -radius; k <= radius; ++k) {
      const Expr row = rows(y + k, x);
      along_column = along_column.defined() ? along_column + row : row;
    }
    const int count = (2 * radius + 1) * (2 * radius + 1);
    out(y, x) = sums.is_float() ? cast(type, along_column * (1.0f / static_cast<float>(count)))
                                : cast(type, (along_column + count / 2) / count);
    out.bound({height, width});
    const Target& figures = target.figures;
    const bool are_known = !height.get().is_symbolic() && !width.get().is_symbolic();
    if (radius <= 4 && are_known) {
      schedule_strips(rows, out, figures);
    } else if (figures.group_items == 1) {
      schedule_for_threads(rows, out, figures.vector_width);
    } else {
      schedule_for_groups(rows, out, figures.group_items);
    }
    return Pipeline(out);
  }

 private:
  /// For sizes that are known. A vector of columns, downwards. Those sums along the rows that a result needs
  /// stay in registers, and each step adds one. The strip of a work-item, or eight neighboring strips for the
  /// thread of a CPU.
  void schedule_strips(Func rows, Func out, const Target& target) const {
    const bool is_cpu = target.group_items == 1;
    const int vector = is_cpu ? target.vector_width : 4;
    const int window = 2 * radius + 1, steps = window * std::max(1, 12 / window);
    out.split(y, yo, yi, steps, Tail::Guard);
    if (is_cpu) {
      out.split(x, t, u, 8 * vector, Tail::Guard).split(u, xo, xi, vector, Tail::Guard);
      out.reorder({yo, t, xo, yi, xi}).gpu_blocks(t, yo);
    } else {
      out.split(x, xo, xi, vector, Tail::Guard).reorder({yo, xo, yi, xi});
      out.gpu_tile(xo, yo, {std::min(target.group_items, 16), std::max(1, target.group_items / 16)},
                   Tail::Guard);
    }
    out.vectorize(xi).unroll(yi);
    rows.compute_at(out, yi).store_at(out, xo).vectorize(x, vector, Tail::Guard).unroll(y);
  }

  /// For wide windows and any sizes. A group computes eight rows, in vectors; the sums along its rows are
  /// kept.
  void schedule_for_threads(Func rows, Func out, int vector) const {
    out.tile(y, x, yo, xo, yi, xi, 8, 8 * vector, Tail::Guard)
        .vectorize(xi, vector, Tail::Guard)
        .gpu_blocks(xo, yo);
    rows.compute_at(out, xo).vectorize(x, vector, Tail::Guard);
  }

  /// For wide windows and any sizes. The sums along the rows of a tile and its edge are shared in local
  /// memory.
  void schedule_for_groups(Func rows, Func out, int items) const {
    const int rows_of_group = items / 16;
    out.tile(y, x, yo, xo, yi, xi, rows_of_group, 16, Tail::Guard).gpu_blocks(xo, yo).gpu_threads(xi, yi);
    rows.compute_at(out, xo).store_in(Local).split(y, t, yi, rows_of_group, Tail::Guard).gpu_threads(x, yi);
  }

  const Var y{"y"}, x{"x"}, yo{"yo"}, xo{"xo"}, yi{"yi"}, xi{"xi"}, t{"t"}, u{"u"};
};

}  // namespace

TENSORDSL_GENERATOR(Blur, "blur", "a box blur of an image with one channel")
