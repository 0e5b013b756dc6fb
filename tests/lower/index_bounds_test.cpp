// Tests the split of an index into an element of the buffer and vectors after it.
#include "backends/opencl/emit/index_bounds.h"

#include <doctest/doctest.h>

#include "ir/text/parse.h"

namespace tensordsl::opencl {
namespace {

/// Returns the vectors of four after the base of the index that the innermost statement stores at.
std::int64_t vectors_of(const char* text, int lanes = 4) {
  IndexBounds bounds;
  std::int64_t vectors = -1;
  ir::visit(ir::parse_stmt(text), [&](const ir::Stmt& s) {
    if (s->kind == ir::StmtKind::Let) bounds.note_value(*s);
    if (s->kind == ir::StmtKind::For) bounds.note_loop(*s);
    if (s->kind == ir::StmtKind::Store) vectors = bounds.vectors_after_base(s->index(), lanes);
    return true;
  });
  return vectors;
}

}  // namespace

TEST_CASE("index bounds: whole vectors after a base that is not negative are counted") {
  CHECK(vectors_of("store a[thread0*4 + 8] = 0.0") == 2);
  CHECK(vectors_of("store a[thread0*4 + 8] = 0.0", 8) == 1);
  CHECK(vectors_of("let b = block0*64 + thread1*4 store a[b + 60] = 0.0") == 15);
  CHECK(vectors_of("for k in [0, 3) { let b = k*8 + thread0*24 store a[b + 4] = 0.0 }") == 1);
}

TEST_CASE("index bounds: a base that may lie before the buffer is none") {
  CHECK(vectors_of("let b = thread0*4 - 16 store a[b + 16] = 0.0") == 0);
  CHECK(vectors_of("for k in [-1, -1 + 4) { store a[k*4 + 4] = 0.0 }") == 0);
  CHECK(vectors_of("store a[n*4 + 8] = 0.0") == 0);  // nothing is known of n
}

TEST_CASE("index bounds: of a name with several values, each counts") {
  CHECK(vectors_of("let b = thread0 { let b = thread0 - 8 { store a[b + 8] = 0.0 } } store a[b + 8] = 0.0") ==
        0);
}

TEST_CASE("index bounds: other indices have no base") {
  CHECK(vectors_of("store a[thread0*4] = 0.0") == 0);
  CHECK(vectors_of("store a[thread0*4 + 6] = 0.0") == 0);
  CHECK(vectors_of("store a[thread0*4 - 8] = 0.0") == 0);
  CHECK(vectors_of("store a[8] = 0.0") == 0);
}

}  // namespace tensordsl::opencl
