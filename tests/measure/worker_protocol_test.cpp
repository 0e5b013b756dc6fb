// Tests that messages survive the round trip, and that malformed ones are refused.
#include "measure/worker_protocol.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "measure/some_programs.h"
#include "tensordsl/error.h"

namespace tensordsl::measure {
namespace {

Order some_order() {
  Order order{7, true, {}};
  order.request.programs = {named_program("a"), nullptr};
  order.request.expected.tolerance = 1e-2;
  order.request.expected.elements = {{0, 5, 1.25}, {1, 0, INFINITY}, {0, 6, -INFINITY}};
  return order;
}

}  // namespace

TEST_CASE("protocol: an order is a line, and is read as it was written") {
  const Order order = some_order();
  const std::string line = to_line(order);
  CHECK(line.find('\n') == std::string::npos);
  const Order again = order_from_line(line);
  CHECK(again.id == 7);
  CHECK(again.one_by_one);
  CHECK(again.request.expected == order.request.expected);
  REQUIRE(again.request.programs.size() == 2);
  CHECK(again.request.programs[0]->name == "a");
  CHECK(!again.request.programs[1]);
  CHECK(!again.request.between);
}

TEST_CASE("protocol: an expected value that is no number stays none") {
  Order order = some_order();
  order.request.expected.elements = {{0, 0, std::nan("")}};
  CHECK(std::isnan(order_from_line(to_line(order)).request.expected.elements[0].value));
}

TEST_CASE("protocol: messages are read as they were written") {
  const Answer answer{3, {{{2.5, "", false}, {std::nullopt, "no \n line", true}, {}}, true}};
  const std::string line = to_line(answer);
  CHECK(line == R"({"measured":{"id":3,"lost":true,"programs":)"
                R"([{"us":2.5},{"failure":"no \n line","wrong":true},{}]}})");
  const auto again = std::get<Answer>(message_from_line(line));
  CHECK(again.id == 3);
  CHECK(again.timed.is_device_lost);
  CHECK(again.timed.programs == answer.timed.programs);
  CHECK(std::get<WorkerError>(message_from_line(to_line(WorkerError{"no"}))).what == "no");
  const auto at = std::get<At>(message_from_line(to_line(At{3, 1, "building"})));
  CHECK(at.doing == "building");
  const auto hello = std::get<Hello>(message_from_line(to_line(Hello{kProtocol, {"d", "e", "f"}})));
  CHECK(hello.device == records::DeviceKey{"d", "e", "f"});
}

TEST_CASE("protocol: no change of a byte does more than give an error") {
  const std::string order = to_line(some_order()),
                    answer = to_line(Answer{3, {{{2.5, "", false}, {std::nullopt, "no", true}, {}}, true}});
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    for (std::string line : {order, answer}) {
      line[random() % line.size()] = static_cast<char>(random() % 256);
      if (random() % 4 == 0) line.resize(random() % line.size());
      try {
        order_from_line(line);
      } catch (const ParseError&) {
      }
      try {
        message_from_line(line);
      } catch (const ParseError&) {
      }
    }
  }
}

}  // namespace tensordsl::measure
