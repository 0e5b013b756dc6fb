#include "ir/analyze/verify.h"

#include <doctest/doctest.h>

#include "ir/text/parse.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

std::string broken_rule(const char* text, const std::set<std::string>& buffers = {"in", "out"},
                        const std::set<std::string>& free = {"n", "thread0"}) {
  try {
    verify(parse_stmt(text), buffers, free);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "none";
}

std::string broken_rule(ExprNode node) {
  try {
    verify(Expr(std::make_shared<const ExprNode>(std::move(node))));
  } catch (const InternalError& error) {
    return error.what();
  }
  return "none";
}

ExprNode node(ExprKind kind, Type type, std::vector<Expr> operands, std::string name = {}) {
  ExprNode result;
  result.kind = kind;
  result.type = type;
  result.operands = std::move(operands);
  result.name = std::move(name);
  return result;
}

}  // namespace

TEST_CASE("verify: a correct kernel body is accepted") {
  CHECK(broken_rule(R"(
    alloc tile: f16 [64] local {
      alloc acc: f32x4 [1] register {
        store acc[0] = broadcast(0.0, 4)
        store tile[thread0] = in[thread0 + n]:f16
        barrier local
        for i in [0, n) {
          let t = tile[i*4]:f16
          if (i < 3) { barrier local }
          store acc[0] = acc[0]:f32x4 + broadcast(f32(t:f16), 4)
        }
        if (thread0 < 3) { store out[ramp(thread0*4, 1, 4)] = acc[0]:f32x4 }
      }
    })") == "none");
}

TEST_CASE("verify: names must be bound, once on a path") {
  CHECK(broken_rule("store out[0] = m") == "verify: m is not bound, in: m");
  CHECK(broken_rule("for i in [0, 4) { store out[i] = 1 } for i in [0, 4) { store out[i] = 1 }") == "none");
  CHECK(broken_rule("for i in [0, 4) { let i = 1 store out[i] = 1 }") ==
        "verify: i is bound twice, in: let i = 1");
  CHECK(broken_rule("for n in [0, 4) { store out[n] = 1 }") ==
        "verify: n is bound twice, in: for n in [0, 4) {");
  CHECK(broken_rule("let t = 1.5 store out[0] = t") == "verify: t is f32, in: t");
  CHECK(broken_rule("store out[n] = n:f32") == "verify: n is f32, in: n");
}

TEST_CASE("verify: buffers must be known and keep their type") {
  CHECK(broken_rule("store a[0] = 1") ==
        "verify: a is neither allocated nor an argument, in: store a[0] = 1");
  CHECK(broken_rule("store out[0] = 1 store out[1] = 1.5") ==
        "verify: out holds i32, in: store out[1] = 1.5");
  CHECK(broken_rule("alloc a: f32 [4] private { store a[0] = 1 }") ==
        "verify: a holds f32, in: store a[0] = 1");
  CHECK(broken_rule("alloc a: f32 [1] private { alloc a: f32 [1] private { store a[0] = 1.0 } }") ==
        "verify: a is bound twice, in: alloc a: f32 [1] private {");
  CHECK(broken_rule("alloc a: f32x4 [1] register { store a[1] = broadcast(1.0, 4) }") ==
        "verify: register a must be accessed at 0, in: store a[1] = broadcast(1.0, 4)");
  CHECK(broken_rule("alloc a: f32x4 [1] register { store a[0] = 1.0 }") ==
        "verify: value and index have different lanes, in: store a[0] = 1.0");
  CHECK(broken_rule("alloc a: f32 [n:i64] private { store a[0] = 1.0 }", {}, {"n"}) ==
        "verify: extents must be scalar i32, in: alloc a: f32 [n:i64] private {");
}

TEST_CASE("verify: lanes, bounds, conditions and indices") {
  CHECK(broken_rule("store out[0] = broadcast(1, 4)") ==
        "verify: value and index have different lanes, in: store out[0] = broadcast(1, 4)");
  CHECK(broken_rule("store out[1:i64] = 1") == "verify: an index is not i32, in: store out[1:i64] = 1");
  CHECK(broken_rule("store out[0] = in[1:i64]") == "verify: an index is not i32, in: in[1:i64]");
  CHECK(broken_rule("for i in [0, 4:i64) { store out[i] = 1 }") ==
        "verify: loop bounds must be scalar i32, in: for i in [0, 4:i64) {");
  CHECK(broken_rule("if (broadcast(true, 4)) { store out[0] = 1 }") ==
        "verify: the condition must be a scalar bool, in: if (broadcast(true, 4)) {");
}

TEST_CASE("verify: no barrier may depend on a thread index, through lets and loops either") {
  CHECK(broken_rule("if (thread0 < 3) { barrier local }") ==
        "verify: a barrier under a condition that depends on a thread index, in: barrier local");
  CHECK(
      broken_rule(
          "for t in [0, 8) thread1 { let u = t/2 if (u < 3) { store out[t] = 1 } else { barrier local } }") ==
      "verify: a barrier under a condition that depends on a thread index, in: barrier local");
  CHECK(broken_rule("for i in [0, thread0) { barrier local }") ==
        "verify: a barrier under a condition that depends on a thread index, in: barrier local");
  CHECK(broken_rule("for t in [0, 8) thread1 { if (n < 3) { barrier local } }") == "none");
  CHECK(broken_rule("barrier private") == "verify: a barrier must be local or global, in: barrier private");
}

TEST_CASE(
    "verify: an operation of a sub-group stands alone, where all work-items come, on types that it has") {
  const auto exchange = [](const std::string& value) {
    return "alloc t: i32 [1] private { store t[0] = " + value + " store out[thread0] = t[0]:i32 }";
  };
  CHECK(broken_rule(exchange("sub_group_shuffle(in[thread0]:i32, 3 - thread0)").c_str()) == "none");
  CHECK(broken_rule(exchange("sub_group_broadcast(in[thread0]:i32, 3)").c_str()) == "none");
  CHECK(broken_rule(exchange("sub_group_broadcast(in[thread0]:i32, 3) + 1").c_str())
            .find("a sub-group operation inside an expression") != std::string::npos);
  CHECK(broken_rule(exchange("sub_group_shuffle(in[thread0]:i32, 1.0)").c_str())
            .find("the lane of a sub-group must be a scalar i32") != std::string::npos);
  CHECK(broken_rule("store out[0] = sub_group_shuffle(in[0]:f16, 0)")
            .find("a sub-group operation does not support this type") != std::string::npos);
  CHECK(broken_rule("if (thread0 < 3) { store out[0] = sub_group_broadcast(in[0]:i32, 0) }")
            .find("under a condition that depends on a thread index") != std::string::npos);
}

TEST_CASE("verify: no Call may be left") {
  const Stmt s = make_store("out", make_call(Int(32), nullptr, "f", {Expr(1)}), {Expr(0)});
  CHECK_THROWS_WITH_AS(verify(s, {"out"}), "verify: a Call remains after lowering, in: f(1)", InternalError);
}

TEST_CASE("verify: each kind of node has a type rule") {
  const Expr i = make_var("i"), f = make_var("f", Float(32)), b = make_var("b", Bool()),
             v = make_var("v", Int(32, 4));
  CHECK(broken_rule(node(ExprKind::Add, Int(32), {i, f})) ==
        "verify: operand types differ from the node's, in: i + f:f32");
  CHECK(broken_rule(node(ExprKind::Add, Int(32), {i})) ==
        "verify: a node with a wrong number of operands, 1");
  CHECK(broken_rule(node(ExprKind::Add, Bool(), {b, b})).starts_with("verify: arithmetic on bool"));
  CHECK(broken_rule(node(ExprKind::Mod, Float(32), {f, f})).starts_with("verify: `%` on a float"));
  CHECK(broken_rule(node(ExprKind::Lt, Int(32), {i, i})).starts_with("verify: a comparison must be bool"));
  CHECK(broken_rule(node(ExprKind::Eq, Bool(), {i, f})).starts_with("verify: operand types differ"));
  CHECK(broken_rule(node(ExprKind::And, Bool(), {b, i})).starts_with("verify: `&&` and `||` need bools"));
  CHECK(broken_rule(node(ExprKind::Not, Int(32), {i})).starts_with("verify: `!` needs a bool"));
  CHECK(broken_rule(node(ExprKind::Select, Int(32), {i, i, i}))
            .starts_with("verify: the condition must be bool"));
  CHECK(broken_rule(node(ExprKind::Select, Int(32), {b, i, f})).starts_with("verify: operand types differ"));
  CHECK(broken_rule(node(ExprKind::Cast, Float(32), {v}))
            .starts_with("verify: a cast must not change the number of lanes"));
  CHECK(broken_rule(node(ExprKind::Ramp, Float(32, 4), {f, f})).starts_with("verify: a ramp must be"));
  CHECK(broken_rule(node(ExprKind::Ramp, Int(32, 4), {i, f})).starts_with("verify: base and stride"));
  CHECK(
      broken_rule(node(ExprKind::Broadcast, Int(32, 4), {v})).starts_with("verify: a broadcast must widen"));
  CHECK(broken_rule(node(ExprKind::Slice, Int(32, 8), {v})).starts_with("verify: lanes out of range"));
  CHECK(broken_rule(node(ExprKind::Concat, Int(32, 4), {v, i}))
            .starts_with("verify: the lanes of a concatenation do not add up"));
  CHECK(broken_rule(node(ExprKind::Load, Float(32), {f}, "in")).starts_with("verify: an index is not i32"));
  CHECK(broken_rule(node(ExprKind::Intrinsic, Float(32), {f}, "gamma"))
            .starts_with("verify: unknown intrinsic"));
  CHECK(broken_rule(node(ExprKind::Intrinsic, Float(32), {i}, "exp"))
            .starts_with("verify: operand types differ"));
  CHECK(broken_rule(node(ExprKind::Intrinsic, Int(32), {i, b}, "shift_right"))
            .starts_with("verify: the operands of an integer operation have the wrong types"));
  CHECK(broken_rule(node(ExprKind::Intrinsic, Float(32), {f, f}, "truncating_div"))
            .starts_with("verify: the operands of an integer operation have the wrong types"));
  CHECK(broken_rule(node(ExprKind::Var, Float(24), {}, "x")).starts_with("verify: unsupported type"));
  CHECK(broken_rule(node(ExprKind::Load, Float(32), {Expr()}, "in")) == "verify: an expression is undefined");
}
