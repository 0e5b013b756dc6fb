// Expressions and sizes that are refused: each stops at its last line.
#include "docs/language/examples.h"
#include "docs/language/names.h"

namespace tensordsl::docs {
namespace {

void float_index() {
  // [float_index]
  Func f("f");
  f(x) = row(x * 0.5f);
  // [end]
}

void byte_index() {
  // [byte_index]
  const Input bytes("bytes", UInt(8), {8}), table("table", Float(32), {256});
  Func f("f");
  f(x) = table(bytes(x));
  // [end]
}

void wrong_number_of_indices() {
  // [wrong_number_of_indices]
  Func f("f");
  f(x) = image(x);
  // [end]
}

void undefined_operand() {
  // [undefined_operand]
  Expr scale;
  Func f("f");
  f(x) = row(x) * scale;
  // [end]
}

void bool_arithmetic() {
  // [bool_arithmetic]
  Func positive("positive");
  positive(x) = (row(x) > 2.0f) + (row(x) > 4.0f);
  // [end]
}

void no_bool() {
  // [no_bool]
  Func f("f");
  f(x) = select(image(0, x), 1, 2);
  // [end]
}

void integer_condition() {
  // [integer_condition]
  Func f("f");
  f(x) = select(x && x > 2, 1, 2);
  // [end]
}

void float_remainder() {
  // [float_remainder]
  Func f("f");
  f(x) = row(x) % 2.0f;
  // [end]
}

void float_bits() {
  // [float_bits]
  Func f("f");
  f(x) = row(x) & 1;
  // [end]
}

void unsupported_type() {
  // [unsupported_type]
  const Input nibbles("nibbles", Int(4), {8});
  // [end]
}

void reinterpret_width() {
  // [reinterpret_width]
  Func f("f");
  f(x) = reinterpret<std::int64_t>(cast<float>(x));
  // [end]
}

void cast_to_unsupported() {
  // [cast_to_unsupported]
  Func f("f");
  f(x) = cast(Int(4), x);
  // [end]
}

void small_param() {
  // [small_param]
  const Param gain("gain", Float(16));
  // [end]
}

void var_in_shape() {
  // [var_in_shape]
  const Input a("a", Float(32), {x});
  // [end]
}

void var_in_range() {
  // [var_in_range]
  const RDom r({{0, x}}, "r");
  // [end]
}

void two_axes_as_index() {
  // [two_axes_as_index]
  const RDom r({{0, 2}, {0, 3}}, "r");
  Func f("f");
  f() += row(r);
  // [end]
}

void no_domain() {
  // [no_domain]
  Func f("f");
  f(x) = sum(row(x));
  // [end]
}

void two_inline_domains() {
  // [two_inline_domains]
  const RDom i({{0, 2}}, "i"), j({{0, 3}}, "j");
  Func f("f");
  f() = sum(image(i, j));
  // [end]
}

void no_condition() {
  // [no_condition]
  RDom r({{0, 8}}, "r");
  r.where(r[0] % 2);
  // [end]
}

void boundary_extents() {
  // [boundary_extents]
  Func f = BoundaryConditions::zero(image, {2});
  // [end]
}

}  // namespace

std::vector<Refusal> expression_refusals() {
  return {{"float_index", float_index},
          {"byte_index", byte_index},
          {"wrong_number_of_indices", wrong_number_of_indices},
          {"undefined_operand", undefined_operand},
          {"bool_arithmetic", bool_arithmetic},
          {"no_bool", no_bool},
          {"integer_condition", integer_condition},
          {"float_remainder", float_remainder},
          {"float_bits", float_bits},
          {"unsupported_type", unsupported_type},
          {"cast_to_unsupported", cast_to_unsupported},
          {"reinterpret_width", reinterpret_width},
          {"small_param", small_param},
          {"var_in_shape", var_in_shape},
          {"var_in_range", var_in_range},
          {"two_axes_as_index", two_axes_as_index},
          {"no_domain", no_domain},
          {"two_inline_domains", two_inline_domains},
          {"no_condition", no_condition},
          {"boundary_extents", boundary_extents}};
}

}  // namespace tensordsl::docs
