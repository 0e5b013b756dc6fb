#include <doctest/doctest.h>

#include "ops/define_operator.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/buffers.h"
#include "support/error_text.h"

using namespace tensordsl;
using namespace tensordsl::ops;

TEST_CASE("Cube: the third power of each element") {
  const Buffer x = testing::filled(Float(32), {2, 3}, [](std::int64_t i) { return i - 2; });
  const auto [inferred, outputs] = testing::define_operator("Cube", testing::infos_of({x}), {});
  CHECK(inferred.shape() == Shape{2, 3});
  CHECK(testing::values_of(runtime::interpret(outputs.at(0).shared(), {2, 3}, {testing::by_name({x}), {}})) ==
        std::vector<double>{-8, -1, 0, 1, 8, 27});
}

TEST_CASE("Cube: integers are refused") {
  CHECK(error_of([] {
          testing::define_operator("Cube", {{"", Int(64), {2, 3}}}, {});
        }) == "input 0 is i64[2,3]; supported: f64, f32, f16");
}
