// A Schedule as text: its output, and the texts that it refuses.
#include <doctest/doctest.h>

#include <string>

#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");

struct Blur {
  Input a{"a", Float(32), {64, 66}, {"y", "x"}};
  Func f{"f"}, g{"g"};
  Blur() {
    f(y, x) = a(y, x) + a(y, x + 2);
    g(y, x) = f(y, x) * 0.5f;
  }
};

std::string one(const std::string& directive) {
  return "{\"version\": 1, \"directives\": [" + directive + "]}";
}

}  // namespace

TEST_CASE("Schedule: consumers first, and what a directive names before it") {
  Blur b;
  b.a.layout("x y");
  b.g.bound({64, 64}).split(x, xo, xi, 4);
  b.f.compute_at(b.g, xo);
  b.g.vectorize(xi).reorder({xo, y});
  b.f.unroll(x);
  CHECK(Schedule::of(b.g).to_cpp("schedule_blur") == R"(void schedule_blur(const tensordsl::Func& output) {
  using namespace tensordsl;
  const Var x("x"), xo("xo"), xi("xi"), y("y");
  Func g = output.producer("g");
  g
      .bound({64, 64})
      .split(x, xo, xi, 4, Tail::Guard)
      .vectorize(xi)
      .reorder({xo, y});
  Func f = output.producer("f");
  f
      .compute_at(g, xo)
      .unroll(x);
  Func a = output.producer("a");
  a.layout("x y");
}
)");
  CHECK(Schedule::of(b.g).to_json() == R"({"version": 1, "directives": [
  {"func":"g","stage":0,"directive":"bound","arguments":[[64,64]]},
  {"func":"g","stage":0,"directive":"split","arguments":["x","xo","xi",4,"Guard"]},
  {"func":"g","stage":0,"directive":"vectorize","arguments":["xi"]},
  {"func":"g","stage":0,"directive":"reorder","arguments":[["xo","y"]]},
  {"func":"f","stage":0,"directive":"compute_at","arguments":[{"func":"g","stage":0},"xo"]},
  {"func":"f","stage":0,"directive":"unroll","arguments":["x"]},
  {"func":"a","stage":0,"directive":"layout","arguments":["x y"]}
]}
)");
}

TEST_CASE("Schedule: a refused directive is not part of it, nor is half of a tile") {
  Blur b;
  CHECK_THROWS_AS(b.g.split(x, xo, xi, 0), ScheduleError);
  CHECK_THROWS_AS(b.g.tile(x, y, xo, Var("yo"), xi, x, 4, 4), ScheduleError);
  CHECK_THROWS_AS(b.g.gpu_threads(x, x), ScheduleError);
  CHECK(Schedule::of(b.g).to_json() == "{\"version\": 1, \"directives\": [\n]}\n");
  CHECK(Schedule::of(b.g).to_cpp("nothing") ==
        "void nothing(const tensordsl::Func& output) {\n  using namespace tensordsl;\n  (void)output;\n}\n");
}

TEST_CASE("Schedule: a compute_at outside the pipeline is named") {
  Blur b;
  Func other("other");
  other(y, x) = b.f(y, x);
  b.f.compute_at(other, y);
  CHECK_THROWS_WITH_AS(Schedule::of(b.g),
                       "Schedule::of: f.compute_at(other, y): the Func is not part of the pipeline",
                       ScheduleError);
}

TEST_CASE("Schedule: what does not fit the definitions is refused when it is applied") {
  Blur b;
  CHECK_THROWS_WITH_AS(
      Schedule::from_json(one(R"({"func": "h", "stage": 0, "directive": "compute_root", "arguments": []})"))
          .apply(b.g),
      "g.producer(\"h\"): no tensor of this name is read; the tensors are a, f, g", ScheduleError);
  CHECK_THROWS_WITH_AS(
      Schedule::from_json(one(R"({"func": "f", "stage": 1, "directive": "compute_root", "arguments": []})"))
          .apply(b.g),
      "f.update(0): the index is out of range; the Func has 0 update definitions", ScheduleError);
  CHECK_THROWS_WITH_AS(
      Schedule::from_json(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": ["q"]})"))
          .apply(b.g),
      "f.unroll(q): unknown loop \"q\"; the loops are y, x", ScheduleError);
  CHECK_THROWS_WITH_AS(
      Schedule::from_json(
          one(R"({"func": "f", "stage": 0, "directive": "gpu_tile", "arguments": ["x", "y", [1], "Guard"]})"))
          .apply(b.g),
      "gpu_tile of 2 loops: found 1 sizes", ScheduleError);
}

TEST_CASE("Schedule: a text that is none is refused with its place") {
  const auto check = [](const std::string& text, const std::string& message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(Schedule::from_json(text), message.c_str(), ParseError);
  };
  CHECK_THROWS_AS(Schedule::from_json(""), ParseError);
  CHECK_THROWS_AS(Schedule::from_json("{\"version\": 1,"), ParseError);
  check(R"({"version": 1e999})", "Schedule: number overflow parsing '1e999'");
  check(std::string(65, '['), "Schedule: lists and objects are nested more than 64 levels deep");
  check("[]", "Schedule: expected {\"version\": ..., \"directives\": [...]}");
  check(R"({"version": 2, "directives": []})",
        "Schedule: unsupported version 2; this library reads version 1");
  check(R"({"version": 1, "directives": {}})", "Schedule: \"directives\" must be an array");
  check(R"({"version": 1, "directives": [], "x": 1})", "Schedule: unknown key \"x\"");
  check(one("3"), "Schedule: directive 0: expected an object");
  check(one(R"({"func": "f"})"), "Schedule: directive 0: \"stage\" is missing");
  check(one(R"({"func": "f", "stage": 0, "directive": "unrol", "arguments": ["x"]})"),
        "Schedule: directive 0: unknown directive \"unrol\" with 1 arguments");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": ["x", 2]})"),
        "Schedule: directive 0: unknown directive \"unroll\" with 2 arguments");
  check(one(R"({"func": "f", "stage": 0, "specialization": -1, "directive": "unroll", "arguments": ["x"]})"),
        "Schedule: directive 0: \"specialization\" must not be negative");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": "x"})"),
        "Schedule: directive 0: \"arguments\" must be an array");
  check(one(R"({"func": "f", "stage": 0, "directive": "reorder", "arguments": [3]})"),
        "Schedule: directive 0, argument 0: expected an array, found number");
  check(one(R"({"func": "f", "stage": -1, "directive": "unroll", "arguments": ["x"]})"),
        "Schedule: directive 0: \"stage\" must not be negative");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": [7]})"),
        "Schedule: directive 0, argument 0: expected a string, found number");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": ["x", 2.5, "Guard"]})"),
        "Schedule: directive 0, argument 1: expected an integer, found another number");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", )"
            R"("arguments": ["x", 18446744073709551615, "Guard"]})"),
        "Schedule: directive 0, argument 1: 18446744073709551615 does not fit into 32 bits");
  check(one(R"({"func": "f", "stage": 0, "directive": "unroll", "arguments": ["x", 2, "Round"]})"),
        "Schedule: directive 0, argument 2: \"Round\" is not a tail; expected one of RoundUp, Guard, "
        "ShiftInwards, Exact");
  check(one(R"({"func": "f", "stage": 0, "directive": "bound", "arguments": [["n +"]]})"),
        "Schedule: directive 0, argument 0: line 1, column 4: found the end of the text, expected an "
        "expression");
  check(one(R"({"func": "f", "stage": 0, "directive": "bound", "arguments": [["a[0]", 4]]})"),
        "Schedule: directive 0, argument 0: a[0] must consist of constants and Params");
}

TEST_CASE("Schedule: conditions on bits and of unsigned Params print and are read back") {
  const Param n("n"), m("m", UInt(64));
  const auto conditions = {(n & 3) == 0, ((n | 1) ^ ~n) < (Expr(1) << n), popcount(m) == 1, m < UINT64_MAX,
                           count_leading_zeros(n) < 4};
  for (const Expr& condition : conditions) {
    Blur b, again;
    b.g.specialize(condition).unroll(x, 2);
    const Schedule schedule = Schedule::of(b.g);
    Schedule::from_json(schedule.to_json()).apply(again.g);
    CHECK(Schedule::of(again.g).to_json() == schedule.to_json());
    CHECK(schedule.to_cpp("f").find("specialize(") != std::string::npos);
  }
  Blur b;
  b.g.specialize((n & 3) == popcount(n));
  CHECK(Schedule::of(b.g).to_cpp("f").find("specialize(((n & Expr(3)) == popcount(n)))") !=
        std::string::npos);
}

TEST_CASE("Schedule: a name that is no UTF-8 is refused by to_json and escaped by to_cpp") {
  Blur b;
  b.g.split(x, Var("\xff\"o"), xi, 4);
  CHECK_THROWS_WITH_AS(Schedule::of(b.g).to_json(),
                       "Schedule::to_json: the name of a Var or Func is not valid UTF-8; rename it",
                       ScheduleError);
  CHECK(Schedule::of(b.g).to_cpp("f").find("(\"\\377\\\"o\")") != std::string::npos);
}

}  // namespace tensordsl
