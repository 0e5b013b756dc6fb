// C = A*B, f32, row-major, scheduled for a CPU and for a GPU with local memory on chip.
#pragma once

#include <tensordsl/tensordsl.h>

#include <string>

struct Matmul {
  tensordsl::Var i{"i"}, j{"j"}, k{"k"};
  tensordsl::Input A, B;
  tensordsl::RDom r;
  tensordsl::Func product{"product"}, C{"C"};

  Matmul(int m, int n, int depth)
      : A("A", tensordsl::Float(32), {m, depth}, {"i", "k"}),
        B("B", tensordsl::Float(32), {depth, n}, {"k", "j"}),
        r({{0, depth}}, "r") {
    product(i, j) += A(i, r[0]) * B(r[0], j);
    C(i, j) = product(i, j);
    C.bound({m, n});
  }
};

/// A tile of 6 rows x 2 vectors in registers; B packed into panels as wide as the tile, which each step reads
/// in order. 2*vector divides n.
inline tensordsl::Func matmul_packed(int m, int n, int depth, int vector) {
  using namespace tensordsl;
  Matmul s(m, n, depth);
  const Var io("io"), ii("ii"), jo("jo"), ji("ji"), jt("jt"), jv("jv");
  const int columns = 2 * vector;
  Func packed = s.B.in(s.product);
  packed.compute_root().layout("j/" + std::to_string(columns) + " k j%" + std::to_string(columns));
  packed.split(s.j, jo, ji, columns)
      .reorder({jo, s.k, ji})
      .vectorize(ji, vector)
      .unroll(ji)
      .gpu_blocks(s.k, jo);
  s.C.split(s.i, io, ii, 6, m < 6 ? Tail::Guard : Tail::ShiftInwards)
      .split(s.j, jo, jt, columns)
      .split(jt, ji, jv, vector);
  s.C.reorder({jo, io, ii, ji, jv}).vectorize(jv).unroll(ji).unroll(ii).gpu_blocks(io, jo);
  s.product.compute_at(s.C, io).split(s.j, ji, jv, vector).vectorize(jv).unroll(ji).unroll(s.i);
  s.product.update()
      .split(s.j, ji, jv, vector)
      .reorder({s.r[0], s.i, ji, jv})
      .vectorize(jv)
      .unroll(ji)
      .unroll(s.i);
  return s.C;
}

/// The mapping of a tile's columns to the work-items of a group, and of its rows to banks of local memory.
enum class LocalTiles {
  /// Work-item t has the columns t*8 to t*8 + 7.
  Adjacent,
  /// A work-item has columns t*4 to t*4 + 3, and those 64 further: neighbors read neighboring vectors. Rows
  /// of A's tile have a gap of 4 elements, so that a column of it is in different banks.
  Interleaved,
  /// Columns as in Interleaved. Blocks of 8 elements are swapped in the rows of A's tile, so that elements
  /// stored at a time are in different banks, and so are elements read at a time.
  Swizzled,
};

/// Tiles of 128x16 of A and 16x128 of B in local memory, loaded by the whole group while it uses the ones
/// before; 16x8 results to a work-item. The factors divide m, n and depth.
inline tensordsl::Func matmul_local(int m, int n, int depth, LocalTiles tiles = LocalTiles::Adjacent) {
  using namespace tensordsl;
  Matmul s(m, n, depth);
  const Var io("io"), it("it"), ii("ii"), jo("jo"), jt("jt"), ji("ji"), jv("jv"), ko("ko"), ki("ki"), v("v"),
      kv("kv"), f("f"), ff("ff"), g("g"), t("t"), ty("ty"), tx("tx");
  s.C.split(s.i, io, ii, 128).split(s.j, jo, ji, 128).split(ii, it, v, 16);
  if (tiles == LocalTiles::Adjacent) {
    s.C.split(ji, jt, f, 8).split(f, g, jv, 4);
  } else {
    s.C.split(ji, g, f, 64).split(f, jt, jv, 4);
  }
  s.C.reorder({io, jo, it, jt, v, g, jv})
      .gpu_blocks(jo, io)
      .gpu_threads(jt, it)
      .unroll(v)
      .unroll(g)
      .vectorize(jv);
  s.product.compute_at(s.C, jt).split(s.j, g, jv, 4).vectorize(jv).unroll(g).unroll(s.i);
  s.product.update().split(s.r[0], ko, ki, 16).split(s.j, g, jv, 4).reorder({ko, ki, s.i, g, jv});
  s.product.update().vectorize(jv).unroll(g).unroll(s.i).unroll(ki);
  Func a = s.A.in(s.product), b = s.B.in(s.product);
  a.compute_at(s.product.update(), ko)
      .store_in(Local)
      .double_buffer()
      .layout(tiles == LocalTiles::Adjacent      ? "k i"
              : tiles == LocalTiles::Interleaved ? "k i+4"
                                                 : "k i^k/4%4*8")
      .fuse(s.i, s.k, f);
  b.compute_at(s.product.update(), ko).store_in(Local).double_buffer().fuse(s.k, s.j, f);
  for (Func* tile : {&a, &b}) {
    tile->split(f, ff, kv, 4)
        .vectorize(kv)
        .split(ff, g, t, 128)
        .split(t, ty, tx, 16)
        .gpu_threads(tx, ty)
        .unroll(g);
  }
  a.in(s.product).compute_at(s.product.update(), ki).layout("k i").vectorize(s.i, 4).unroll(s.i);
  b.in(s.product).compute_at(s.product.update(), ki).vectorize(s.j, 4).unroll(s.j);
  return s.C;
}

/// A product with all three matrices in textures, four numbers of a row to a texel; 4 x 4 results to a
/// work-item, which reads whole texels only. 4 divides n and depth.
inline tensordsl::Func matmul_textures(int m, int n, int depth) {
  using namespace tensordsl;
  Matmul s(m, n, depth);
  const Var io("io"), ii("ii"), jo("jo"), ji("ji"), ko("ko"), ki("ki");
  s.A.set_image(Image2D).layout("i | k/4 | k%4");
  s.B.set_image(Image2D).layout("k | j/4 | j%4");
  s.C.set_image(Image2D).layout("i | j/4 | j%4").autobroadcast();
  s.C.split(s.i, io, ii, 4)
      .split(s.j, jo, ji, 4)
      .reorder({io, jo, ii, ji})
      .unroll(ii)
      .vectorize(ji)
      .gpu_tile(jo, io, {8, 4});
  s.product.compute_at(s.C, jo).unroll(s.i).vectorize(s.j);
  s.product.update()
      .split(s.r[0], ko, ki, 4)
      .reorder({ko, ki, s.i, s.j})
      .unroll(ki)
      .unroll(s.i)
      .vectorize(s.j);
  return s.C;
}
