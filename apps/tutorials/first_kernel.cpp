// The program of docs/tutorials/FIRST_KERNEL.md.
#include <tensordsl/tensordsl.h>

#include <cstdio>

using namespace tensordsl;

int main() try {
  // [define]
  Var y("y"), x("x");
  Input image("image", Float(32), {480, 640});
  Func blur("blur");
  blur(y, x) = (image(y, x) + image(y, x + 1) + image(y, x + 2)) / 3.0f;
  blur.bound({480, 638});
  // [end]

  // [interpret]
  Buffer picture(Float(32), {480, 640});
  for (std::int64_t i = 0; i < picture.elements(); ++i) picture.set(i, static_cast<double>(i % 640) / 64);
  const Buffer wanted = Pipeline(blur).interpret({{"image", picture}}).front();
  std::printf("by the definition, at row 7, column 10: %.4f\n", wanted.get(7 * 638 + 10));
  // [end]

  // [schedule]
  Var xo("xo"), xi("xi");
  blur.split(x, xo, xi, 4).vectorize(xi).gpu_tile(xo, y, {16, 4});
  Pipeline pipeline(blur);
  std::printf("%s\n", pipeline.print_loop_nest().c_str());
  // [end]

  // [run]
  const std::shared_ptr<Device> device = Device::open();
  const Buffer found = pipeline.realize({{"image", picture}}, *device);
  int wrong = 0;
  for (std::int64_t i = 0; i < found.elements(); ++i) wrong += std::abs(found.get(i) - wanted.get(i)) > 1e-5;
  std::printf("on %s: %d of %d pixels are wrong\n", device->info().name.c_str(), wrong,
              static_cast<int>(found.elements()));
  // [end]

  // [write]
  pipeline.write_cl("blur");
  // [end]
  return wrong == 0 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
