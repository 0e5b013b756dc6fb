// Tests how many values live at once on the way to an element.
#include "outline/value_registers.h"

#include <doctest/doctest.h>

#include "schedule/func_schedule.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::outline {
namespace {

/// Counts the registers of `out`, which reads elements of `sum` that are in registers.
int registers_of(const Func& out, const Func& sum) {
  return value_registers(out.contents().definitions[0].values,
                         [&](const ir::Function& f) { return &f == sum.shared().get(); });
}

struct Activation {
  Input bias{"bias", Float(32), {64}}, scale{"scale", Float(32), {64}};
  Var i{"i"};
  Func sum{"sum"}, out{"out"};

  Activation() {
    sum(i) = 0.0F;
    sum.compute_root();
  }
};

}  // namespace

TEST_CASE("value registers: a value takes the register of the element that it is computed from") {
  Activation a;
  a.out(a.i) = a.sum(a.i) * 2.0F + 1.0F;
  CHECK(registers_of(a.out, a.sum) == 0);
}

TEST_CASE("value registers: an element of a tensor in memory is read before it is added") {
  Activation a;
  a.out(a.i) = a.sum(a.i) + a.bias(a.i);
  CHECK(registers_of(a.out, a.sum) == 1);
}

TEST_CASE("value registers: a value that is used again lives until then") {
  Activation a;
  const Expr value = a.sum(a.i) + a.bias(a.i);
  a.out(a.i) = value * (a.scale(a.i) - value);
  CHECK(registers_of(a.out, a.sum) == 1);
  a.out = Func("longer");
  const Expr quotient = value / a.scale(a.i);
  a.out(a.i) = value * (quotient * (quotient + a.bias(a.i)));
  CHECK(registers_of(a.out, a.sum) == 2);
}

TEST_CASE("value registers: the text of the error function holds polynomials and its argument") {
  Activation a;
  a.out(a.i) = erf(a.sum(a.i));
  CHECK(registers_of(a.out, a.sum) == 4);
  a.out = Func("activated");
  const Expr value = a.sum(a.i) + a.bias(a.i);
  a.out(a.i) = value * erf(value * 0.5F);
  CHECK(registers_of(a.out, a.sum) == 5);
}

TEST_CASE("value registers: values of inlined Funcs count where they are used") {
  Activation a;
  Func inlined("inlined");
  inlined(a.i) = a.scale(a.i) * a.bias(a.i);
  a.out(a.i) = a.sum(a.i) + inlined(a.i);
  CHECK(registers_of(a.out, a.sum) == 2);
}

}  // namespace tensordsl::outline
