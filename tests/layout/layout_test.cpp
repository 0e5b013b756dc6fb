#include "tensordsl/layout.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "support/error_text.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Extents = std::vector<std::int64_t>;

const std::vector<std::string> kNchw{"n", "c", "h", "w"};

Layout nchw(std::string_view notation) { return Layout::parse(notation, kNchw); }

/// A random order of the dimensions, some of them cut.
struct RandomLayout {
  std::vector<std::string> dims;
  std::string notation;
  Extents extents;

  explicit RandomLayout(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int rank = 1 + below(4);
    std::vector<std::string> terms;
    for (int d = 0; d < rank; ++d) {
      dims.push_back(std::string(1, static_cast<char>('a' + d)));
      extents.push_back(below(8));  // 0 too
      if (below(2)) {
        terms.push_back(dims.back());
      } else {
        const int factor = 1 + below(4), again = below(3) == 0 ? 2 + below(2) : 1;
        terms.push_back(fmt::format("{}/{}", dims.back(), factor * again));
        terms.push_back(fmt::format("{}%{}", dims.back(), factor));
        if (again > 1 && factor > 1) terms.push_back(fmt::format("{}/{}%{}", dims.back(), factor, again));
        if (again > 1 && factor == 1) terms.back() = fmt::format("{}%{}", dims.back(), again);
      }
    }
    for (std::string& term : terms) {
      const bool is_plain = dims.size() > 1 && term == "a";
      if (is_plain && below(2)) {
        term += "^b/" + std::to_string(2 + below(3)) + "%" + std::to_string(1 << below(3)) + "*" +
                std::to_string(2 << below(3));
      } else if (below(4) == 0) {
        term += "+" + std::to_string(1 + below(3));
      }
      if (term.find('^') == std::string::npos && below(4) == 0)
        term = std::to_string(1 + below(3)) + "+" + term;
    }
    std::shuffle(terms.begin(), terms.end(), random);
    notation = terms[0];
    for (std::size_t t = 1; t < terms.size(); ++t) notation += (below(4) ? " " : " | ") + terms[t];
  }

  std::int64_t elements() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    return n;
  }

  /// The logical index of a row-major position.
  Extents index(std::int64_t at) const {
    Extents result(extents.size());
    for (std::size_t d = extents.size(); d-- > 0; at /= extents[d]) result[d] = at % extents[d];
    return result;
  }
};

std::vector<std::byte> bytes_of(const std::vector<std::int32_t>& values) {
  std::vector<std::byte> bytes(values.size() * 4);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::int32_t> values_of(const std::vector<std::byte>& bytes) {
  std::vector<std::int32_t> values(bytes.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

TEST_CASE("a term may leave elements free behind it") {
  const std::vector<std::string> dims{"k", "i"};
  const Layout padded = Layout::parse("k i+4", dims);
  CHECK(padded.to_string(dims) == "k i+4");
  CHECK(padded.stored_extents(Extents{16, 128}) == Extents{16, 132});
  CHECK(padded.position({2, 5}, {16, 128}) == 2 * 132 + 5);
  CHECK(padded.index_at(2 * 132 + 5, {16, 128}) == Extents{2, 5});
  CHECK(!padded.index_at(2 * 132 + 128, {16, 128}));
  CHECK(padded.stored_elements({16, 0}) == 0);
  CHECK(!padded.is_row_major());
  CHECK(Layout::parse("i/4+1 k i%4+2", dims).stored_extents(Extents{3, 10}) == Extents{4, 3, 6});
  CHECK(error_of([&] { Layout::parse("k i+0", dims); }) ==
        "\"i+0\": padding must be a positive number of elements, up to 2^29");
  CHECK(error_of([&] { Layout::parse("k i+x", dims); }) ==
        "\"i+x\": padding must be a positive number of elements, up to 2^29");
}

TEST_CASE("a term may leave elements free before it: a tensor is a part of a larger one") {
  const Layout part = nchw("n h w 64+c+32");
  CHECK(part.to_string(kNchw) == "n h w 64+c+32");
  CHECK(part.stored_extents(Extents{1, 4, 2, 3}) == Extents{1, 2, 3, 100});
  CHECK(part.stored_elements({1, 4, 2, 3}) == 600);
  CHECK(part.position({0, 0, 0, 0}, {1, 4, 2, 3}) == 64);
  CHECK(part.position({0, 3, 1, 2}, {1, 4, 2, 3}) == 567);
  CHECK(part.index_at(567, {1, 4, 2, 3}) == Extents{0, 3, 1, 2});
  CHECK_FALSE(part.index_at(63, {1, 4, 2, 3}));
  CHECK_FALSE(part.index_at(568, {1, 4, 2, 3}));
  CHECK(nchw("2+n c/4 h w 1+c%4").stored_extents(Extents{1, 4, 2, 3}) == Extents{3, 1, 2, 3, 5});
  CHECK(error_of([] { nchw("n c h 0+w"); }) ==
        "\"0+w\": padding must be a positive number of elements, up to 2^29");
  CHECK(error_of([] { nchw("n c h 2000000000+w+2000000000"); }).find("up to 2^29") != std::string::npos);
  CHECK(error_of([] { nchw("n c h 4w"); }).find("4w") != std::string::npos);
}

TEST_CASE("a part may begin at a Param, whose value is known when kernels run") {
  const Layout part = nchw("past+h n 64+c+32 w");
  CHECK(part.to_string(kNchw) == "past+h n 64+c+32 w");
  CHECK(part.lead_params() == std::vector<std::string>{"past"});
  CHECK(nchw("past+2+h n c w").to_string(kNchw) == "past+2+h n c w");
  CHECK(nchw("past+h+3 past+n c w").lead_params() == std::vector<std::string>{"past"});
  CHECK(to_string(part.stored_extents(std::vector<Expr>{1, 4, 2, 3})[0]) == "2 + past");
  CHECK(to_string(part.stored_indices(std::vector<Expr>{0, 1, ir::make_var("h"), 2})[0]) == "h + past");
  CHECK(part.at([](const std::string&) { return 5; }).to_string(kNchw) == "5+h n 64+c+32 w");
  CHECK(part.at([](const std::string&) { return 0; }).to_string(kNchw) == "h n 64+c+32 w");
  CHECK(error_of([&] {
          part.stored_elements({1, 4, 2, 3});
        }) == "the start offset of a tensor, Param \"past\", has no value");
  CHECK(error_of([&] { part.at([](const std::string&) { return -1; }); }) ==
        "the start offset of a tensor, Param \"past\", is -1; it must be from 0 to 536870912");
  CHECK(error_of([] { nchw("n past+c/4 h w c%4"); }) ==
        "\"past+c/4\": only a whole dimension can begin at a Param; drop the Param, or the / or %");
  CHECK(error_of([] { nchw("n past+c^h%2 h w"); }) ==
        "\"past+c^h%2\": a dimension cannot have both a swizzle and padding");
  CHECK(error_of([] { nchw("n p/2+c h w"); }) == "\"p/2+c\": \"p/2\" is not a valid name of a Param");
}

TEST_CASE("a swizzle whose block is larger than a number is refused") {
  CHECK(error_of([] {
          Layout::parse("k i^k%65536*65536", {"k", "i"});
        }).find("m*f up to 65536") != std::string::npos);
  CHECK(error_of([] {
          Layout::parse("k i^k%512*256", {"k", "i"});
        }).find("m*f up to 65536") != std::string::npos);
  CHECK_NOTHROW(Layout::parse("k i^k%256*256", {"k", "i"}));
}

TEST_CASE("a term may be swizzled by another dimension") {
  const std::vector<std::string> dims{"k", "i"};
  const Layout swizzled = Layout::parse("k i^k/4%4*8", dims);
  CHECK(swizzled.to_string(dims) == "k i^k/4%4*8");
  CHECK(Layout::parse("k i^k%2", dims).to_string(dims) == "k i^k%2");
  CHECK(swizzled.stored_extents(Extents{16, 100}) == Extents{16, 128});
  CHECK(swizzled.position({5, 3}, {16, 100}) == 5 * 128 + (3 ^ 8));
  CHECK(swizzled.index_at(5 * 128 + (3 ^ 8), {16, 100}) == Extents{5, 3});
  const auto refusal = [&](std::string_view notation) {
    return error_of([&] { Layout::parse(notation, dims); });
  };
  const std::string form =
      ": a swizzle is ^e/q%m*f, with a dimension e and powers of two m and f, m*f up to 65536; \"/q\" and "
      "\"*f\" are optional";
  CHECK(refusal("k i^k") == "\"i^k\"" + form);
  CHECK(refusal("k i^k%3") == "\"i^k%3\"" + form);
  CHECK(refusal("k i^k%4*5") == "\"i^k%4*5\"" + form);
  CHECK(refusal("k i^j%4") == "unknown dimension \"j\"; the dimensions are k, i");
  CHECK(refusal("k i^i%4") ==
        "dimension \"i\" is swizzled by \"i\", which must be a different dimension without a swizzle");
  CHECK(refusal("k^i%2 i^k%4") ==
        "dimension \"k\" is swizzled by \"i\", which must be a different dimension without a swizzle");
  CHECK(refusal("k i/4^k%4 i%4") ==
        "\"i/4^k%4\": only a whole dimension can be swizzled; drop the swizzle, or the / or %");
  CHECK(refusal("k i^k%4+4") == "\"i^k%4+4\": a dimension cannot have both a swizzle and padding");
}

TEST_CASE("parse reads whole dimensions, quotients and remainders") {
  const Layout layout = nchw("n c/4 h w c%4");
  using Part = Layout::Term::Part;
  const std::vector<Layout::Term> terms{{0, Part::Whole, 1},
                                        {1, Part::Quotient, 4},
                                        {2, Part::Whole, 1},
                                        {3, Part::Whole, 1},
                                        {1, Part::Remainder, 4}};
  CHECK(layout.terms() == terms);
  CHECK(layout.rank() == 4);
  CHECK(nchw("  n   c h w ") == Layout::row_major(4));
}

TEST_CASE("a block may be cut again") {
  const Layout layout = nchw("n c/8 c%4 h w c/4%2");
  CHECK(layout.to_string(kNchw) == "n c/8 c%4 h w c/4%2");
  CHECK(layout.stored_extents(Extents{2, 20, 3, 7}) == Extents{2, 3, 4, 3, 7, 2});
  CHECK(layout.padding(1) == 8);
  CHECK(layout.position({1, 13, 2, 6}, {2, 20, 3, 7}) == (((1 * 3 + 1) * 4 + 1) * 3 + 2) * 14 + 13);
  CHECK(layout.position({0, 13, 0, 0}, {2, 20, 3, 7}) == (1 * 4 + 1) * 42 + 1);
}

TEST_CASE("of takes the terms that parse reads") {
  using Part = Layout::Term::Part;
  CHECK(Layout::of({{.dim = 0}, {.dim = 2}, {.dim = 3}, {.dim = 1}}) == nchw("n h w c"));
  CHECK(
      Layout::of(
          {{.dim = 0}, {1, Part::Quotient, 4}, {.dim = 2}, {.dim = 3, .gap = 2}, {1, Part::Remainder, 4}}) ==
      nchw("n c/4 h w+2 c%4"));
  CHECK(Layout::of({{.dim = 0}, {.dim = 1}}) == Layout::row_major(2));
  CHECK(Layout::of({}) == Layout::row_major(0));
  CHECK_THROWS_WITH_AS(Layout::row_major(-1), "Layout::row_major(-1): the rank must not be negative", Error);
  CHECK(Layout::of({{.dim = 0}, {.dim = 2}, {.dim = 3}, {1, Part::Quotient, 4}, {1, Part::Remainder, 4}},
                   {2, 4, 5}) == nchw("n h | w c/4 | c%4"));
}

TEST_CASE("of refuses groups without a term") {
  const std::string refusal = "a group between \"|\" is empty";
  const std::vector<Layout::Term> terms{{.dim = 0}, {.dim = 1}};
  CHECK(error_of([&] { Layout::of(terms, {0, 2}); }) == refusal);
  CHECK(error_of([&] { Layout::of(terms, {1, 1, 2}); }) == refusal);
  CHECK(error_of([&] { Layout::of(terms, {1}); }) == refusal);
  CHECK(error_of([&] { Layout::of(terms, {2, 1}); }) == refusal);
}

TEST_CASE("of says which terms are none of a layout") {
  using Part = Layout::Term::Part;
  CHECK(error_of([] { Layout::of({{.dim = 0}, {.dim = 2}}); }) == "dimension \"d1\" is missing");
  CHECK(error_of([] {
          Layout::of({{.dim = 0}, {.dim = 0}});
        }) ==
        "dimension \"d0\" must appear once as \"d0\", or once as \"d0/k\" and once as \"d0%k\" with the same "
        "k; the latter may be split again, as \"d0/m%n\" and \"d0%m\" with k = m*n");
  CHECK(error_of([] {
          Layout::of({{0, Part::Quotient, 0}, {0, Part::Remainder, 0}});
        }) == "the term of dimension 0 is not valid in a layout");
  CHECK(error_of([] { Layout::of({{.dim = -1}}); }) == "the term of dimension -1 is not valid in a layout");
  CHECK(error_of([] { Layout::of({{.dim = 0, .gap = -1}}); }) ==
        "the term of dimension 0 is not valid in a layout");
  CHECK(error_of([] {
          Layout::of({{.dim = 0, .swizzle = Layout::Term::Swizzle{1, 1, 3, 1}}, {.dim = 1}});
        }) == "the term of dimension 0 is not valid in a layout");
}

TEST_CASE("a layout is row-major only if every dimension is whole and in order") {
  CHECK(nchw("n c h w").is_row_major());
  CHECK_FALSE(nchw("n h w c").is_row_major());
  CHECK_FALSE(nchw("n c h w/1 w%1").is_row_major());
  CHECK(Layout::row_major(4).to_string(kNchw) == "n c h w");
}

TEST_CASE("parse says what is wrong with a notation") {
  CHECK_THROWS_WITH_AS(nchw("n c h"), "dimension \"w\" is missing", ParseError);
  CHECK_THROWS_WITH_AS(nchw(""), "dimension \"n\" is missing", ParseError);
  CHECK_THROWS_WITH_AS(nchw("n c h w x"), "unknown dimension \"x\"; the dimensions are n, c, h, w",
                       ParseError);
  CHECK_THROWS_WITH_AS(nchw("n c h w /4"), "unknown dimension \"\"; the dimensions are n, c, h, w",
                       ParseError);
  for (const char* cut : {"c/0", "c/-4", "c/", "c%x", "c/4x", "c/99999999999"}) {
    const std::string text = fmt::format("\"{}\": a block size must be a positive number", cut);
    CHECK_THROWS_WITH_AS(nchw(fmt::format("n h w {}", cut)), text.c_str(), ParseError);
  }
  const char* text =
      "dimension \"c\" must appear once as \"c\", or once as \"c/k\" and once as \"c%k\" with the same k; "
      "the latter may be split again, as \"c/m%n\" and \"c%m\" with k = m*n";
  for (const char* notation :
       {"n c c h w", "n c/4 h w", "n c%4 h w", "n c/4 h w c%8", "n c/4 c h w c%4", "n c/4 c/4 h w c%4",
        "n c/8 h w c%4", "n c/8 h w c%4 c/4%4", "n c/8 h w c/4%2", "n c/8 c/2%4 h w c%2 c/2%4"}) {
    CHECK_THROWS_WITH_AS(nchw(notation), text, ParseError);
  }
}

TEST_CASE("a dimension that its block does not divide is padded") {
  const Layout layout = nchw("n c/4 h w c%4");
  CHECK(layout.stored_extents(Extents{2, 5, 3, 7}) == Extents{2, 2, 3, 7, 4});
  CHECK(layout.stored_elements({2, 5, 3, 7}) == 2 * 2 * 3 * 7 * 4);
  const std::vector<Expr> symbolic = layout.stored_extents({Expr(1), ir::make_var("C"), Expr(3), Expr(7)});
  CHECK(to_string(symbolic[1]) == "(C + 3)/4");
  CHECK(to_string(symbolic[4]) == "4");
}

TEST_CASE("extents that are no shape are refused") {
  const Layout layout = Layout::parse("a/4 b a%4", {"a", "b"});
  const char* text =
      "[9223372036854775807, 1] is not a shape of 2 dimensions with extents from 0 to 2130706432";
  CHECK_THROWS_WITH_AS(layout.stored_elements({INT64_MAX, 1}), text, ShapeError);
  CHECK_THROWS_AS(pack({}, 4, layout, {-2, -3}), ShapeError);
  CHECK_THROWS_AS(unpack({}, 4, layout, {3}), ShapeError);
  CHECK_THROWS_WITH_AS(pack({}, 4, layout, {2, 3}), "pack: found 0 bytes, but 6 elements of 4 bytes need 24",
                       ShapeError);
}

TEST_CASE("the indices of the groups, taken as one number, are the position") {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const RandomLayout r(random);
    INFO(r.notation);
    const Layout layout = Layout::parse(r.notation, r.dims);
    std::vector<Expr> extents;
    for (const std::int64_t e : r.extents) extents.push_back(Expr(static_cast<int>(e)));
    const std::vector<Expr> groups = layout.group_extents(extents);
    REQUIRE(static_cast<int>(groups.size()) == layout.groups());
    for (std::int64_t at = 0; at < r.elements(); ++at) {
      const Extents index = r.index(at);
      std::vector<Expr> indices;
      for (const std::int64_t x : index) indices.push_back(Expr(static_cast<int>(x)));
      const std::vector<Expr> coordinates = layout.group_indices(indices, extents);
      std::int64_t position = 0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        position =
            position * *ir::as_int(ir::simplify(groups[g])) + *ir::as_int(ir::simplify(coordinates[g]));
      }
      REQUIRE(position == layout.position(index, r.extents));
    }
  }
}

TEST_CASE("position is the place in the stored array") {
  const Layout layout = nchw("n c/4 h w c%4");
  CHECK(layout.position({0, 0, 0, 0}, {2, 5, 3, 7}) == 0);
  CHECK(layout.position({0, 1, 0, 0}, {2, 5, 3, 7}) == 1);
  CHECK(layout.position({0, 0, 0, 1}, {2, 5, 3, 7}) == 4);
  CHECK(layout.position({1, 4, 2, 6}, {2, 5, 3, 7}) == 4 * (6 + 7 * (2 + 3 * (1 + 2 * 1))));
}

TEST_CASE("to_string and parse are inverse for random layouts") {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const RandomLayout r(random);
    const Layout layout = Layout::parse(r.notation, r.dims);
    CHECK(layout.to_string(r.dims) == r.notation);
    CHECK(Layout::parse(layout.to_string(r.dims), r.dims) == layout);
  }
}

TEST_CASE("stored_indices agrees with position for random layouts") {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const RandomLayout r(random);
    INFO(r.notation);
    const Layout layout = Layout::parse(r.notation, r.dims);
    std::vector<Expr> names;
    for (const std::string& dim : r.dims) names.push_back(ir::make_var(dim));
    const std::vector<Expr> indices = layout.stored_indices(names);
    const Extents stored = layout.stored_extents(r.extents);
    REQUIRE(indices.size() == stored.size());
    for (std::int64_t at = 0; at < r.elements(); ++at) {
      const Extents index = r.index(at);
      ir::Substitution values;
      for (std::size_t d = 0; d < index.size(); ++d) values[r.dims[d]] = Expr(static_cast<int>(index[d]));
      std::int64_t position = 0;
      for (std::size_t t = 0; t < stored.size(); ++t) {
        const Expr part = ir::simplify(ir::substitute(indices[t], values));
        REQUIRE(ir::as_int(part) != nullptr);
        REQUIRE(*ir::as_int(part) < stored[t]);
        position = position * stored[t] + *ir::as_int(part);
      }
      REQUIRE(position == layout.position(index, r.extents));
      REQUIRE(layout.index_at(position, r.extents) == index);
    }
  }
}

TEST_CASE("pack moves every element to its position, pads with zeros, and unpack takes it back") {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const RandomLayout r(random);
    INFO(r.notation);
    const Layout layout = Layout::parse(r.notation, r.dims);
    std::vector<std::int32_t> values(static_cast<std::size_t>(r.elements()));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::int32_t>(k) + 1;
    const auto stored = values_of(pack(bytes_of(values), 4, layout, r.extents));
    REQUIRE(static_cast<std::int64_t>(stored.size()) == layout.stored_elements(r.extents));
    std::set<std::int64_t> taken;
    for (std::int64_t at = 0; at < r.elements(); ++at) {
      const std::int64_t to = layout.position(r.index(at), r.extents);
      REQUIRE(taken.insert(to).second);
      REQUIRE(stored.at(static_cast<std::size_t>(to)) == at + 1);
    }
    for (std::int64_t p = 0; p < layout.stored_elements(r.extents); ++p) {
      REQUIRE(layout.index_at(p, r.extents).has_value() == taken.contains(p));
    }
    CHECK(std::count(stored.begin(), stored.end(), 0) ==
          static_cast<std::ptrdiff_t>(stored.size() - taken.size()));
    CHECK(values_of(unpack(bytes_of(stored), 4, layout, r.extents)) == values);
  }
}

TEST_CASE("pack moves elements of any width whole") {
  const std::vector<std::string> dims{"y", "x"};
  const Layout transposed = Layout::parse("x y", dims);
  std::vector<std::byte> halves;
  for (const int b : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) halves.push_back(static_cast<std::byte>(b));
  const auto stored = pack(halves, 2, transposed, {2, 3});
  std::vector<int> order;
  for (const std::byte b : stored) order.push_back(static_cast<int>(b));
  CHECK(order == std::vector<int>{1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12});
}

}  // namespace tensordsl
