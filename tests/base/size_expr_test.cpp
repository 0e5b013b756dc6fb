#include "tensordsl/size_expr.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tensordsl/error.h"

using namespace tensordsl;

namespace {

std::string error_of_size(const std::string& text) {
  try {
    SizeExpr::parse(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "none";
}

std::string repeated_text(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Evaluates the text with n = 17 and m = 3.
std::int64_t value_of_text(const std::string& text) {
  return SizeExpr::parse(text).evaluate([](const std::string& name) { return name == "n" ? 17 : 3; });
}

}  // namespace

TEST_CASE("sizes: numbers, Params and operations are written as they are read") {
  for (const char* text :
       {"12544", "-3", "n", "(n + 7)/8*64", "n - (m - 1)", "min(n, 4) % 3", "select(n < 4, 1, n%4)",
        "1 <= n && n != m || !(n == 3)", "k:i64 + 1:i64", "u8(n)", "bitwise_and(n, 3)", "true",
        "18446744073709551615:u64", "places_number.count*2"}) {
    CAPTURE(text);
    const std::string written = to_string(SizeExpr::parse(text));
    CHECK(SizeExpr::parse(written) == SizeExpr::parse(text));
    if (std::string(text).find(" % ") == std::string::npos) CHECK(written == text);
  }
}

TEST_CASE("sizes: numbers are i32 where that holds them") {
  CHECK(to_string(SizeExpr(5)) == "5");
  CHECK(to_string(SizeExpr(std::int64_t{3000000000})) == "3000000000:i64");
  CHECK(SizeExpr(std::size_t{7}) == SizeExpr("7"));
  CHECK(SizeExpr() == 0);
  CHECK(SizeExpr(5).constant() == 5);
  CHECK(!SizeExpr("n").constant());
  CHECK(SizeExpr("n") != SizeExpr("n:i64"));
  CHECK(SizeExpr("n + 1") != SizeExpr("1 + n"));
}

TEST_CASE("sizes: values floor, and are 0 for a divisor of 0") {
  CHECK(value_of_text("(n + 7)/8*64") == 192);
  CHECK(value_of_text("(0 - n)/4") == -5);
  CHECK(value_of_text("(0 - n)%4") == 3);
  CHECK(value_of_text("n/(m - 3) + n%(m - 3)") == 0);
  CHECK(value_of_text("max(n - 20, 0) + min(n, m)") == 3);
}

TEST_CASE("sizes: of a select, && and || only what counts is computed") {
  const std::string overflow = "9223372036854775807:i64 + i64(n) == 0:i64";
  CHECK(value_of_text("n < 3 && " + overflow) == 0);
  CHECK(value_of_text("3 < n || " + overflow) == 1);
  CHECK(value_of_text("select(3 < n, 1, select(" + overflow + ", 2, 3))") == 1);
  CHECK_THROWS_WITH_AS(value_of_text("9223372036854775807:i64 + i64(n)"),
                       "\"9223372036854775807:i64 + i64(n)\" overflows 64 bits", Error);
}

TEST_CASE("sizes: names are found in order, as often as they occur") {
  CHECK(names_in("select(n < m, past + n, shift_left(2, k))") ==
        std::vector<std::string>{"n", "m", "past", "n", "k"});
}

TEST_CASE("sizes: malformed text is refused with its place") {
  CHECK(error_of_size("") == "line 1, column 1: found the end of the text, expected an expression");
  CHECK(error_of_size("n +") == "line 1, column 4: found the end of the text, expected an expression");
  CHECK(error_of_size("(n") == "line 1, column 3: found the end of the text, expected ')'");
  CHECK(error_of_size("n n") == "line 1, column 3: found 'n', expected the end of the text");
  CHECK(error_of_size("12x") == "line 1, column 1: malformed number 12x");
  CHECK(error_of_size("-n") == "line 1, column 2: found 'n', expected a number");
  CHECK(error_of_size("-inf") == "line 1, column 2: found 'inf', expected a number");
  CHECK(error_of_size("-1:u64") == "line 1, column 2: malformed number -1");
  CHECK(error_of_size("300:u8") == "line 1, column 1: 300 is out of range for u8");
  CHECK(error_of_size("1:bool") == "line 1, column 2: 1 is not a constant of type bool");
  CHECK(error_of_size("select(true, 1)") == "line 1, column 1: select takes 3 operands, found 2");
  CHECK(error_of_size("n +\n  max(n, 1,") ==
        "line 2, column 12: found the end of the text, expected an expression");
  CHECK(error_of_size("3000000000") == "line 1, column 1: 3000000000 is out of range for i32");
  CHECK(error_of_size("n + 1:i64") == "line 1, column 3: operands have different types, n and 1:i64");
  CHECK(error_of_size("!n") == "line 1, column 1: `!` needs a Bool");
  CHECK(error_of_size("true + true") == "line 1, column 6: a Bool cannot be an operand of arithmetic");
  CHECK(error_of_size("n && n") == "line 1, column 3: `&&` and `||` need Bools");
  CHECK(error_of_size("min(n)") == "line 1, column 1: min takes 2 operands, found 1");
  CHECK(error_of_size("select(n, 1, 2)") == "line 1, column 1: the condition of select must be a Bool");
  CHECK(error_of_size("f(n)") ==
        "line 1, column 1: found 'f', expected a type or an integer function before '('");
  CHECK(error_of_size("shift_left(n)") == "line 1, column 1: shift_left takes 2 operands, found 1");
  CHECK(error_of_size("f32(n)") == "line 1, column 1: the type of a size cannot be f32");
  CHECK(error_of_size("n:i7") == "line 1, column 3: found 'i7', expected a type");
  CHECK(error_of_size("n\x01") == "line 1, column 2: found byte 0x01, expected the end of the text");
}

TEST_CASE("sizes: the IR's notation has more than sizes have") {
  CHECK(error_of_size("1.5") == "\"1.5\" is not an integer expression");
  CHECK(error_of_size("i32(x:f32)") == "\"i32(x:f32)\" is not an integer expression");
  CHECK(error_of_size("a[0]") == "\"a[0]\" is not an integer expression");
}

TEST_CASE("sizes: text that is nested too deeply is refused") {
  CHECK(error_of_size(repeated_text("(", 100000)) == "line 1, column 501: nested more than 1000 levels deep");
  CHECK(error_of_size(repeated_text("n + ", 100000)) ==
        "line 1, column 4003: nested more than 1000 levels deep");
  CHECK(error_of_size(repeated_text("!", 100000)).ends_with("nested more than 1000 levels deep"));
  CHECK(error_of_size(repeated_text("i64(", 100000)).ends_with("nested more than 1000 levels deep"));
  CHECK(error_of_size(repeated_text("min(1, ", 100000)).ends_with("nested more than 1000 levels deep"));
}

TEST_CASE("sizes: damaged text is read or refused, and never ends the process") {
  std::mt19937 random(7);
  const std::string seed =
      "select(n*4 + 3 <= max(m:i64, 2:i64) && !(n == 0), (n + 7)/8*64, shift_left(n, 2))";
  const std::string letters = "nm0123456789+-*/%()!&|<=,: .[]ei\xff\n";
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = i % 2 == 0 ? seed : "(n + 7)/8*64 - m";
    for (unsigned edits = random() % 4; edits-- > 0;) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = letters[random() % letters.size()];
      else
        text.erase(at, 1 + random() % 3);
      if (text.empty()) text = "n";
    }
    try {
      const SizeExpr size = SizeExpr::parse(text);
      CHECK(SizeExpr::parse(to_string(size)) == size);
      ++read;
    } catch (const ParseError&) {
    }
  }
  CHECK(read > 1000);
}

TEST_CASE("sizes: operations that there are none of are refused") {
  using Kind = SizeExpr::Kind;
  CHECK_THROWS_WITH_AS(SizeExpr::operation(Kind::Add, {1}), "wrong number of operands", Error);
  CHECK_THROWS_WITH_AS(SizeExpr::operation(Kind::Name, {}), "this operation is not made from operands alone",
                       Error);
  CHECK_THROWS_WITH_AS(SizeExpr::cast(Float(32), 1), "the type of a size cannot be f32", Error);
  CHECK_THROWS_WITH_AS(SizeExpr::param("x", Float(32)), "a Param in a size cannot be of type f32", Error);
  CHECK_THROWS_WITH_AS(SizeExpr::call("exp", {1}), "exp is not a function of sizes", Error);
}
