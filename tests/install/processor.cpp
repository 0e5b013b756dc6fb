// A program that computes only with this machine's processor.
#include <cstdio>
#include <exception>

#include "tensordsl/host.h"
#include "tensordsl/tensordsl.h"

int main() try {
  using namespace tensordsl;
  const Var x("x");
  const Input numbers("numbers", Int(32), {1000});
  Func squares("squares");
  squares(x) = numbers(x) * numbers(x);
  squares.bound({1000}).vectorize(x, 8).gpu_blocks(x);
  Buffer given(Int(32), {1000});
  for (int i = 0; i < 1000; ++i) given.set_int(i, i - 500);
  const auto device = open_host_device();
  const Buffer result = Pipeline(squares).realize({{"numbers", given}}, *device);
  for (int i = 0; i < 1000; ++i) {
    if (result.get_int(i) != (i - 500) * (i - 500)) return 1;
  }
  std::printf("%s\n", device->info().name.c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
