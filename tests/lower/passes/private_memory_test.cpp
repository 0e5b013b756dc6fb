// Tiles in private memory that no work-item has room for.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

/// Each of `items` work-items of a group keeps a tile of `elements` f32, of which it reads one.
Func with_tile(int elements, int items = 16) {
  const Var x("x"), k("k"), xo("xo"), xi("xi");
  const Input in("in", Int(32), {64});
  Func tile("tile"), out("out");
  tile(x, k) = cast(Float(32), x + k);
  out(x) = tile(x, clamp(in(x), 0, elements - 1));
  out.bound({64}).split(x, xo, xi, items, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  tile.compute_at(out, xi).store_in(Private);
  return out;
}

constexpr int kMostElements = kPrivateMemoryBytes / 4;

}  // namespace

TEST_CASE("private memory: a tile that no device has room for is refused with its size and what to do") {
  CHECK(error_of([] { Pipeline(with_tile(25'000'000)).compile(); }) ==
        "tile: kernel out needs 100000000 bytes of private memory per work-item, most of them for tile, and "
        "the limit is 8388608; compute a smaller part of tile at once, or use store_in(Local) or "
        "compute_root()");
  CHECK(error_of([] {
          Pipeline(with_tile(kMostElements + 1)).compile();
        }).starts_with("tile: kernel out needs 8388612 bytes "));
  CHECK(Pipeline(with_tile(kMostElements)).compile().kernels[0].resources.private_bytes ==
        kPrivateMemoryBytes);
}

TEST_CASE("private memory: what a device says of itself counts") {
  DeviceInfo device = some_device();
  CHECK_NOTHROW(Pipeline(with_tile(kMostElements)).compile(device));
  device.private_memory_bytes = 1000;
  CHECK_NOTHROW(Pipeline(with_tile(250)).compile(device));
  CHECK(error_of([&] { Pipeline(with_tile(251)).compile(device); }) ==
        "tile: kernel out needs 1004 bytes of private memory per work-item, most of them for tile, and the "
        "limit is 1000; compute a smaller part of tile at once, or use store_in(Local) or compute_root()");
}

TEST_CASE("private memory: work-items that share it have room together") {
  DeviceInfo device = some_device();
  device.group_private_memory_bytes = 16000;
  CHECK_NOTHROW(Pipeline(with_tile(250, 16)).compile(device));
  CHECK_NOTHROW(Pipeline(with_tile(1000, 4)).compile(device));
  CHECK(error_of([&] { Pipeline(with_tile(1000, 8)).compile(device); }) ==
        "tile: kernel out needs 4000 bytes of private memory per work-item, most of them for tile, and the "
        "device has 16000 for all 8 work-items of a group; compute a smaller part of tile at once, split the "
        "gpu_threads loops by smaller factors, or use store_in(Local) or compute_root()");
}

TEST_CASE("private memory: of several tiles the largest is named, and their sum counts") {
  const Var x("x"), k("k");
  const Input in("in", Int(32), {64});
  Func small("small"), large("large"), out("out");
  small(k) = k;
  large(k) = k * 2;
  out(x) = small(clamp(in(x), 0, 99)) + large(clamp(in(x), 0, 199));
  out.bound({64}).gpu_blocks(x);
  small.compute_at(out, x).store_in(Private);
  large.compute_at(out, x).store_in(Private);
  DeviceInfo device = some_device();
  device.private_memory_bytes = 1200;
  CHECK_NOTHROW(Pipeline(out).compile(device));
  device.private_memory_bytes = 1199;
  CHECK(error_of([&] { Pipeline(out).compile(device); }) ==
        "large: kernel out needs 1200 bytes of private memory per work-item, most of them for large, and the "
        "limit is 1199; compute a smaller part of large at once, or use store_in(Local) or compute_root()");
}

}  // namespace tensordsl
