#include <doctest/doctest.h>

#include "lower/place/place_functions.h"

#include "ir/simplify/simplify.h"
#include "lower/pass_text.h"
#include "lower/passes/arithmetic/inline_lets.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), t("t");

PlacedFunctions placed(const Func& output) {
  return place_functions(inline_functions(ir::reachable(output.shared()), {output.shared()}));
}

/// Every nest, simplified.
std::string nests(const Func& output) {
  std::string text;
  for (const RootNest& nest : placed(output).nests) text += text_of(ir::simplify(inline_lets(nest.body)));
  return text;
}

std::string error(const Func& output) {
  return error_of<ScheduleError>([&] { placed(output); });
}

/// producer(x) = in(x) + in(x + 1), consumer(x) = producer(x - 1) + producer(x + 1) over 8.
struct Stencil {
  Input in{"in", Int(32), {32}};
  Func producer{"producer"}, consumer{"consumer"};
  Stencil() {
    producer(x) = in(x + 4) + in(x + 5);
    consumer(x) = producer(x - 1) + producer(x + 1);
    consumer.bound({8});
  }
};

}  // namespace

TEST_CASE("place: compute_root computes all that is read, before it is read, from index 0") {
  Stencil s;
  s.producer.compute_root();
  CHECK(nests(s.consumer) == normalized("for producer.x in [-1, -1 + 10) { store producer[producer.x + 1] = "
                                        "in[producer.x + 4] + in[producer.x + 5] }") +
                                 normalized("for consumer.x in [0, 8) { store consumer[consumer.x] = "
                                            "producer[consumer.x] + producer[consumer.x + 2] }"));
  CHECK(ir::print(placed(s.consumer).extents.at("producer")[0]) == "10");
  CHECK(ir::print(placed(s.consumer).extents.at("consumer")[0]) == "8");
}

TEST_CASE("place: compute_at computes just what the loop's body reads") {
  Stencil s;
  s.consumer.split(x, xo, xi, 4);
  s.producer.compute_at(s.consumer, xo);
  CHECK(nests(s.consumer) == normalized(R"(
    for consumer.xo in [0, 2) {
      alloc producer: i32 [6] auto {
        for producer.x in [consumer.xo*4 - 1, consumer.xo*4 - 1 + 6) {
          store producer[producer.x - consumer.xo*4 + 1] = in[producer.x + 4] + in[producer.x + 5]
        }
        for consumer.xi in [0, 4) {
          store consumer[consumer.xo*4 + consumer.xi] = producer[consumer.xi] + producer[consumer.xi + 2]
        }
      }
    })"));
}

TEST_CASE("place: a chain of compute_at nests") {
  Stencil s;
  Func out("out");
  out(x) = s.consumer(x) * 2;
  out.bound({8}).split(x, xo, xi, 4);
  Func consumer = s.consumer;
  consumer.compute_at(out, xo);
  s.producer.compute_at(consumer, x);
  const std::string text = nests(out);
  CHECK(text.find("alloc consumer: i32 [4]") < text.find("alloc producer: i32 [3]"));
  CHECK(text.find("alloc producer: i32 [3]") != std::string::npos);
}

TEST_CASE("place: each stage of a root Func is a nest, in order") {
  const RDom r({{0, 3}}, "r");
  Func out("out");
  out(x) = 0;
  out(x) += r;
  out(0) = 7;
  out.bound({4});
  const auto result = placed(out).nests;
  REQUIRE(result.size() == 3);
  for (int stage = 0; stage < 3; ++stage)
    CHECK(result[static_cast<std::size_t>(stage)].stage.definition == stage);
}

TEST_CASE("place: a Func that several read is computed over the hull, once") {
  Stencil s;
  Func more("more"), out("out");
  more(x) = s.producer(x + 10);
  out(x) = s.consumer(x) + more(x);
  s.producer.compute_root();
  s.consumer.compute_root();
  more.compute_root();
  out.bound({8});
  CHECK(ir::print(placed(out).extents.at("producer")[0]) == "19");
  CHECK(placed(out).nests.size() == 4);
}

TEST_CASE("place: an output without bound() has extents that are arguments") {
  Func out("out");
  out(y, x) = y + x;
  CHECK(nests(out) == normalized(R"(
    for out.y in [0, out_extent_0) {
      for out.x in [0, out_extent_1) { store out[out.y, out.x] = out.x + out.y }
    })"));
}

TEST_CASE("place: RoundUp enlarges the storage of what is not the output") {
  Stencil s;
  s.producer.compute_root().split(x, xo, xi, 4, Tail::RoundUp);
  CHECK(ir::print(placed(s.consumer).extents.at("producer")[0]) == "12");
}

TEST_CASE("place: RoundUp of a fixed extent is refused") {
  Stencil s;
  s.consumer.bound({10}).split(x, xo, xi, 4, Tail::RoundUp);
  CHECK(error(s.consumer) ==
        "consumer: Tail::RoundUp needs 12 elements in dimension 0, but its extent is fixed at 10; use "
        "Tail::Guard, an extent that the factor divides, or a layout that pads it");
  Stencil bounded;
  bounded.producer.compute_root().bound({16}).split(x, xo, xi, 5, Tail::RoundUp);
  bounded.consumer(0) = 0;
  CHECK(error(bounded.consumer) ==
        "producer.bound: its consumers read [-1, 9) of dimension 0, but the bound is 16; enlarge or drop it");
}

TEST_CASE("place: a bound that is smaller than what is read is refused") {
  Func f("f"), out("out");
  f(x) = x;
  out(x) = f(x) + f(x + 2);
  out.bound({8});
  f.compute_root().bound({9});
  CHECK(error(out) ==
        "f.bound: its consumers read [0, 10) of dimension 0, but the bound is 9; enlarge or drop it");
  f.bound({10});
  CHECK(error(out) == "no error");
}

TEST_CASE("place: compute_at of the output is refused") {
  Stencil s;
  Func other("other");
  other(x) = s.consumer(x);
  s.consumer.compute_at(other, x);
  CHECK(error(s.consumer) ==
        "consumer.compute_at(other, x): an output of the pipeline must be computed at the root");
}

TEST_CASE("place: compute_at a Func that is not there is refused") {
  Stencil s;
  Func other("other");
  other(x) = s.producer(x);
  s.producer.compute_at(other, x);
  CHECK(error(s.consumer) ==
        "producer.compute_at(other, x): the loops of other are not part of this pipeline, because the Func "
        "is inlined; give it compute_root or compute_at");
}

TEST_CASE("place: compute_at a consumer that is inlined is refused") {
  Stencil s;
  Func out("out");
  out(x) = s.consumer(x);
  out.bound({4});
  s.producer.compute_at(s.consumer, x);
  CHECK(error(out) ==
        "producer.compute_at(consumer, x): the loops of consumer are not part of this pipeline, because the "
        "Func is inlined; give it compute_root or compute_at");
}

TEST_CASE("place: compute_at a loop that does not enclose every use is refused") {
  Stencil s;
  Func other("other"), out("out");
  other(x) = s.producer(x);
  other.compute_root();
  s.consumer.compute_root();
  out(x) = other(x) + s.consumer(x);
  out.bound({8});
  s.producer.compute_at(s.consumer, x);
  CHECK(error(out) ==
        "producer.compute_at(consumer, x): producer is also read outside that loop, by other; name a loop "
        "further out, or use compute_root");
}

TEST_CASE("place: compute_at a loop that a later definition of the consumer reads outside is refused") {
  Func f("f"), out("out");
  f(x) = x;
  out(x) = f(x);
  out(x) += f(x);
  out.bound({8});
  f.compute_at(out, x);
  CHECK(error(out) ==
        "f.compute_at(out, x): f is also read outside that loop, by out; name a loop further out, or use "
        "compute_root");
}

TEST_CASE("place: compute_at a loop whose body does not read the Func is refused") {
  Func f("f"), out("out");
  f(x) = x;
  out(x) = 0;
  out(x) += f(x);
  out.bound({8});
  f.compute_at(out, x);
  CHECK(error(out) == "f.compute_at(out, x): nothing inside that loop reads f");
  f.compute_at(out.update(), x);
  CHECK(error(out) == "no error");
}

}  // namespace tensordsl::lower
