// Sizes over symbolic dimensions.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "ops/assumed_sizes.h"
#include "ops/size.h"
#include "ops/tensor_info.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::ops;

namespace {

const Size batch = Size::symbol("batch"), seq = Size::symbol("seq");

std::string quotient_text(const Size& a, const Size& b) {
  const auto exact = exact_quotient(a, b);
  return exact ? to_string(*exact) : "none";
}

}  // namespace

TEST_CASE("sizes: numbers compute as numbers") {
  CHECK(to_string(Size(6) * 7 - 2) == "40");
  CHECK(quotient(Size(7), 2) == 3);
  CHECK(quotient(Size(-7), 2) == -4);
  CHECK(quotient(Size(7), 0) == 0);
  CHECK(min(Size(3), 4) == 3);
  CHECK(max(Size(3), 4) == 4);
  CHECK_THROWS_WITH_AS(Size(std::int64_t{1} << 62) * 4, "a size does not fit into 64 bits", ShapeError);
}

TEST_CASE("sizes: equal polynomials are equal however they are written") {
  CHECK((batch + 1) * (seq - 1) == batch * seq + seq - 1 - batch);
  CHECK(batch * seq == seq * batch);
  CHECK(batch - batch == 0);
  CHECK(batch * seq * 12 - seq * 12 * batch == 0);
  CHECK_FALSE(batch == seq);
  CHECK_FALSE(batch == 1);
}

TEST_CASE("sizes: a quotient is exact where every term has the divisor") {
  CHECK(quotient_text(batch * seq * 768, seq * 12) == "batch*64");
  CHECK(quotient_text(batch * seq + seq, seq) == "batch + 1");
  CHECK(quotient_text((batch + 1) * seq, batch + 1) == "seq");
  CHECK(quotient_text((batch + 1) * (seq - 2) * 6 * batch, (seq - 2) * 2) == "batch*batch*3 + batch*3");
  CHECK(quotient_text((batch + 1) * seq + 1, batch + 1) == "none");
  CHECK(quotient_text((batch + 1) * seq * 3, (batch + 1) * 2) == "none");
  CHECK(quotient_text(batch + 1, batch + 1) == "1");
  CHECK(quotient_text(batch * 6, 4) == "none");
  CHECK(quotient_text(batch, 0) == "none");
  CHECK(to_string(quotient(seq * 6 + 12, 3)) == "seq*2 + 4");
  CHECK(to_string(quotient(seq + 1, 2)) == "(seq + 1)/2");
  CHECK(quotient(seq + 1, 2) == quotient(seq + 1, 2));
}

TEST_CASE("sizes: what holds for all dimensions of at least 1 is known") {
  CHECK(is_less(0, seq) == true);
  CHECK(is_less(seq, 1) == false);
  CHECK(is_less(seq, 2) == std::nullopt);
  CHECK(is_less(seq, batch) == std::nullopt);
  CHECK(is_less(seq, seq + batch) == true);
  CHECK(is_less(quotient(seq, 2), 0) == false);
  CHECK(is_less(quotient(seq, 2), 1) == std::nullopt);
  CHECK(is_less(quotient(seq + 7, 8), 1) == false);
  CHECK(is_less(quotient(seq - 3, 2), 0) == std::nullopt);
  CHECK(is_equal(seq, -1) == false);
  CHECK(is_equal(seq, 1) == std::nullopt);
  CHECK(min(seq, seq + 2) == seq);
  CHECK(max(seq, 1) == seq);
  CHECK(to_string(min(seq, 512)) == "min(seq, 512)");
}

TEST_CASE("sizes: one that must be known says which dimensions to fix") {
  CHECK_THROWS_WITH_AS((batch * seq).value(),
                       "the size batch*seq must be known here; fix its dimensions, as in --dim batch=1 --dim "
                       "seq=1",
                       ModelError);
  CHECK((batch - batch + 3).value() == 3);
}

TEST_CASE("shapes: symbols broadcast with 1 and with themselves") {
  CHECK(to_string(broadcast({batch, 1, 4}, {seq, 1})) == "[batch,seq,4]");
  CHECK(to_string(broadcast({batch, seq}, {batch, seq})) == "[batch,seq]");
  CHECK_THROWS_WITH_AS(broadcast({batch}, {seq}),
                       "[batch] and [seq] do not broadcast: batch against seq in dimension 1 from the end",
                       ShapeError);
}

namespace {

/// "SYMBOL = VALUE", with both sizes where that holds.
std::string assumption(const Size& a, const Size& b) {
  const auto assumed = assume_equal(a, b, {"batch", "seq", "total"});
  if (!assumed) return "none";
  CHECK(substitute(a, *assumed) == substitute(b, *assumed));
  return to_string(assumed->size) + " = " + to_string(assumed->value) + ": " +
         to_string(substitute(a, *assumed));
}

}  // namespace

TEST_CASE("sizes: what makes two of them equal") {
  const Size total = Size::symbol("total");
  CHECK(assumption(total, batch + seq) == "total = batch + seq: batch + seq");
  CHECK(assumption(batch * 2, total * 2) == "total = batch: batch*2");
  CHECK(assumption(batch * 3, total * 2) == "none");
  CHECK(assumption(batch, seq) == "seq = batch: batch");
  CHECK(assumption(total, 7) == "total = 7: 7");
  // No assumption is made of a size that may be below 1.
  CHECK(assumption(batch + 3, 2) == "none");
  CHECK(assumption(batch, seq - 3) == "seq = batch + 3: batch");
  // An image that is halved twice and doubled again.
  CHECK(assumption(quotient(seq + 1, 2) * 2, seq) == "seq = seq/2*2: seq/2*2");
  CHECK(assumption(quotient(quotient(seq + 1, 2) + 1, 2) * 2, quotient(seq + 1, 2)) ==
        "seq = seq/4*4: seq/4*2");
  CHECK(assumption(seq * seq, batch * 2 + 1) == "none");
  // A size that is cut to a length is taken to be no longer, or no shorter.
  CHECK(assumption(seq, min(seq, 512)) == "min(seq, 512) = seq: seq");
  CHECK(assumption(min(seq, 512), 512) == "min(seq, 512) = 512: 512");
  CHECK(assumption(max(seq - 8, 0) * 2, seq * 2 - 16) == "max(seq - 8, 0) = seq - 8: seq*2 - 16");
  CHECK(assumption(quotient(min(seq, 512), 2), quotient(seq, 2)) == "min(seq/2, 256) = seq/2: seq/2");
  const Size cut = min(batch + seq, 512) - min(batch, 512);
  const auto first = assume_equal(seq, cut, {"batch", "sequence"});
  REQUIRE(first);
  CHECK(to_string(first->size) == "min(batch, 512)");
  CHECK(assumption(seq, substitute(cut, *first)) == "min(batch + seq, 512) = batch + seq: seq");
  CHECK(assumption(min(seq, 512), batch) == "batch = min(seq, 512): min(seq, 512)");
  // Halves a size that was assumed to be even before.
  CHECK(assumption(quotient(seq, 2), 3) == "seq = 6: 3");
  CHECK(assumption(quotient(seq, 2) * 3, quotient(seq * 3, 2)) == "seq = seq/2*2: seq/2*3");
}

TEST_CASE("sizes: sums with extrema are as short as they can be, and their bounds are known") {
  const Size last = seq - max(seq - 8, 0);
  CHECK(to_string(last) == "min(seq, 8)");
  CHECK(last.is_at_least(1));
  CHECK(!last.is_at_least(2));
  CHECK(to_string(min(seq, 5) - min(seq, 2)) == "min(seq, 5) - min(seq, 2)");
  CHECK((min(seq, 5) - min(seq, 2)).is_at_least(0));
  CHECK(!(min(seq, 5) - min(seq, 2)).is_at_least(1));
  CHECK((512 - min(seq, 512)).is_at_least(0));
  CHECK(is_less(min(seq, 512), 513) == true);
  CHECK(is_less(max(seq, 7), 7) == false);
  CHECK(min(batch, seq) == min(seq, batch));
  // Adding and subtracting a size cancels.
  CHECK(min(seq, 512) + batch - min(seq, 512) == batch);
}

TEST_CASE("sizes: a quotient is not above what is divided, and near it") {
  CHECK(min(seq, quotient(seq, 2)) == quotient(seq, 2));
  CHECK(max(seq - quotient(seq, 2), 0) == seq - quotient(seq, 2));
  CHECK((seq - quotient(seq, 2)).is_at_least(1));
  CHECK(!(seq - quotient(seq, 2)).is_at_least(2));
  CHECK((seq - quotient(seq, 4) * 4).is_at_least(0));
  CHECK(!(seq - quotient(seq, 4) * 4).is_at_least(1));
  CHECK((quotient(seq + 3, 4) * 4 - seq).is_at_least(0));
  CHECK(!(quotient(seq + 2, 4) * 4 - seq).is_at_least(0));
  CHECK((seq - quotient(seq, 3) * 2).is_at_least(1));
  CHECK((quotient(seq * 2, 3) - quotient(seq, 2)).is_at_least(0));
}

TEST_CASE("sizes: the next multiple is the same however it is computed") {
  const Size next = quotient(seq + 3, 4) * 4;
  const auto rest = [](const Size& a) { return a - quotient(a, 4) * 4; };
  CHECK(to_string(seq + rest(4 - rest(seq))) == "(seq + 3)/4*4");
  CHECK(seq + rest(4 - rest(seq)) == next);
  CHECK(Size(0) - quotient(Size(0) - seq, 4) * 4 == next);
  CHECK(min(seq, next) == seq);
  CHECK(min(next, seq) == seq);
}

TEST_CASE("sizes: what is simplified because no dimension is 0 has that condition") {
  const auto conditions = [](const Size& size) {
    Sizes result;
    for (const Size& condition : size.conditions()) result.push_back(condition);
    return to_string(size) + " " + to_string(result);
  };
  CHECK(conditions(min(seq, 1)) == "1 [seq - 1]");
  CHECK(conditions(max(seq + batch - 1, 0)) == "batch + seq - 1 [batch + seq - 1]");
  CHECK(conditions(max(seq, 0)) == "seq []");
  CHECK(conditions(min(seq, 2)) == "min(seq, 2) []");
  CHECK(conditions(min(seq, seq + batch)) == "seq []");
  CHECK(conditions(min(seq, quotient(seq, 2))) == "seq/2 []");
  CHECK(conditions(quotient(min(seq, 1) * 4 + batch, 2) - min(batch, 1)) ==
        "batch/2 + 1 [seq - 1,batch - 1]");
  CHECK(conditions(min(seq, 1) + min(1, seq)) == "2 [seq - 1]");
  CHECK(conditions(min(seq, 1).without_conditions()) == "1 []");
  CHECK(min(seq, 1) == 1);
  CHECK(seq.is_at_least_if_empty(0));
  CHECK(!seq.is_at_least_if_empty(1));
  CHECK((seq - quotient(seq, 2)).is_at_least_if_empty(0));
}

TEST_CASE("sizes: one that 32 bits do not hold is refused as text") {
  const Size large = seq * 3 + (std::int64_t{1} << 31);
  CHECK_THROWS_WITH_AS(large.expr(),
                       "the extent or offset 3*seq + 2147483648 is not supported; supported: -2147483648 to "
                       "2147483647",
                       ShapeError);
}

TEST_CASE("sizes: an extremum is divided as its operands are") {
  const Size samples = Size::symbol("samples");
  CHECK(to_string(quotient(max(samples, 256), 256)) == "max(samples/256, 1)");
  CHECK(to_string(quotient(max(samples, 256) + 255, 256)) == "(samples + 255)/256");
  CHECK(to_string(quotient(Size(0) - min(samples, 6), 4)) ==
        to_string(max(quotient(Size(0) - samples, 4), -2)));
  // Frames of audio: as many as begin in the samples, and never more than there are.
  const Size begun = quotient(max(samples, 256) + 255, 256) + 4, whole = quotient(max(samples, 256), 256);
  CHECK(min(begun, whole) == whole);
  CHECK(min(begun, whole + 1) - 1 == whole);
}

TEST_CASE("sizes: what is said of random ones holds") {
  struct Drawn {
    Size size;
    std::function<std::int64_t(std::int64_t n, std::int64_t m)> value;
  };
  std::mt19937 random(52);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto floored = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  const auto drawn = [&](const auto& self, int depth) -> Drawn {
    switch (depth == 0 ? draw(0, 2) : draw(3, 7)) {
      case 0: {
        const std::int64_t number = draw(-9, 300);
        return {number, [=](std::int64_t, std::int64_t) { return number; }};
      }
      case 1:
        return {Size::symbol("n_size"), [](std::int64_t n, std::int64_t) { return n; }};
      case 2:
        return {Size::symbol("m_size"), [](std::int64_t, std::int64_t m) { return m; }};
      case 3: {
        const Drawn a = self(self, depth - 1);
        const std::int64_t by = draw(2, 9);
        return {quotient(a.size, by),
                [=](std::int64_t n, std::int64_t m) { return floored(a.value(n, m), by); }};
      }
      case 4: {
        const Drawn a = self(self, depth - 1), b = self(self, depth - 1);
        return {min(a.size, b.size),
                [=](std::int64_t n, std::int64_t m) { return std::min(a.value(n, m), b.value(n, m)); }};
      }
      case 5: {
        const Drawn a = self(self, depth - 1), b = self(self, depth - 1);
        return {max(a.size, b.size),
                [=](std::int64_t n, std::int64_t m) { return std::max(a.value(n, m), b.value(n, m)); }};
      }
      default: {
        const Drawn a = self(self, depth - 1), b = self(self, depth - 1);
        const std::int64_t times = draw(-2, 3);
        return {a.size + b.size * times,
                [=](std::int64_t n, std::int64_t m) { return a.value(n, m) + times * b.value(n, m); }};
      }
    }
  };
  for (int i = 0; i < 2000; ++i) {
    const Drawn a = drawn(drawn, static_cast<int>(draw(1, 3))),
                b = drawn(drawn, static_cast<int>(draw(0, 2)));
    CAPTURE(to_string(a.size));
    CAPTURE(to_string(b.size));
    const auto less = is_less(a.size, b.size);
    for (const auto& [n, m] : {std::pair{1, 1}, {2, 300}, {255, 3}, {256, 7}, {1000, 4}, {5, 5}}) {
      const ParamValues params{{"n_size", n}, {"m_size", m}};
      CHECK(runtime::evaluate(a.size.expr(), params) == a.value(n, m));
      if (less) CHECK(*less == (a.value(n, m) < b.value(n, m)));
    }
    for (const auto& [n, m] : {std::pair{0, 0}, {0, 7}, {256, 0}}) {
      const ParamValues params{{"n_size", n}, {"m_size", m}};
      const bool is_right = std::ranges::all_of(a.size.conditions(), [&](const Size& condition) {
        return runtime::evaluate(condition.expr(), params) >= 0;
      });
      if (is_right) CHECK(runtime::evaluate(a.size.expr(), params) == a.value(n, m));
    }
  }
}

TEST_CASE("sizes: unequal ones are told apart from such as may be equal") {
  CHECK_THROWS_AS(refuse_unequal("text", batch, seq), UnequalSizes);
  CHECK_THROWS_WITH_AS(refuse_unequal("text", batch, batch + 1), "text", ShapeError);
  bool may_be_equal = true;
  try {
    refuse_unequal("text", 3, 4);
  } catch (const UnequalSizes&) {
  } catch (const ShapeError&) {
    may_be_equal = false;
  }
  CHECK_FALSE(may_be_equal);
  // Shapes may be equal if no two extents are known to differ.
  CHECK_THROWS_AS(refuse_unequal("text", Sizes{2, batch}, Sizes{2, seq}), UnequalSizes);
  CHECK_THROWS_WITH_AS(refuse_unequal("text", Sizes{2, batch}, Sizes{3, seq}), "text", ShapeError);
  CHECK_THROWS_WITH_AS(refuse_unequal("text", Sizes{batch}, Sizes{batch, seq}), "text", ShapeError);
  CHECK_THROWS_AS(refuse_indivisible("text", batch, 3), UnequalSizes);
  CHECK_THROWS_WITH_AS(refuse_indivisible("text", 7, 3), "text", ShapeError);
  // A data-dependent size cannot be given by the user.
  CHECK_THROWS_WITH_AS(refuse_unequal("text", Size::symbol("y.count"), batch),
                       "text; \"y.count\" depends on data and is known only at run time", ShapeError);
}

TEST_CASE("sizes: a count may be 0, and cannot be fixed") {
  const Size count = Size::symbol("y.count"), batch = Size::symbol("batch");
  CHECK(count.is_at_least(0));
  CHECK(!count.is_at_least(1));
  CHECK((count * batch).is_at_least(0));
  CHECK(!(count * batch).is_at_least(1));
  CHECK((count + batch).is_at_least(1));
  CHECK(is_less(0, batch) == true);
  CHECK(is_less(0, count) == std::nullopt);
  CHECK((count * 2 + batch).has_count());
  CHECK(!batch.has_count());
  CHECK_THROWS_WITH_AS(
      (count * batch).value(),
      "the size batch*y.count must be known here; \"y.count\" depends on data and is known only at run time",
      ModelError);
}
