// sum(), argmax() and the like where nothing places them: computed where they are read.
#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y");

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The kernels' text, after a comparison of the simulator with the interpreter.
std::string checked(const Func& out) {
  Buffer data(Float(32), {20, 20}), ends(Int(32), {20});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 37 % 23));
  for (std::int64_t i = 0; i < ends.elements(); ++i) ends.set_int(i, i * 7 % 5);
  std::map<std::string, Buffer> inputs;
  for (const ir::FunctionPtr& f : ir::reachable(out.shared())) {
    if (f->is_input()) inputs[f->name] = f->rank() == 1 ? ends : data;
  }
  const auto expected = Pipeline(out).interpret(inputs), found = Pipeline(out).simulate(inputs);
  for (std::size_t o = 0; o < expected.size(); ++o) {
    for (std::int64_t i = 0; i < expected[o].elements(); ++i) CHECK(found[o].get(i) == expected[o].get(i));
  }
  return Pipeline(out).emit("cl");
}

const Input in("in", Float(32), {20, 20}), ends("ends", Int(32), {20});

}  // namespace

TEST_CASE("reductions in place: all values of a tuple read the same one") {
  RDom r({{0, 20}}, "r");
  Func best("best"), moments("moments");
  best(y) = argmax(in(y, r));
  best.bound({20});
  CHECK(count(checked(best), "for (int f0_1_r_0") == 1);
  const Expr total = sum(in(y, r), "total");
  moments(y) = {total, total * total};
  moments.bound({20});
  CHECK(count(checked(moments), "for (int total_1_r_0") == 1);
}

TEST_CASE("reductions in place: a vectorized loop computes them by vectors, in a register") {
  RDom r({{0, 3}, {0, 3}}, "r");
  for (const int width : {4, 8, 16}) {
    CAPTURE(width);
    Func out("out");
    out(y, x) = sum(in(y + r[0], x + r[1]), "box") / 9.0f;
    out.bound({5, width}).vectorize(x, 4);
    const std::string text = checked(out);
    CHECK(text.find("float box[") == std::string::npos);
    CHECK(text.find("float4 box_0") != std::string::npos);
  }
  Func places("places");
  RDom k({{0, 6}}, "k");
  places(y, x) = argmax(in(k, x), "best");
  places.bound({5, 8}).vectorize(x, 4);
  const std::string text = checked(places);
  CHECK(text.find("int4 best_0") != std::string::npos);
  CHECK(text.find("float4 best_1") != std::string::npos);
}

TEST_CASE(
    "reductions in place: lanes that need several elements, or run to ends of their own, keep an array") {
  RDom r({{0, 4}}, "r"), k({{0, 6}}, "k");
  Func window("window"), ragged("ragged"), wide("wide"), part("part"), edge("edge");
  edge(y, x) = sum(in(r, x), "edge_sum");
  edge.bound({3, 17}).vectorize(x, 4);
  checked(edge);
  wide(x) = sum(in(r, x), "wide_sum");
  window(y, x) = wide(x) + wide(x + 1);
  window.bound({3, 8}).vectorize(x, 4);
  checked(window);
  k.where(k < ends(x));
  ragged(y, x) = sum(in(k, x), "ragged_sum");
  ragged.bound({3, 8}).vectorize(x, 4);
  checked(ragged);
  part(y, x) = sum(in(r, x / 2), "half_sum");
  part.bound({3, 8}).vectorize(x, 4);
  checked(part);
}

}  // namespace tensordsl::lower
