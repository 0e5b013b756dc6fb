// Reduction domains and inline reductions.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string rdom() {
  // [rdom]
  const Input a("a", Float(32), {2, 3}), b("b", Float(32), {3, 2});
  const RDom k({{0, 3}}, "k");
  Func product("product");
  product(y, x) += a(y, k) * b(k, x);
  product.bound({2, 2});
  // [end]
  return results_of(product);
}

std::string rdom_axes() {
  // [rdom_axes]
  const RDom r({{0, 2}, {1, 2}}, "r");  // r[0] is 0, 1; r[1] is 1, 2
  Func sum_of_part("sum_of_part"), sum_of_rows("sum_of_rows");
  sum_of_part() += image(r[0], r[1]);
  sum_of_rows(x) += image(r[0], x);  // r[1] runs too: each row counts twice
  sum_of_rows.bound({3});
  // [end]
  return results_of({sum_of_part, sum_of_rows});
}

std::string rdom_order() {
  // [rdom_order]
  const RDom r({{0, 2}, {0, 3}}, "r");
  Func digits("digits");
  digits() = 0;
  digits() = digits() * 10 + r[0] * 3 + r[1];
  // [end]
  return results_of(digits);
}

std::string empty_rdom() {
  // [empty_rdom]
  const RDom none({{0, 0}}, "none");
  Func sum_of_none("sum_of_none"), largest_of_none("largest_of_none");
  sum_of_none() += row(none);
  largest_of_none().maximize(row(none));
  // [end]
  return results_of({sum_of_none, largest_of_none});
}

std::string triangle() {
  // [triangle]
  RDom r({{0, 8}}, "r");
  r.where(r[0] <= x);
  Func prefix("prefix");
  prefix(x) += row(r);
  prefix.bound({8});
  // [end]
  return results_of(prefix);
}

std::string where_data() {
  // [where_data]
  const Input count("count", Int(32), {3});
  RDom r({{0, 8}}, "r");
  r.where(r[0] < count(x));
  Func first("first");
  first(x) += row(r);
  first.bound({3});
  // [end]
  return "count: 0 2 100\n" +
         results_of(first, {.inputs = {{"count", buffer_of(Int(32), {3}, {0, 2, 100})}}});
}

std::string inline_sums() {
  // [inline_sums]
  const RDom r({{0, 3}}, "r");
  Func rows("rows"), extremes("extremes");
  rows(y) = sum(image(y, r)) * 10;
  extremes(y) = {minimum(image(y, r)), maximum(image(y, r))};
  rows.bound({2});
  extremes.bound({2});
  // [end]
  return results_of({rows, extremes});
}

std::string inline_nested() {
  // [inline_nested]
  const RDom i({{0, 2}}, "i"), j({{0, 3}}, "j");
  Func f("f");
  f() += sum(j, image(i, j)) * sum(j, image(i, j));  // j is reduced, i stays an index
  // [end]
  return results_of(f);
}

std::string arguments() {
  // [arguments]
  const RDom r({{0, 2}, {0, 3}}, "r");
  Func best("best");
  best() = argmax(image(r[0], r[1]) % 4);  // of 1 2 3, 0 1 2
  // [end]
  return results_of(best);
}

std::string named_sum() {
  // [named_sum]
  const RDom r({{0, 8}}, "r");
  Func mean("mean");
  mean(x) = row(x) - sum(row(r), "total") / 8.0f;
  mean.bound({4});
  mean.producer("total").compute_root();
  // [end]
  return results_of(mean);
}

}  // namespace

std::vector<DocumentExample> reduction_examples() {
  return {{"rdom", rdom},
          {"rdom_axes", rdom_axes},
          {"rdom_order", rdom_order},
          {"empty_rdom", empty_rdom},
          {"triangle", triangle},
          {"where_data", where_data},
          {"inline_sums", inline_sums},
          {"inline_nested", inline_nested},
          {"arguments", arguments},
          {"named_sum", named_sum}};
}

}  // namespace tensordsl::docs
