// Wrong results are seen, whichever element is wrong.
#include "tune/check_candidate.h"

#include <doctest/doctest.h>

#include <limits>

#include "tensordsl/tensordsl.h"

namespace tensordsl::tune {
namespace {

/// y(i) = 2*x(i) of 64 elements.
struct Doubled {
  Input x{"x", Float(32), {64}};
  Func y{"y"};
  Group group;
  std::map<std::string, Buffer> inputs;

  Doubled() {
    Var i("i");
    y(i) = x(i) * 2.0f;
    y.bound({64});
    group.outputs = {y};
    group.stored = {{Float(32), {Expr(64)}, Layout::row_major(1)}};
    Buffer values(Float(32), {64});
    for (std::int64_t k = 0; k < 64; ++k) values.set(k, static_cast<double>(k));
    inputs.emplace("x", values);
  }

  Buffer right() const {
    Buffer values(Float(32), {64});
    for (std::int64_t k = 0; k < 64; ++k) values.set(k, 2.0 * static_cast<double>(k));
    return values;
  }
};

}  // namespace

TEST_CASE("check: what the definitions say is right") {
  const Doubled d;
  Reference reference(d.group, d.inputs, {});
  CHECK(reference.check({d.right()}) == "");
}

TEST_CASE("check: a wrong first element is told, and NaN is wrong") {
  const Doubled d;
  Reference reference(d.group, d.inputs, {});
  Buffer wrong = d.right();
  wrong.set(63, 125);
  CHECK(reference.check({wrong}) == "element 63 of output 0 is 125, and should be 126");
  wrong.set(63, std::numeric_limits<double>::quiet_NaN());
  CHECK(reference.check({wrong}) != "");
}

TEST_CASE("check: once one was right, every element of the others is compared with it") {
  const Doubled d;
  Reference reference(d.group, d.inputs, {});
  REQUIRE(reference.check({d.right()}) == "");
  for (std::int64_t k = 0; k < 64; ++k) {
    Buffer wrong = d.right();
    wrong.set(k, -7);
    CAPTURE(k);
    CHECK(reference.check({wrong}) != "");
  }
}

}  // namespace tensordsl::tune
