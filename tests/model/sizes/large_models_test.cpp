// Models that no memory is large enough for.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// The sum of `count` weights of `elements` floats, whose file is absent.
OnnxModel with_weights(int count, std::int64_t elements) {
  OnnxModel m;
  m.input("x", {1});
  std::string last = "x";
  for (int i = 0; i < count; ++i) {
    const std::string weight = "w" + std::to_string(i), sum = "s" + std::to_string(i);
    auto& tensor = m.initializer(weight, {elements}, ::onnx::TensorProto::FLOAT);
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    auto* entry = tensor.add_external_data();
    entry->set_key("location");
    entry->set_value("absent.bin");
    m.node("Add", {last, weight}, {sum});
    last = sum;
  }
  m.output(last);
  return m;
}

}  // namespace

TEST_CASE("large models: a terabyte of weights is refused before one is made") {
  ModelOptions options;
  options.random_weights = true;
  CHECK_THROWS_WITH_AS(
      load_model(with_weights(256, std::int64_t{1} << 30), options),
      doctest::Contains(
          ": its initializers need 1099511627776 bytes (1.0 TiB), but the limit is 8589934592 bytes (8.0 "
          "GiB); the largest are \"w0\" f32[1073741824], 4294967296 bytes (4.0 GiB); \"w1\" "),
      ModelError);
}

TEST_CASE("large models: weights that the device has no memory for are refused before one is made") {
  ModelOptions options;
  options.random_weights = true;
  DeviceInfo info;
  info.name = "Small";
  info.global_memory_bytes = std::int64_t{3} << 30;
  info.max_allocation_bytes = std::int64_t{1} << 30;
  int asked = 0;
  options.device = [&] {
    ++asked;
    return info;
  };
  CHECK_THROWS_WITH_AS(
      load_model(with_weights(7, std::int64_t{1} << 27), options),
      doctest::Contains(
          ": device memory: the program needs 3758096384 bytes (3.5 GiB), but Small has 3221225472 bytes "
          "(3.0 GiB); the largest tensors are \"w0\" f32[134217728], 536870912 bytes (512.0 MiB); "),
      ModelError);
  CHECK_THROWS_WITH_AS(load_model(with_weights(1, std::int64_t{1} << 29), options),
                       doctest::Contains(": device memory: a tensor needs 2147483648 bytes (2.0 GiB), but "
                                         "the largest allocation of Small is 1073741824 bytes (1.0 GiB); "),
                       ModelError);
  options.precision = Precision::Float16;  // half of that
  CHECK_THROWS_WITH_AS(
      load_model(with_weights(1, std::int64_t{1} << 30), options),
      doctest::Contains("\"w0\" f16[1073741824], 2147483648 bytes (2.0 GiB); reduce the sizes"), ModelError);
  CHECK(asked == 3);
  CHECK_NOTHROW(load_model(with_weights(2, 10), options));
  CHECK(asked == 3);
}
