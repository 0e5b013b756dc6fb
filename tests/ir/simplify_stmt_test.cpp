#include <doctest/doctest.h>

#include <map>
#include <random>

#include "ir/brute_force.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

std::string simple(std::string_view text, const Bounds& bounds = {}) {
  const Stmt result = simplify(parse_stmt(text), bounds);
  return result.defined() ? print(result) : "";
}

std::string normal(std::string_view text) { return print(parse_stmt(text)); }

/// Runs a statement on one buffer "out" of i32 that starts as zeros; loads of it see the stores before them.
class Machine {
 public:
  explicit Machine(Point variables) : variables_(std::move(variables)) {}

  void run(const Stmt& s) {
    switch (s->kind) {
      case StmtKind::Block:
        for (const Stmt& b : s->body) run(b);
        return;
      case StmtKind::For: {
        const std::int64_t min = value(s->min()), extent = value(s->extent());
        for (std::int64_t i = 0; i < extent; ++i) run_with(s->name, min + i, s->body[0]);
        return;
      }
      case StmtKind::If:
        if (value(s->condition())) {
          run(s->body[0]);
        } else if (s->body.size() > 1) {
          run(s->body[1]);
        }
        return;
      case StmtKind::Let:
        return run_with(s->name, value(s->value()), s->body[0]);
      case StmtKind::Store: {
        const std::int64_t index = value(s->index()), stored = value(s->value());
        out[index] = stored;
        return;
      }
      default:
        throw std::runtime_error("unexpected statement");
    }
  }

  std::map<std::int64_t, std::int64_t> out;
  bool fits = true;

 private:
  void run_with(const std::string& name, std::int64_t value, const Stmt& body) {
    variables_.emplace_back(name, value);
    run(body);
    variables_.pop_back();
  }

  std::int64_t value(const Expr& e) {
    Evaluator evaluate(variables_, true, [this](std::int64_t index) { return out[index]; });
    const std::int64_t result = evaluate(e);
    fits = fits && evaluate.fits;
    return result;
  }

  Point variables_;
};

class RandomStmts {
 public:
  explicit RandomStmts(unsigned seed) : random_(seed) {}

  Stmt stmt(int depth) {
    if (depth == 0) return make_store("out", index(2), {index(2) % 16});
    switch (below(7)) {
      case 0:
        return make_block({stmt(depth - 1), stmt(depth - 1)});
      case 1:
      case 2: {
        const std::string name = fresh("i");
        const Expr min = below(2) ? Expr(0) : index(1), extent = below(3) ? Expr(below(4)) : index(1) % 4;
        return make_for(name, min, extent, LoopKind::Serial, scoped(name, depth));
      }
      case 3:
        return make_if(condition(), stmt(depth - 1));
      case 4:
        return make_if(condition(), stmt(depth - 1), stmt(depth - 1));
      case 5:
        return make_store("out", index(3), {index(2) % 16});
      default: {
        const std::string name = fresh("t");
        const Expr value = index(2);
        return make_let(name, value, scoped(name, depth));
      }
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }

  Stmt scoped(const std::string& name, int depth) {
    names_.push_back(name);
    const Stmt result = stmt(depth - 1);
    names_.pop_back();
    return result;
  }

  Expr index(int depth) {
    if (depth == 0 || below(5) == 0) {
      return below(4) == 0
                 ? Expr(below(9) - 2)
                 : make_var(names_[static_cast<std::size_t>(below(static_cast<int>(names_.size())))]);
    }
    const Expr a = index(depth - 1), b = index(depth - 1);
    switch (below(9)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * (below(5) - 1);
      case 3:
        return a / (below(4) + 1);
      case 4:
        return a % (below(4) + 1);
      case 5:
        return min(a, b);
      case 6:
        return max(a, b);
      case 7:
        return select(a < b, a, b + 1);
      default:
        return make_load(Int(32), "out", {a % 16});
    }
  }

  Expr condition() {
    const Expr first = below(2) ? index(1) < index(1) : index(1) == index(1);
    return below(3) ? first : first && index(1) <= index(1);
  }

  std::mt19937 random_;
  std::vector<std::string> names_{"n", "m"};
  int next_ = 0;
};

}  // namespace

TEST_CASE("simplify: loops give bounds to their variable") {
  CHECK(simple("for y in [0, 56) block1 { for x in [0, 8) thread0 { store out[(y*8 + x)/8] = min(x, 7) + "
               "y%64 } }") ==
        normal("for y in [0, 56) block1 { for x in [0, 8) thread0 { store out[y] = x + y } }"));
  CHECK(simple("for x in [3, 3 + -2) { store out[x] = 1 }") == "");
  CHECK(simple("for x in [0, 0) block0 { store out[x] = 1 }") == "");
}

TEST_CASE("simplify: a tensor without elements has no storage, and what touches it never runs") {
  CHECK(simple("alloc t: i32 [4, 0] local { store t[0, 0] = 1 store out[0] = 2 barrier local }") ==
        normal("store out[0] = 2 barrier local"));
  CHECK(simple("for i in [0, 3) { alloc t: i32 [i - 5] private { for x in [0, n) { store t[x] = x } "
               "store out[i] = select(n < i, t[i] + 1, 7) } }") ==
        normal("for i in [0, 3) { store out[i] = select(n < i, 1, 7) }"));
  CHECK(simple("alloc t: i32 [0] private { store t[0] = 1 }") == "");
  CHECK(simple("alloc t: i32 [n] private { store t[0] = 1 store out[0] = t[0] }") ==
        normal("alloc t: i32 [n] private { store t[0] = 1 store out[0] = t[0] }"));
}

TEST_CASE("simplify: a loop with symbolic ends gives facts") {
  CHECK(simple("for x in [0, n) { store out[max(min(x, n - 1), 0)] = select(0 < n, 1, 2) }") ==
        normal("for x in [0, n) { store out[x] = 1 }"));
  CHECK(simple("for t in [0, n/8) { if (t*8 + 7 < n) { store out[t] = 1 } }") ==
        normal("for t in [0, n/8) { store out[t] = 1 }"));
  CHECK(simple("for y in [0, h) { for x in [0, w) { store out[(y*w + x)/w] = (y*w + x)%w } }") ==
        normal("for y in [0, h) { for x in [0, w) { store out[y] = x } }"));
}

TEST_CASE("simplify: loops of one iteration are replaced by their body, but for block and thread loops") {
  CHECK(simple("for x in [n, n + 1) { store out[x] = x + 1 }") == normal("store out[n] = n + 1"));
  CHECK(simple("for x in [0, 1) vectorized { for y in [x, x + 1) unrolled { store out[x + y] = 1 } }") ==
        normal("store out[0] = 1"));
  CHECK(simple("for x in [0, 1) block0 { store out[x] = 1 }") ==
        normal("for x in [0, 1) block0 { store out[0] = 1 }"));
  CHECK(simple("for x in [0, 1) thread2 { store out[x] = 1 }") ==
        normal("for x in [0, 1) thread2 { store out[0] = 1 }"));
  // The bound of a loop must not be read again after it was overwritten.
  CHECK(simple("for x in [a[0], a[0] + 1) { store a[0] = 5 store out[0] = x }") ==
        normal("let x = a[0] store a[0] = 5 store out[0] = x"));
}

TEST_CASE("simplify: an If is decided, or its branches know what it found") {
  CHECK(simple("for x in [0, 8) { if (x < 8) { store out[x] = 1 } else { store out[x] = 2 } }") ==
        normal("for x in [0, 8) { store out[x] = 1 }"));
  CHECK(simple("if (x < n) { store out[min(x, n - 1)] = 1 } else { store out[min(x, n)] = 2 }") ==
        normal("if (x < n) { store out[x] = 1 } else { store out[n] = 2 }"));
  CHECK(simple("if (x < n) { for i in [0, 0) { store out[i] = 1 } } else { store out[x] = 2 }") ==
        normal("if (n <= x) { store out[x] = 2 }"));
  CHECK(simple("if (x < n) { if (n <= x) { store out[x] = 2 } }") == "");
  // A fact about memory does not last.
  const char* overwritten = "if (out[0] < 3) { store out[0] = 5 store out[1] = select(out[0] < 3, 1, 2) }";
  CHECK(simple(overwritten) == normal(overwritten));
}

TEST_CASE("simplify: barriers right behind each other are one") {
  CHECK(simple(
            "store f[0] = 1 barrier local for i in [0, 0) { store f[i] = 2 } barrier local barrier global") ==
        normal("store f[0] = 1 barrier local barrier global"));
}

TEST_CASE("simplify: Lets that are trivial or unused go away, the others tell what they are") {
  CHECK(simple("let t = 4 store out[t + 1] = t") == normal("store out[5] = 4"));
  CHECK(simple("let t = n store out[t + 1] = t") == normal("store out[n + 1] = n"));
  CHECK(simple("let t = n*2 let u = t + 1 store out[0] = n") == normal("store out[0] = n"));
  CHECK(simple("let t = n%8 store out[min(t, 7)] = t") == normal("let t = n%8 store out[t] = t"));
  CHECK(simple("let t = n*8 store out[ramp(t, 1, 8)/broadcast(8, 8)] = broadcast(1, 8)") ==
        normal("let t = n*8 store out[broadcast(t/8, 8)] = broadcast(1, 8)"));
  CHECK(simple("let t = n*2 store out[0] = t") == normal("let t = n*2 store out[0] = t"));
}

TEST_CASE("simplify: a statement that is simple already comes back as the same node") {
  const Stmt s = parse_stmt(R"(
    for y in [0, 56) block1 {
      alloc acc: f32x8 [4] register {
        store acc[0] = broadcast(0.0, 8)
        let t = y*4 + n
        if (t < 7) { store out[ramp(t, 1, 8)] = in[ramp(t*2, 2, 8)]:f32x8 } else { barrier local }
      }
    })");
  CHECK_MESSAGE(simplify(s).get() == s.get(), print(simplify(s)));
}

TEST_CASE("simplify: random statements store the same") {
  RandomStmts random(5);
  int gone = 0;
  for (int i = 0; i < 3000; ++i) {
    const Stmt s = random.stmt(2 + i % 4);
    const Bounds bounds{{"n", {0, 5}}, {"m", {-2, 2}}};
    const Stmt simple_stmt = simplify(s, bounds);
    gone += !simple_stmt.defined();
    INFO(print(s), "\n=>\n", (simple_stmt.defined() ? print(simple_stmt) : ""));
    if (simple_stmt.defined()) {
      const Stmt again = simplify(simple_stmt, bounds);
      INFO("=>\n", (again.defined() ? print(again) : ""));
      CHECK(same(again, simple_stmt));
    }
    for (std::int64_t n = 0; n <= 5; ++n) {
      for (std::int64_t m = -2; m <= 2; ++m) {
        Machine before({{"n", n}, {"m", m}}), after({{"n", n}, {"m", m}});
        before.run(s);
        if (!before.fits) continue;
        if (simple_stmt.defined()) after.run(simple_stmt);
        std::erase_if(before.out, [](const auto& cell) { return cell.second == 0; });
        std::erase_if(after.out, [](const auto& cell) { return cell.second == 0; });
        REQUIRE(before.out == after.out);
      }
    }
  }
  CHECK(gone < 1500);
}
