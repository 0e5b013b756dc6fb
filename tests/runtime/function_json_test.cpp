// Definitions as JSON.
#include "runtime/json/function_json.h"

#include <doctest/doctest.h>

#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
using nlohmann::ordered_json;

namespace {

/// Running sums of the rows of x0, of n columns; negative elements count as 0.
Func running_sums() {
  const Var y("y"), x("x");
  const Param n("n");
  const Input input("x0", Float(32), {2, n});
  Func sums("f0"), result("f1");
  RDom r({{1, Expr(n) - 1}}, "r");
  sums(y, x) = max(input(y, x), 0.0f);
  r.where(input(y, r) > 0.0f || r[0] > 0);
  sums(y, r) += sums(y, Expr(r) - 1);
  result(y, x) = cast<std::int64_t>(sums(y, x)) * 2;
  return result;
}

std::string refusal(const ordered_json& json) {
  try {
    runtime::functions_from_json(json);
  } catch (const ParseError& error) {
    return error.what();
  } catch (const Error& error) {
    return std::string("program: ") + error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("functions as JSON: what is read back computes the same") {
  const Func func = running_sums();
  const ordered_json json = runtime::functions_to_json(ir::reachable(func.shared()));
  const auto back = runtime::functions_from_json(json);
  CHECK(runtime::functions_to_json(back) == json);
  Buffer x(Float(32), {2, 5});
  for (int i = 0; i < 10; ++i) x.set(i, i % 4 - 1);
  const runtime::InterpretArguments arguments{{{"x0", x}}, {{"n", 5}}};
  const Buffer found = runtime::interpret(back.back(), {2, 5}, arguments);
  CHECK(found == runtime::interpret(func.shared(), {2, 5}, arguments));
  CHECK(found.get_int(4) == 6);
}

TEST_CASE("functions as JSON: what does not fit together is refused") {
  const ordered_json good = runtime::functions_to_json(ir::reachable(running_sums().shared()));
  CHECK(refusal(good) == "no error");
  ordered_json bad = good;
  bad[0]["name"] = "f0";
  CHECK(refusal(bad).find("f0 is defined twice") == std::string::npos);  // x0 is missing first
  CHECK(refusal(bad) != "no error");
  bad = good;
  bad[0]["type"] = "f99";
  CHECK(refusal(bad) == "program: unknown type \"f99\"");
  bad = good;
  bad[0]["shape"].erase(0);
  CHECK(refusal(bad) == "program: x0 has 2 dimensions, but 1 extents");
  bad = good;
  bad[1]["definitions"][0]["value"] = "1";
  CHECK(refusal(bad) == "program: a definition of f0 does not match its dimensions or type");
  bad = good;
  bad[1]["definitions"][0]["at"][0] = "y + 1";
  CHECK(refusal(bad) == "program: a definition of f0 does not match its dimensions or type");
  bad = good;
  bad[1]["definitions"][1]["where"] = "r_0";
  CHECK(refusal(bad) == "program: a definition of f0 does not match its dimensions or type");
  bad = good;
  bad[1]["definitions"] = ordered_json::array();
  CHECK(refusal(bad) == "program: f0 has no definition");
  bad = good;
  bad[2]["definitions"][0]["value"] = "i64(f0(y):f32)*2:i64";
  CHECK(refusal(bad) == "program: f0 has 2 dimensions, but is read with 1 indices");
}

TEST_CASE("functions as JSON: what only kernels compute is refused, wherever it stands") {
  const ordered_json good = runtime::functions_to_json(ir::reachable(running_sums().shared()));
  // The last definition's value, of i64: whatever is put in it is cast to that.
  for (const std::string value :
       {"i64(dot_product(y, x, x))", "i64(slice(ramp(y, x, 4), 1, 1))", "i64(slice(y:f64x4096, 4000, 1))",
        "i64(x:u32)", "i64(sub_group_reduce_add(y))", "i64(slice(concat(y, x), 1, 1))"}) {
    CAPTURE(value);
    ordered_json bad = good;
    bad.back()["definitions"][0]["value"] = value;
    CHECK(refusal(bad).starts_with("program: ") == true);
  }
}
