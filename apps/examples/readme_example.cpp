#include <tensordsl/tensordsl.h>

#include <cmath>
#include <cstdio>

using namespace tensordsl;

int main() try {
  const int N = 96;
  Input a("a", Float(32), {N, N}), b("b", Float(32), {N, N});
  Var y("y"), x("x"), yo("yo"), yi("yi"), xo("xo"), xi("xi");
  RDom k({{0, N}}, "k");
  Func product("product"), out("out");
  product(y, x) += a(y, k) * b(k, x);    // What: a matrix product ...
  out(y, x) = max(product(y, x), 0.0f);  // ... and a ReLU.

  // How: one work-item computes a tile of 4 x 8 results, which stays in four float8 variables.
  out.bound({N, N}).tile(y, x, yo, xo, yi, xi, 4, 8).unroll(yi).vectorize(xi).gpu_blocks(xo, yo);
  product.compute_at(out, xo).unroll(y).vectorize(x);
  product.update().reorder({k[0], y, x}).unroll(y).vectorize(x);

  Buffer A(Float(32), {N, N}), B(Float(32), {N, N});
  for (int i = 0; i < N * N; ++i) A.set(i, std::sin(i)), B.set(i, std::cos(i));
  const Pipeline pipeline(out);
  std::puts(pipeline.emit("cl").c_str());
  const Buffer result = pipeline.realize({{"a", A}, {"b", B}}, *Device::open());

  int wrong = 0;
  for (int i = 0; i < N * N; ++i) {
    double sum = 0;
    for (int j = 0; j < N; ++j) sum += A.get(i / N * N + j) * B.get(j * N + i % N);
    if (!(std::fabs(std::fmax(sum, 0) - result.get(i)) < 1e-4)) ++wrong;
  }
  std::printf("%d of %d results differ from plain loops\n", wrong, N * N);
  return wrong == 0 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
