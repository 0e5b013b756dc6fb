// A measuring worker without a device, for tests of those that use one: odd_worker HOW [FILE].
//
// It answers every order with 10 us for the first program, 11 for the second, .., but for what HOW says of
// the program that has the name "bad":
//   right      nothing
//   wrong      it computes something else
//   dies       it ends the worker, whenever it is built
//   dies-once  it ends the worker the first time: FILE is where that is remembered
//   hangs      nothing more is heard
//   loses      the device fails with it
// and HOW may also be: silent (it never says hello), exits, refuses, babbles, newer, garbage (an answer that
// is not a message), short (an answer for too few programs).
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "measure/worker_protocol.h"

namespace {

using namespace tensordsl::measure;

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

bool is_bad(const Order& order, std::size_t i) {
  return order.request.programs[i] && order.request.programs[i]->name == "bad";
}

[[noreturn]] void die() {
  std::fputs("assertion failed: the driver is what it is\n", stderr);
  raise(SIGKILL);
  std::abort();
}

void answer(const Order& order, const std::string& how, const std::string& file) {
  Answer answer{order.id, {}};
  answer.timed.programs.resize(order.request.programs.size());
  say(to_line(At{order.id, 0, "building"}));
  for (std::size_t i = 0; i < order.request.programs.size(); ++i) {
    if (!order.request.programs[i]) continue;
    if (order.one_by_one) say(to_line(At{order.id, i, "building"}));
    if (!is_bad(order, i)) continue;
    if (how == "dies") die();
    if (how == "dies-once" && !std::filesystem::exists(file)) {
      std::ofstream(file) << "x";
      die();
    }
  }
  for (std::size_t i = 0; i < order.request.programs.size(); ++i) {
    if (!order.request.programs[i]) continue;
    say(to_line(At{order.id, i, "running"}));
    Measured& measured = answer.timed.programs[i];
    if (is_bad(order, i) && how == "hangs") pause();
    if (is_bad(order, i) && how == "wrong") {
      measured.failure = "element 0 of output 0 is 1, but should be 2";
      measured.is_wrong = true;
    } else if (is_bad(order, i) && how == "loses") {
      measured.failure = "CL_OUT_OF_RESOURCES";
      answer.timed.is_device_lost = true;
      break;
    } else {
      measured.us = 10 + static_cast<double>(i);
    }
  }
  if (how == "short") answer.timed.programs.clear();
  say(how == "garbage" ? "{\"measured\": 1}" : to_line(answer));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "right", file = argc > 2 ? argv[2] : "";
  if (how == "silent") pause();
  if (how == "exits") return 3;
  if (how == "refuses") say(to_line(WorkerError{"there is no device \"gpu\""}));
  if (how == "babbles") say("Hello, world!");
  Hello hello{kProtocol, {"a device", "1.0", "0.1.0"}};
  if (how == "newer") hello.protocol = 99;
  say(to_line(hello));
  for (std::string line; std::getline(std::cin, line);) answer(order_from_line(line), how, file);
  return 0;
}
