#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "ir/analyze/verify.h"
#include "ir/nodes/integer_operations.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

std::string error_of(std::string_view text, bool statement = false) {
  try {
    statement ? (void)parse_stmt(text) : (void)parse_expr(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

// Well-typed random trees of every kind of node that can be read back.
class RandomIr {
 public:
  explicit RandomIr(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Expr expr(Type type, int depth) {
    if (type.is_vector() && below(3) != 0) return vector(type, depth);
    if (depth == 0) return leaf(type);
    const auto operand = [&] { return expr(type, depth - 1); };
    switch (below(6)) {
      case 0:
        return leaf(type);
      case 1:
        return make_select(expr(below(2) ? Bool(type.lanes) : Bool(), depth - 1), operand(), operand());
      case 2: {
        const Type from = element().with_lanes(type.lanes);
        return make_cast(type, expr(from, depth - 1));
      }
      case 3:
        return load(type, depth);
      default:
        break;
    }
    if (type.is_bool()) return boolean(type, depth);
    if (type.is_float() && below(3) == 0) {
      std::vector<IntrinsicEntry> known;
      for (const IntrinsicEntry& candidate : intrinsics()) {
        if (candidate.on(type.element())) known.push_back(candidate);
      }
      const IntrinsicEntry& entry = known[static_cast<std::size_t>(below(static_cast<int>(known.size())))];
      std::vector<Expr> operands;
      while (operands.size() < static_cast<std::size_t>(entry.operands)) operands.push_back(operand());
      return make_intrinsic(type, std::string(entry.name), operands);
    }
    if (type.is_integer() && below(4) == 0) {
      const auto kind = static_cast<IntegerOperationKind>(below(static_cast<int>(kIntegerOperations.size())));
      return make_integer_operation(kind, operand(), operand());
    }
    constexpr ExprKind integers[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div,
                                     ExprKind::Min, ExprKind::Max, ExprKind::Mod};
    constexpr ExprKind floats[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul,      ExprKind::Div,
                                   ExprKind::Min, ExprKind::Max, ExprKind::MinOrNan, ExprKind::MaxOrNan};
    return make_binary(type.is_float() ? floats[below(8)] : integers[below(7)], operand(), operand());
  }

  Stmt stmt(int depth) {
    const auto index = [&] { return expr(Int(32), 2); };
    const auto inner = [&] { return stmt(depth - 1); };
    switch (depth == 0 ? below(2) : below(7)) {
      case 0:
        return make_barrier(below(2) ? Memory::Local : Memory::Global);
      case 1: {
        const int lanes = below(2) ? 1 : 4;
        return make_store(name(), expr(element().with_lanes(lanes), 3), {expr(Int(32, lanes), 2)});
      }
      case 2:
        return make_block({inner(), inner(), inner()});
      case 3:
        return make_for(name(), below(2) ? make_int(Int(32), 0) : index(), index(),
                        static_cast<LoopKind>(below(9)), inner());
      case 4:
        return make_if(expr(Bool(), 2), inner(), below(2) ? inner() : Stmt());
      case 5:
        return make_let(name(), expr(element(), 3), inner());
      default:
        return make_allocate(name(), element().with_lanes(1 + below(8)), {index(), index()},
                             static_cast<Memory>(below(5)), inner());
    }
  }

  std::string name() {
    constexpr const char* names[] = {"x", "conv.x", "r_0", "_a", "$t.1", "min", "in", "f32", "else", "store"};
    return names[below(10)];
  }

 private:
  Type element() {
    constexpr Type types[] = {Float(32), Float(16), Int(8), UInt(8), Int(32), Int(64), Bool()};
    return types[below(7)];
  }

  Expr leaf(Type type) {
    if (type.is_vector()) return vector(type, 0);
    if (below(2)) return make_var(name(), type);
    if (type.is_bool()) return make_bool(below(2));
    if (!type.is_float())
      return make_int(type, below(3) ? below(100) - 50 : static_cast<std::int64_t>(random_()));
    constexpr double special[] = {0.0,      -0.0,      1e20, -1e-7, 0.1,         3.0,
                                  INFINITY, -INFINITY, NAN,  1e-45, 3.4028235e38};
    return make_float(type, below(2) ? special[below(11)]
                                     : std::ldexp(static_cast<double>(below(1 << 24)), below(60) - 40));
  }

  Expr load(Type type, int depth) {
    std::vector<Expr> indices;
    for (int rank = 1 + below(3); rank > 0; --rank) indices.push_back(expr(Int(32, type.lanes), depth - 1));
    return make_load(type, name(), indices);
  }

  Expr boolean(Type type, int depth) {
    switch (below(4)) {
      case 0:
        return make_unary(ExprKind::Not, expr(type, depth - 1));
      case 1:
        return make_binary(ExprKind::And, expr(type, depth - 1), expr(type, depth - 1));
      case 2:
        return make_binary(ExprKind::Or, expr(type, depth - 1), expr(type, depth - 1));
      default: {
        constexpr ExprKind kinds[] = {ExprKind::Eq, ExprKind::Ne, ExprKind::Lt, ExprKind::Le};
        const Type compared = element().with_lanes(type.lanes);
        return make_binary(kinds[below(4)], expr(compared, depth - 1), expr(compared, depth - 1));
      }
    }
  }

  Expr vector(Type type, int depth) {
    const int deeper = std::max(depth - 1, 0);
    switch (depth == 0 ? 1 : below(4)) {
      case 0:
        if (type.is_integer())
          return make_ramp(expr(type.element(), deeper), expr(type.element(), deeper), type.lanes);
        [[fallthrough]];
      case 1:
        return make_broadcast(expr(type.element(), deeper), type.lanes);
      case 2:
        return make_slice(expr(type.with_lanes(type.lanes + 3), deeper), below(4), type.lanes);
      default: {
        const int first = 1 + below(type.lanes - 1);
        return make_concat(
            {expr(type.with_lanes(first), deeper), expr(type.with_lanes(type.lanes - first), deeper)});
      }
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("print: the text form of every kind of expression") {
  const Expr x = make_var("x"), y = make_var("conv.y"), f = make_var("f", Float(32)),
             b = make_var("b", Bool());
  const Expr v = make_load(Float(32), "in", {make_ramp(x * 2, 1, 8)});
  CHECK(print(Expr()) == "undefined");
  CHECK(print(Expr(-3)) == "-3");
  CHECK(print(Expr(std::int64_t{3})) == "3:i64");
  CHECK(print(make_int(UInt(8), 200)) == "200:u8");
  CHECK(print(make_bool(true)) == "true");
  CHECK(print(Expr(1.0f)) == "1.0");
  CHECK(print(Expr(1e20f)) == "1e+20");
  CHECK(print(Expr(0.1f)) == "0.1");
  CHECK(print(Expr(-0.0f)) == "-0.0");
  CHECK(print(make_float(Float(16), 1.5)) == "1.5:f16");
  CHECK(print(make_float(Float(32), INFINITY)) == "inf");
  CHECK(print(make_float(Float(16), -INFINITY)) == "-inf:f16");
  CHECK(print(make_float(Float(32), NAN)) == "nan");
  CHECK(print(f) == "f:f32");
  CHECK(print(x + y * 4 - 3) == "x + conv.y*4 - 3");
  CHECK(print(x - (y - 3)) == "x - (conv.y - 3)");
  CHECK(print((x + y) * 4 / (x % 3)) == "(x + conv.y)*4/(x%3)");
  CHECK(print(x - Expr(-3)) == "x - -3");
  CHECK(print(min(max(x, 0), 7)) == "min(max(x, 0), 7)");
  CHECK(print(!(x < 3 && (b || x == y))) == "!(x < 3 && (b:bool || x == conv.y))");
  CHECK(print(x <= 3 || (b && x != 4)) == "x <= 3 || b:bool && x != 4");
  CHECK(print((x < 3) == b) == "(x < 3) == b:bool");
  CHECK(print(select(b, f, exp(f))) == "select(b:bool, f:f32, exp(f:f32))");
  CHECK(print(make_cast(Float(32), x) + 1.0f) == "f32(x) + 1.0");
  CHECK(print(v) == "in[ramp(x*2, 1, 8)]:f32x8");
  CHECK(print(make_slice(v, 4, 4)) == "slice(in[ramp(x*2, 1, 8)]:f32x8, 4, 4)");
  CHECK(print(make_concat({make_broadcast(f, 2), f})) == "concat(broadcast(f:f32, 2), f:f32)");
  CHECK(print(make_load(Int(32), "t", {x, y})) == "t[x, conv.y]");
  CHECK(print(make_call(Float(16), nullptr, "g", {x, y})) == "g(x, conv.y):f16");
  CHECK(to_string(make_load(Float(32), "out", {y * 56 + x}) + 1.0f) == "out[conv.y*56 + x]:f32 + 1.0");
}

TEST_CASE("print: the text form of every kind of statement, which reads back") {
  const char* text =
      "for y in [0, 56) block1 {\n"
      "  alloc acc: f32x8 [1] register {\n"
      "    store acc[0] = broadcast(0.0, 8)\n"
      "    for x in [y, y + 4) {\n"
      "      let t = y*4 + 3\n"
      "      if (t < 7) {\n"
      "        store out[ramp(t, 1, 8)] = in[ramp(t*2, 1, 8)]:f32x8\n"
      "      } else {\n"
      "        barrier local\n"
      "      }\n"
      "    }\n"
      "    {\n"
      "      let u = 1\n"
      "      if (u < y) {\n"
      "        store out[u] = 0.0\n"
      "      }\n"
      "    }\n"
      "    for z in [2, 2 + 3) unrolled {\n"
      "      barrier global\n"
      "    }\n"
      "  }\n"
      "}\n";
  CHECK(print(parse_stmt(text)) == text);
  CHECK(print(make_barrier(Memory::Local), 2) == "    barrier local\n");
}

TEST_CASE("parse: a random expression is the same after print and parse") {
  RandomIr random(1);
  std::set<ExprKind> kinds;
  for (int i = 0; i < 20000; ++i) {
    constexpr Type types[] = {Float(32), Float(16), Int(8), UInt(8), Int(32), Int(64), Bool()};
    const Expr e = random.expr(types[random.below(7)].with_lanes(1 + random.below(4) * random.below(2)),
                               1 + random.below(4));
    verify(e);
    visit(e, [&](const Expr& node) { return kinds.insert(node->kind), true; });
    const std::string text = print(e);
    INFO(text);
    const Expr back = parse_expr(text);
    REQUIRE(same(back, e));
    REQUIRE(print(back) == text);
  }
  CHECK(kinds.size() == static_cast<std::size_t>(ExprKind::Call));  // every kind but Call
}

TEST_CASE("parse: a random statement is the same after print and parse") {
  RandomIr random(2);
  for (int i = 0; i < 3000; ++i) {
    const Stmt s = random.stmt(1 + random.below(5));
    const std::string text = print(s);
    INFO(text);
    REQUIRE(same(parse_stmt(text), s));
  }
}

TEST_CASE("parse: white space does not matter and serial may be written") {
  CHECK(same(parse_expr(" x+ 4\n*y "), parse_expr("x + 4*y")));
  CHECK(same(parse_stmt("for x in[0,3)serial{store a[x]=1}"),
             parse_stmt("for x in [0, 3) {\n store a[x] = 1\n}")));
}

TEST_CASE("parse: errors name line, column, what was found and what was expected") {
  CHECK(error_of("") == "line 1, column 1: found the end of the text, expected an expression");
  CHECK(error_of("x + ") == "line 1, column 5: found the end of the text, expected an expression");
  CHECK(error_of("x +\n  * y") == "line 2, column 3: found '*', expected an expression");
  CHECK(error_of("(x + 1") == "line 1, column 7: found the end of the text, expected ')'");
  CHECK(error_of("x y") == "line 1, column 3: found 'y', expected the end of the text");
  CHECK(error_of("x + \x01") == "line 1, column 5: found byte 0x01, expected an expression");
  CHECK(error_of("-x") == "line 1, column 2: found 'x', expected a number");
  CHECK(error_of("x:f24") == "line 1, column 3: found 'f24', expected a type");
  CHECK(error_of("x + 1.5") == "line 1, column 3: make_binary: operands have different types, x and 1.5");
  CHECK(error_of("!x") == "line 1, column 1: make_unary: `!` needs a Bool");
  CHECK(error_of("300:u8") == "line 1, column 1: 300 is out of range for u8");
  CHECK(error_of("3000000000") == "line 1, column 1: 3000000000 is out of range for i32");
  CHECK(error_of("-1:u64") == "line 1, column 2: malformed number -1");
  CHECK(error_of("1e999:f64") == "line 1, column 1: 1e999 is out of range for f64");
  CHECK(error_of("1:bool") == "line 1, column 2: 1 is not a constant of type bool");
  CHECK(error_of("select(true, 1)") == "line 1, column 1: select takes 3 operands, found 2");
  CHECK(error_of("1e99") == "line 1, column 1: 1e99 is out of range for f32");
  CHECK(error_of("1.5:i32") == "line 1, column 4: 1.5 is not a constant of type i32");
  CHECK(error_of("12ab") == "line 1, column 1: malformed number 12ab");
  CHECK(error_of("f(x)") ==
        "line 1, column 1: found 'f', expected a type or an intrinsic before '(' (calls of Funcs cannot be "
        "read back)");
  CHECK(error_of("min(x)") == "line 1, column 1: min takes 2 operands, found 1");
  CHECK(error_of("mad(1.0, 2.0)") == "line 1, column 1: mad takes 3 operands, found 2");
  CHECK(error_of("broadcast(x, n)") ==
        "line 1, column 1: operand 2 of broadcast must be a constant from 2 to 4096");
  CHECK(error_of("ramp(x, 1, 70000)") ==
        "line 1, column 1: operand 3 of ramp must be a constant from 2 to 4096");
  CHECK(error_of("slice(x, 3, 1)") == "line 1, column 1: make_slice: lanes out of range");
  CHECK(error_of("concat(v:f32x4000, v:f32x4000)") ==
        "line 1, column 1: concat makes 8000 lanes; at most 4096 are allowed");
  CHECK(error_of("stor a[0] = 1", true) == "line 1, column 1: found 'stor', expected a statement");
  CHECK(error_of("if (x < 3) { }", true) == "line 1, column 14: found '}', expected a statement");
  CHECK(error_of("barrier shared", true) == "line 1, column 9: found 'shared', expected a kind of memory");
  CHECK(error_of("for x in [0, 3) fast { barrier local }", true) ==
        "line 1, column 17: found 'fast', expected a kind of loop or '{'");
  CHECK(error_of("for x in [y, 7) { barrier local }", true) ==
        "line 1, column 14: the end of a loop from y must be written y + extent");
  CHECK(error_of("store a[0] = 1 }", true) == "line 1, column 16: found '}', expected a statement");
}

TEST_CASE("parse: nesting that would overflow the stack is an error") {
  const auto repeated = [](std::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  CHECK(error_of(repeated("(", 100000)) == "line 1, column 501: nested more than 1000 levels deep");
  CHECK(error_of(repeated("x + ", 100000)) == "line 1, column 4003: nested more than 1000 levels deep");
  CHECK(error_of(repeated("!", 100000)).ends_with("nested more than 1000 levels deep"));
  CHECK(error_of(repeated("f32(", 100000)).ends_with("nested more than 1000 levels deep"));
  CHECK(error_of(repeated("let a = 1 ", 100000), true).ends_with("nested more than 1000 levels deep"));
  CHECK(error_of(repeated("{", 100000), true).ends_with("nested more than 1000 levels deep"));
  CHECK(parse_expr(repeated("x + ", 900) + "x").defined());
}

TEST_CASE("parse: random and mutated text gives a tree or a ParseError, never anything else") {
  RandomIr random(3);
  constexpr std::string_view pieces[] = {
      "x",       "(",          ")",    "[",    "]",     "{",      "}",
      ",",       ":",          "f32",  "u8x4", "+",     "-",      "*",
      "%",       "&&",         "!",    "<",    "=",     "==",     "let",
      "store",   "for",        "in",   "if",   "else",  "alloc",  "barrier",
      "local",   "0",          "1.5",  "1e",   "ramp(", "slice(", "concat(",
      "select(", "broadcast(", "exp(", "i64(", "true",  "inf",    "9999999999999999999",
      "\xff",    "\n"};
  int accepted = 0;
  const auto feed = [&](const std::string& text) {
    for (const bool statement : {false, true}) {
      try {
        if (statement) {
          const Stmt s = parse_stmt(text);
          REQUIRE(same(parse_stmt(print(s)), s));
        } else {
          const Expr e = parse_expr(text);
          REQUIRE(same(parse_expr(print(e)), e));
        }
        ++accepted;
      } catch (const ParseError&) {
      }
    }
  };
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int n = random.below(30); n > 0; --n) {
      text += pieces[random.below(static_cast<int>(std::size(pieces)))];
      if (random.below(2)) text += ' ';
    }
    feed(text);
    text = random.below(2) ? print(random.expr(Float(32), 3)) : print(random.stmt(3));
    for (int n = random.below(4); n >= 0 && !text.empty(); --n) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(1 + random.below(5)));
          break;
        default:
          text.insert(at, pieces[random.below(static_cast<int>(std::size(pieces)))]);
      }
    }
    feed(text);
  }
  CHECK(accepted > 100);
}

TEST_CASE("parse: calls are what the caller makes of them, and other names are none") {
  const ParseCall call = [](const std::string& name, std::vector<Expr> indices) {
    return name == "f0" ? make_call(Float(32), nullptr, name, std::move(indices)) : Expr();
  };
  const Expr e = parse_expr("f0(x + 1, y):f32*2.0 + sqrt(f0(x, 0):f32)", call);
  CHECK(print(e) == "f0(x + 1, y):f32*2.0 + sqrt(f0(x, 0):f32)");
  CHECK_THROWS_WITH_AS(parse_expr("f0(x)", call), "line 1, column 1: f0 is f32", ParseError);
  CHECK_THROWS_WITH_AS(
      parse_expr("f1(x)", call),
      "line 1, column 1: found 'f1', expected a type or an intrinsic before '(' (calls of Funcs "
      "cannot be read back)",
      ParseError);
}
