// A matrix product.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>

using namespace tensordsl;

namespace {

class Matmul : public Generator {
 public:
  GeneratorParam<Extent> m{this, "m", 512, "rows of A and C"};
  GeneratorParam<Extent> n{this, "n", 512, "columns of B and C"};
  GeneratorParam<Extent> k{this, "k", 512, "columns of A, rows of B"};
  GeneratorParam<Type> type{
      this, "type", Float(32), {Float(32), Float(16)}, "of an element, as it is stored"};
  GeneratorParam<bool> relu{this, "relu", false, "negative results become 0"};

  Pipeline generate(const GeneratorTarget& target) override {
    Input A("A", type, {m, k}, {"i", "k"}), B("B", type, {k, n}, {"k", "j"});
    const RDom r({{0, k}}, "r");
    Func product("product"), C("C");
    product(i, j) += cast(Float(32), A(i, r)) * cast(Float(32), B(r, j));
    C(i, j) = cast(type, relu ? max(product(i, j), 0.0f) : product(i, j));
    C.bound({m, n});
    const Target& figures = target.figures;
    if (figures.prefers_images && divides(4, n) && divides(4, k)) {
      schedule_images(A, B, product, C, r, figures);
    } else if (figures.has_local_memory && divides(64, m) && divides(64, n) && divides(16, k)) {
      schedule_local_tiles(A, B, product, C, r);
    } else if (figures.group_items == 1 && (m.get().is_symbolic() || m.get().value() >= 64)) {
      schedule_panels(B, product, C, r, figures);
    } else {
      schedule_registers(product, C, r, figures);
    }
    return Pipeline(C);
  }

 private:
  static bool divides(int factor, const Extent& extent) {
    return !extent.is_symbolic() && extent.value() % factor == 0;
  }

  /// A tile of results for each work-item, in vectors that stay in registers. Any sizes.
  void schedule_registers(Func product, Func C, const RDom& r, const Target& target) const {
    const bool is_cpu = target.group_items == 1;
    const int vector = is_cpu ? target.vector_width : 4;
    const int rows = std::clamp(target.accumulators / 2, 1, is_cpu ? 6 : 4);
    C.split(i, io, ii, rows, Tail::Guard).split(j, jo, ji, 2 * vector, Tail::Guard).split(ji, jg, jv, vector);
    C.reorder({io, jo, ii, jg, jv}).vectorize(jv).unroll(jg).unroll(ii);
    is_cpu ? C.gpu_blocks(jo, io) : C.gpu_tile(jo, io, {8, std::max(1, target.group_items / 8)}, Tail::Guard);
    product.compute_at(C, jo).split(j, jg, jv, vector).vectorize(jv).unroll(jg).unroll(i);
    product.update().split(j, jg, jv, vector).reorder({r[0], i, jg, jv}).vectorize(jv).unroll(jg).unroll(i);
  }

  /// A tile of results for each thread of a CPU, in vectors that stay in registers. B is packed first, which
  /// pays from some rows on, into panels as wide as the tile, which each step reads in order. Any sizes.
  void schedule_panels(Func B, Func product, Func C, const RDom& r, const Target& target) const {
    const int vector = target.vector_width, columns = 2 * vector;
    const int rows = std::clamp(target.accumulators / 2, 1, 6);
    const std::string width = std::to_string(columns);
    Func panels = B.in(product);
    panels.compute_root().layout("j/" + width + " k j%" + width);
    panels.split(j, jo, ji, columns, Tail::Guard)
        .split(ji, jg, jv, vector)
        .split(kk, ko, ki, 64, Tail::Guard);
    panels.reorder({jo, ko, ki, jg, jv}).vectorize(jv).unroll(jg).gpu_blocks(ko, jo);
    C.split(i, io, ii, rows, Tail::Guard).split(j, jo, ji, columns, Tail::Guard).split(ji, jg, jv, vector);
    C.reorder({jo, io, ii, jg, jv}).vectorize(jv).unroll(jg).unroll(ii).gpu_blocks(io, jo);
    product.compute_at(C, io).split(j, jg, jv, vector).vectorize(jv).unroll(jg).unroll(i);
    product.update().split(j, jg, jv, vector).reorder({r[0], i, jg, jv}).vectorize(jv).unroll(jg).unroll(i);
  }

  /// Tiles of A and B in local memory, loaded by the whole group while it uses the ones before; 4 x 4
  /// results to a work-item.
  void schedule_local_tiles(Func A, Func B, Func product, Func C, const RDom& r) const {
    C.split(i, io, ii, 64).split(j, jo, ji, 64).split(ii, it, v, 4).split(ji, jt, jv, 4);
    C.reorder({io, jo, it, jt, v, jv}).gpu_blocks(jo, io).gpu_threads(jt, it).unroll(v).vectorize(jv);
    product.compute_at(C, jt).vectorize(j).unroll(i);
    product.update().split(r[0], ko, ki, 16).reorder({ko, ki, i, j}).vectorize(j).unroll(i).unroll(ki);
    Func a = A.in(product), b = B.in(product);
    a.compute_at(product.update(), ko).store_in(Local).double_buffer().layout("k i+4").fuse(i, kk, f);
    b.compute_at(product.update(), ko).store_in(Local).double_buffer().fuse(kk, j, f);
    for (Func tile : {a, b})
      tile.split(f, ff, jv, 4)
          .vectorize(jv)
          .split(ff, t, tx, 16)
          .split(t, v, ty, 16)
          .gpu_threads(tx, ty)
          .unroll(v);
  }

  /// All three matrices in textures, four numbers of a row to a texel; 4 x 4 results to a work-item, which
  /// reads whole texels only.
  void schedule_images(Func A, Func B, Func product, Func C, const RDom& r, const Target& target) const {
    A.set_image(Image2D).layout("i | k/4 | k%4");
    B.set_image(Image2D).layout("k | j/4 | j%4");
    C.set_image(Image2D).layout("i | j/4 | j%4").autobroadcast();
    C.split(i, io, ii, 4, Tail::Guard).split(j, jo, ji, 4).reorder({io, jo, ii, ji}).unroll(ii).vectorize(ji);
    C.gpu_tile(jo, io, {8, std::max(1, target.group_items / 8)}, Tail::Guard);
    product.compute_at(C, jo).unroll(i).vectorize(j);
    product.update().split(r[0], ko, ki, 4).reorder({ko, ki, i, j}).unroll(ki).unroll(i).vectorize(j);
  }

  const Var i{"i"}, j{"j"}, kk{"k"}, io{"io"}, ii{"ii"}, it{"it"}, jo{"jo"}, ji{"ji"}, jg{"jg"}, jt{"jt"},
      jv{"jv"}, ko{"ko"}, ki{"ki"}, f{"f"}, ff{"ff"}, t{"t"}, tx{"tx"}, ty{"ty"}, v{"v"};
};

}  // namespace

TENSORDSL_GENERATOR(Matmul, "matmul", "a matrix product C = A * B")
