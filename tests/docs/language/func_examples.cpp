// Definitions: pure ones, updates, their order, what they read.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string pure() {
  // [pure]
  Func f("f");
  f(y, x) = y * 10 + x;
  f.bound({2, 3});
  // [end]
  return results_of(f);
}

std::string index_expressions() {
  // [index_expressions]
  Func mirrored("mirrored"), halves("halves");
  mirrored(x) = row(7 - x);
  halves(x) = row(x / 2);
  mirrored.bound({8});
  halves.bound({8});
  // [end]
  return results_of({mirrored, halves});
}

std::string braces() {
  // [braces]
  Func f("f");
  const std::vector<Var> all{y, x};
  f(all) = image({y, x}) + 1;
  f.bound({2, 3});
  // [end]
  return results_of(f);
}

std::string updates() {
  // [updates]
  Func f("f");
  f(y, x) = 0;        // pure: every element
  f(y, x) += y;       // every element
  f(1, x) = x * 10;   // row 1
  f(y, 2) = f(y, 1);  // column 2
  f(0, 0) = -1;       // one element
  f.bound({2, 3});
  // [end]
  return results_of(f);
}

std::string update_starts() {
  // [update_starts]
  const RDom r({{0, 3}}, "r");
  Func added("added"), multiplied("multiplied"), largest("largest");
  added(x) += row(r);           // starts from 0
  multiplied(x) *= row(r);      // starts from 1
  largest(x).maximize(row(r));  // starts from -infinity, or the lowest integer
  added.bound({2});
  multiplied.bound({2});
  largest.bound({2});
  // [end]
  return results_of({added, multiplied, largest});
}

std::string update_reads() {
  // [update_reads]
  Func prefix("prefix");
  const RDom r({{1, 7}}, "r");
  prefix(x) = row(x);
  prefix(r) += prefix(r - 1);
  prefix.bound({8});
  // [end]
  return results_of(prefix);
}

std::string update_order() {
  // [update_order]
  Func f("f");
  f(x) = x + 1;
  f(x) += f(0);  // x = 0 comes first: f(0) is then 2
  f.bound({4});
  // [end]
  return results_of(f);
}

std::string update_type() {
  // [update_type]
  Func f("f");
  f(x) = cast<std::uint8_t>(250);
  f(x) += x * 4;  // the sum is an i32; it is cast to u8, and wraps
  f.bound({4});
  // [end]
  return results_of(f);
}

std::string scalar() {
  // [scalar]
  Func total("total"), distance("distance");
  const RDom r({{0, 8}}, "r");
  total() += row(r);
  distance(x) = total() - row(x);
  distance.bound({4});
  // [end]
  return results_of(distance);
}

std::string redefinition() {
  // [redefinition]
  Func f("f");
  f(x) = 1;
  f(x) = 2;  // an update of every element
  f.bound({3});
  // [end]
  return results_of(f);
}

std::string gather() {
  // [gather]
  const Input place("place", Int(32), {4});
  Func gathered("gathered");
  gathered(x) = row(clamp(place(x), 0, 7));
  gathered.bound({4});
  // [end]
  return "place: 6 0 -5 100\n" +
         results_of(gathered, {.inputs = {{"place", buffer_of(Int(32), {4}, {6, 0, -5, 100})}}});
}

std::string scatter() {
  // [scatter]
  const Input place("place", Int(32), {4});
  const RDom r({{0, 4}}, "r");
  Func histogram("histogram");
  histogram(x) = 0;
  histogram(place(r)) += 1;
  histogram.bound({4});
  // [end]
  return "place: 2 0 2 100\n" +
         results_of(histogram, {.inputs = {{"place", buffer_of(Int(32), {4}, {2, 0, 2, 100})}}});
}

std::string scatter_rows() {
  // [scatter_rows]
  const RDom r({{0, 3}}, "r");
  Func parity("parity");
  parity(y, x) = 0;
  parity(y, image(y, r) % 2) += 1;  // how many in row y are even, and odd
  parity.bound({2, 2});
  // [end]
  return results_of(parity);
}

std::string promise() {
  // [promise]
  const Input place("place", Int(32), {4});
  Func gathered("gathered");
  gathered(x) = row(unsafe_promise_clamped(place(x), 0, 7));
  gathered.bound({4});
  // [end]
  return "place: 6 0 7 1\n" +
         results_of(gathered, {.inputs = {{"place", buffer_of(Int(32), {4}, {6, 0, 7, 1})}}});
}

std::string tuples() {
  // [tuples]
  Func f("f"), g("g");
  f(x) = {x, cast<float>(x) / 2.0f};
  g(x) = f(x)[1] + 1.0f;
  f.bound({3});
  g.bound({3});
  // [end]
  return results_of({f, g});
}

std::string tuple_updates() {
  // [tuple_updates]
  Func f("f");
  f(x) = {x, 10};
  f(x) = {f(x)[1], f(x)[0]};  // swaps: all values are computed before one is stored
  f(x)[1] += 100;             // the other component stays
  f(x) += Tuple(1, 2);        // each component on its own
  f.bound({3});
  // [end]
  return results_of(f);
}

}  // namespace

std::vector<DocumentExample> func_examples() {
  return {{"pure", pure},
          {"index_expressions", index_expressions},
          {"braces", braces},
          {"updates", updates},
          {"update_starts", update_starts},
          {"update_reads", update_reads},
          {"update_order", update_order},
          {"update_type", update_type},
          {"scalar", scalar},
          {"redefinition", redefinition},
          {"gather", gather},
          {"scatter", scatter},
          {"scatter_rows", scatter_rows},
          {"promise", promise},
          {"tuples", tuples},
          {"tuple_updates", tuple_updates}};
}

}  // namespace tensordsl::docs
