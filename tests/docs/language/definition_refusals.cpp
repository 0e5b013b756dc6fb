// Definitions that are refused: each stops at its last line.
#include "docs/language/examples.h"
#include "docs/language/names.h"

namespace tensordsl::docs {
namespace {

void read_undefined() {
  // [read_undefined]
  Func f("f"), g("g");
  f(x) = g(x) + 1;
  // [end]
}

void self_reference() {
  // [self_reference]
  Func f("f");
  f(x) = f(x) + 1;
  // [end]
}

void unknown_var() {
  // [unknown_var]
  Func f("f");
  f(x) = image(y, x);
  // [end]
}

void no_var() {
  // [no_var]
  Func f("f");
  f(0) = 1;
  // [end]
}

void same_var() {
  // [same_var]
  Func f("f");
  f(x, x) = 1;
  // [end]
}

void axis_in_pure() {
  // [axis_in_pure]
  const RDom r({{0, 8}}, "r");
  Func f("f");
  f(x) = row(r);
  // [end]
}

void define_input() {
  // [define_input]
  row(x) = 1.0f;
  // [end]
}

void other_var() {
  // [other_var]
  Func f("f");
  f(y, x) = 0;
  f(x, y) = 1;
  // [end]
}

void shifted_place() {
  // [shifted_place]
  Func f("f");
  f(x) = 0;
  f(x + 1) = x;
  // [end]
}

void wrong_rank() {
  // [wrong_rank]
  Func f("f");
  f(y, x) = 0;
  f(x) += 1;
  // [end]
}

void float_update() {
  // [float_update]
  Func f("f");
  f(x) = 0;
  f(x) += 0.5f;
  // [end]
}

void two_domains() {
  // [two_domains]
  const RDom r({{0, 2}}, "r"), s({{0, 3}}, "s");
  Func f("f");
  f() += image(r, s);
  // [end]
}

void equal_domain_names() {
  // [equal_domain_names]
  const RDom r({{0, 2}}, "r"), longer({{0, 3}}, "r");
  Func f("f");
  f() += image(r, longer);
  // [end]
}

void tuple_read() {
  // [tuple_read]
  Func f("f"), g("g");
  f(x) = {x, 0.5f};
  g(x) = f(x) + 1;
  // [end]
}

void tuple_size() {
  // [tuple_size]
  Func f("f");
  f(x) = {x, 0.5f};
  f(x) = x;
  // [end]
}

void tuple_component() {
  // [tuple_component]
  Func f("f"), g("g");
  f(x) = {x, 0.5f};
  g(x) = f(x)[2];
  // [end]
}

void func_name() {
  // [func_name]
  Func f("my func");
  // [end]
}

void taken_name() {
  // [taken_name]
  Func f("block0");
  // [end]
}

void param_and_var() {
  // [param_and_var]
  const Param n("x");
  Func f("f");
  f(x) = x * n;
  // [end]
}

void update_after_rfactor() {
  // [update_after_rfactor]
  const RDom r({{0, 8}}, "r");
  Func f("f");
  f() += row(r);
  f.update().split_k(r[0], 2, Var("u"));
  f() += 1.0f;
  // [end]
}

}  // namespace

std::vector<Refusal> definition_refusals() {
  return {{"read_undefined", read_undefined},
          {"self_reference", self_reference},
          {"unknown_var", unknown_var},
          {"no_var", no_var},
          {"same_var", same_var},
          {"axis_in_pure", axis_in_pure},
          {"define_input", define_input},
          {"other_var", other_var},
          {"shifted_place", shifted_place},
          {"wrong_rank", wrong_rank},
          {"float_update", float_update},
          {"two_domains", two_domains},
          {"equal_domain_names", equal_domain_names},
          {"tuple_read", tuple_read},
          {"tuple_size", tuple_size},
          {"tuple_component", tuple_component},
          {"func_name", func_name},
          {"taken_name", taken_name},
          {"param_and_var", param_and_var},
          {"update_after_rfactor", update_after_rfactor}};
}

}  // namespace tensordsl::docs
