// Tests the errors of a launcher, and that its name can be one of the C library's.
#include <stdlib.h>
#include <time.h>

#include <cmath>
#include <functional>
#include <string>

#include "abs.h"
#include "conv2d_texels_adreno640.h"
#include "exp.h"
#include "generator/standalone/host.h"
#include "size_t.h"
#include "weighted_any.h"

namespace {

namespace sizes = kernels::exp::detail;

bool all_hold = true;

void holds(bool condition, const std::string& sentence) {
  std::printf("%s: %s\n", sentence.c_str(), condition ? "ok" : "WRONG");
  all_hold = all_hold && condition;
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

void says(const std::string& found, const std::string& expected, const std::string& sentence) {
  holds(found == expected, sentence);
  if (found != expected) std::printf("  found:    %s\n  expected: %s\n", found.c_str(), expected.c_str());
}

void check_sizes() {
  const std::string refused = "a size does not fit into 64 bits";
  says(error_of([] { sizes::plus(INT64_MAX, 1); }), refused, "a sum that is too large is refused");
  says(error_of([] { sizes::plus(INT64_MIN, -1); }), refused, "a sum that is too small is refused");
  says(error_of([] { sizes::minus(INT64_MIN, 1); }), refused, "a difference that is too small is refused");
  says(error_of([] { sizes::minus(0, INT64_MIN); }), refused, "a difference that is too large is refused");
  says(error_of([] { sizes::times(INT64_MAX / 2 + 1, 2); }), refused,
       "a product that is too large is refused");
  says(error_of([] { sizes::times(-1, INT64_MIN); }), refused,
       "the smallest number has no positive counterpart");
  says(error_of([] { sizes::floor_div(INT64_MIN, -1); }), refused, "nor as a quotient");
  says(error_of([] { sizes::wide(std::uint64_t{1} << 63); }), refused, "a u64 beyond i64 is refused");
  holds(sizes::plus(INT64_MAX, INT64_MIN) == -1 && sizes::minus(-1, INT64_MIN) == INT64_MAX &&
            sizes::times(INT64_MIN, 1) == INT64_MIN && sizes::times(-2, INT64_MAX / 2) == INT64_MIN + 2,
        "sizes that just fit are computed");
  holds(sizes::floor_div(-7, 2) == -4 && sizes::floor_div(7, -2) == -4 && sizes::floor_mod(-7, 2) == 1 &&
            sizes::floor_mod(7, -2) == -1 && sizes::floor_mod(INT64_MIN, -1) == 0 &&
            sizes::floor_div(5, 0) == 0 && sizes::floor_mod(5, 0) == 0,
        "quotients round toward minus infinity");
}

void check_memory(const Host& host) {
  const std::string remedy = "; create it with create_X() of this launcher and its Params";
  kernels::exp::Params params;
  params.count = 5;
  params.factor = 2;
  kernels::exp::Launcher launcher(host.context, host.device, params);
  const auto in = launcher.create_in(), out = launcher.create_out();
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7};
  std::vector<float> results(5);
  launcher.write_in(host.queue, in, values.data());
  says(error_of([&] { launcher.run(host.queue, nullptr, out); }), "the memory for \"in\" is null" + remedy,
       "null is refused");
  params.count = 7;
  launcher.set_params(params);
  says(error_of([&] { launcher.run(host.queue, launcher.create_in(), out); }),
       "the memory for \"out\" has 20 bytes, but needs 28" + remedy, "memory of other sizes is refused");
  says(error_of([&] { launcher.write_in(host.queue, in, values.data()); }),
       "the memory for \"in\" has 20 bytes, but needs 28" + remedy, "so it is where it is written");
  says(error_of([&] { launcher.read_out(host.queue, out, results.data()); }),
       "the memory for \"out\" has 20 bytes, but needs 28" + remedy, "and where it is read");
  params.count = 5;
  launcher.set_params(params);
  kernels::exp::Launcher moved = std::move(launcher);
  moved.run(host.queue, in, out);
  moved.read_out(host.queue, out, results.data());
  holds(results[4] == 10, "a launcher can be moved");
  moved = kernels::exp::Launcher(host.context, host.device, {3, 4});
  moved.run(host.queue, in, out);
  moved.read_out(host.queue, out, results.data());
  holds(results[2] == 12 && results[4] == 10, "and assigned");
}

kernels::conv2d_texels_adreno640::Memory image(const Host& host, std::size_t width, cl_channel_type type) {
  const cl_image_format format{CL_RGBA, type};
  cl_image_desc what{};
  what.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  what.image_width = width;
  what.image_height = 7;
  what.image_array_size = 2;
  cl_int status = CL_SUCCESS;
  return kernels::conv2d_texels_adreno640::Memory(
      clCreateImage(host.context, CL_MEM_READ_WRITE, &format, &what, nullptr, &status));
}

void check_images(const Host& host) {
  const std::string remedy = "; create it with create_X() of this launcher and its Params";
  const kernels::conv2d_texels_adreno640::Launcher texels(host.context, host.device);
  const kernels::weighted_any::Launcher buffers(host.context, host.device);
  const auto weights = texels.create_weights(), bias = texels.create_bias(), out = texels.create_out();
  const auto with = [&](cl_mem in) {
    return error_of([&] { texels.run(host.queue, in, weights, bias, out); });
  };
  says(with(image(host, 9, CL_FLOAT)),
       "the memory for \"in\" has 9 x 7 x 2 texels, but needs 10 x 7 x 2" + remedy,
       "an image that is too small is refused");
  says(with(image(host, 10, CL_HALF_FLOAT)), "the memory for \"in\" is an image of another format" + remedy,
       "so is one of another format");
  says(with(bias),
       "the memory for \"in\" is a buffer, or an image of another kind; an image is needed" + remedy,
       "and a buffer in place of an image");
  says(error_of([&] { buffers.run(host.queue, texels.create_in(), buffers.create_vNULL()); }),
       "the memory for \"Chain\" is an image; a buffer is needed" + remedy,
       "an image in place of a buffer is refused");
}

}  // namespace

int main() {
  const Host host;
  check_sizes();
  check_memory(host);
  check_images(host);
  holds(exp(0.0) == 1 && kernels::size_t::Params().count == 0 && kernels::abs::Params().count == 0,
        "launchers are called as functions and types of C are");
  return all_hold ? 0 : 1;
}
