// The layouts that make a layout transformation move nothing.
#include "graph/views/layout_of_source.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;

namespace {

using Ints = std::vector<std::int64_t>;

const Var d0("d0"), d1("d1"), d2("d2"), d3("d3");

std::vector<Expr> exprs(const Ints& extents) {
  std::vector<Expr> result;
  for (const std::int64_t extent : extents) result.push_back(static_cast<int>(extent));
  return result;
}

/// x of these extents, and y(d0, d1, ..) = x(indices).
struct Movement {
  Ints from, to;
  Input x;
  Func y{"y"};

  Movement(const Ints& source, const Ints& extents, const std::vector<Expr>& indices)
      : from(source), to(extents), x("x", Int(32), exprs(source)) {
    const std::vector<Var> dims{d0, d1, d2, d3};
    y(std::vector<Var>(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(to.size()))) = x(indices);
  }

  DefinedTensor source() const { return {"x", x, exprs(from)}; }
  DefinedTensor moved() const { return {"y", y, exprs(to)}; }

  std::optional<Layout> layout_of_source(const Layout& of_moved) const {
    return tensordsl::graph::layout_of_source(moved(), source(), of_moved);
  }

  /// "q/2 w q%2 h d", the names being those of the source's dimensions; "none".
  std::string text(const std::string& of_moved, const std::vector<std::string>& names) const {
    std::vector<std::string> dims{"d0", "d1", "d2", "d3"};
    dims.resize(to.size());
    const auto layout = layout_of_source(Layout::parse(of_moved, dims));
    return layout ? layout->to_string(names) : "none";
  }
};

/// The index of element `position`, row-major.
Ints index_of(std::int64_t position, const Ints& extents) {
  Ints index(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = position % extents[d];
    position /= extents[d];
  }
  return index;
}

/// Counts the elements of the source that are not at the locations of the Func's elements that they become.
int misplaced(const Movement& movement, const Layout& of_moved, const Layout& of_source) {
  std::int64_t count = 1;
  for (const std::int64_t extent : movement.from) count *= extent;
  Buffer numbers(Int(32), movement.from);
  for (std::int64_t k = 0; k < count; ++k) numbers.set_int(k, k);
  const Buffer moved = runtime::interpret(movement.y.shared(), movement.to, {{{"x", numbers}}, {}});
  int wrong = 0;
  for (std::int64_t k = 0; k < moved.elements(); ++k) {
    const Ints at = index_of(k, movement.to), from = index_of(moved.get_int(k), movement.from);
    wrong += of_moved.position(at, movement.to) != of_source.position(from, movement.from);
  }
  return wrong;
}

}  // namespace

TEST_CASE("layout of a source: windows put together again are a dimension that is cut") {
  // Stripes of 2 columns of a picture 6 high and 14 wide; heads of 8 elements.
  const Movement stripes({7, 4, 12, 8}, {84, 32}, {d0 / 2 % 7, d1 / 8, d0 / 14 * 2 + d0 % 2, d1 % 8});
  CHECK(stripes.text("d0 d1", {"w", "h", "q", "d"}) == "q/2 w q%2 h d");
  const Movement rows({3, 4, 28, 8}, {84, 32}, {d0 / 28, d1 / 8, d0 % 28, d1 % 8});
  CHECK(rows.text("d0 d1", {"w", "h", "q", "d"}) == "w q h d");
}

TEST_CASE("layout of a source: room beside a part is room beside its outermost digit") {
  const Movement stripes({7, 4, 12, 8}, {84, 32}, {d0 / 2 % 7, d1 / 8, d0 / 14 * 2 + d0 % 2, d1 % 8});
  CHECK(stripes.text("d0 32+d1+64", {"w", "h", "q", "d"}) == "q/2 w q%2 4+h+8 d");
  CHECK(stripes.text("d0 d1+20", {"w", "h", "q", "d"}) == "none");
  CHECK(stripes.text("28+d0 d1", {"w", "h", "q", "d"}) == "2+q/2 w q%2 h d");
  CHECK(stripes.text("2+d0 d1", {"w", "h", "q", "d"}) == "none");
}

TEST_CASE("layout of a source: dimensions that were put together or cut otherwise stay where they are") {
  const Movement reshaped({2, 6}, {3, 4}, {(d0 * 4 + d1) / 6, (d0 * 4 + d1) % 6});
  CHECK(reshaped.text("d0 d1", {"a", "b"}) == "a b");
  CHECK(reshaped.text("3+d0+3 d1", {"a", "b"}) == "2+a+2 b");
  CHECK(reshaped.text("d0 d1+4", {"a", "b"}) == "none");
  CHECK(reshaped.text("d1 d0", {"a", "b"}) == "none");
}

TEST_CASE("layout of a source: a dimension may be cut several times") {
  const Movement twice({8, 9}, {2, 3, 4, 3}, {d0 * 4 + d2, d1 * 3 + d3});
  CHECK(twice.text("d0 d1 d2 d3", {"a", "b"}) == "a/4 b/3 a%4 b%3");
  const Movement thrice({8, 3}, {2, 3, 2, 2}, {d0 * 4 + d2 * 2 + d3, d1});
  CHECK(thrice.text("d2 d1 d0 d3", {"a", "b"}) == "a/2%2 b a/4 a%2");
  // Squares of 2 x 2 pixels of a picture of 6 x 8, each of 5 values, as 20 values of one pixel.
  const Movement squares({48, 5}, {3, 4, 20}, {d0 * 16 + d2 / 10 * 8 + d1 * 2 + d2 / 5 % 2, d2 % 5});
  CHECK(squares.text("d0 d1 d2", {"t", "c"}) == "t/16 t/2%4 t/8%2 t%2 c");
}

TEST_CASE("layout of a source: what loses elements has none") {
  CHECK(Movement({4, 6}, {4, 5}, {d0, d1}).text("d0 d1", {"a", "b"}) == "none");
}

TEST_CASE("layout of a source: a layout that is cut or open gives one to an identity alone") {
  const Movement same({4, 6}, {4, 6}, {d0, d1}), turned({4, 6}, {6, 4}, {d1, d0});
  CHECK(same.text("d1/2 d0 d1%2", {"a", "b"}) == "b/2 a b%2");
  CHECK(turned.text("d1/2 d0 d1%2", {"a", "b"}) == "none");
}

TEST_CASE("layout of a source: canonical layouts have dimensions of one element first") {
  const Layout layout = Layout::parse("c d a b", {"a", "b", "c", "d"});
  CHECK(canonical(layout, exprs({2, 1, 3, 1})).to_string({"a", "b", "c", "d"}) == "b d c a");
  const Layout gapped = Layout::parse("a 1+b", {"a", "b"});
  CHECK(canonical(gapped, exprs({2, 1})) == gapped);
}

// A law: whatever layout is found, each element lies where the transformation would put it.
TEST_CASE("layout of a source: every element is in its place, for random digits in random order with room") {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int found = 0, cut = 0, cut_again = 0, with_room = 0;
  for (int round = 0; round < 3000; ++round) {
    struct Part {
      Expr value;
      std::int64_t size;
    };
    // The axes of y, each of one to three digits.
    const Var axes[] = {d0, d1, d2};
    std::vector<Part> parts;
    Ints to;
    for (const Var& axis : axes) {
      const std::vector<int> sizes{1 + below(3), 1 + below(4), 1 + below(3)};
      int low = sizes[0] * sizes[1] * sizes[2];
      to.push_back(low);
      for (const int size : sizes) {
        low /= size;
        parts.push_back({Expr(axis) / low % size, size});
      }
    }
    if (below(3) > 0) std::shuffle(parts.begin(), parts.end(), random);
    // The dimensions of x, put together from them.
    const std::size_t rank = 2 + static_cast<std::size_t>(below(3));
    std::vector<Expr> indices(rank, 0);
    Ints from(rank, 1);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::size_t d = k * rank / parts.size();
      indices[d] = indices[d] * static_cast<int>(parts[k].size) + parts[k].value;
      from[d] *= parts[k].size;
    }
    const Movement movement(from, to, indices);
    std::vector<Layout::Term> terms{{.dim = 0}, {.dim = 1}, {.dim = 2}};
    if (below(3) == 0) std::shuffle(terms.begin(), terms.end(), random);
    if (below(2) == 0) {
      Layout::Term& term = terms[static_cast<std::size_t>(below(3))];
      term.lead = below(7);
      term.gap = below(7);
    }
    const Layout of_moved = Layout::of(terms);
    const auto layout = movement.layout_of_source(of_moved);
    if (!layout) continue;
    CAPTURE(round);
    CHECK(misplaced(movement, of_moved, *layout) == 0);
    CHECK(misplaced(movement, of_moved, canonical(*layout, exprs(from))) == 0);
    ++found;
    for (const Layout::Term& term : layout->terms()) {
      cut += term.part == Layout::Term::Part::Quotient;
      cut_again += term.divisor > 1;
      with_room += term.lead + term.gap > 0;
    }
  }
  CHECK(found > 500);
  CHECK(cut > 200);
  CHECK(cut_again > 100);
  CHECK(with_room > 50);
}
