// Tests that the OpenCL text of every golden kernel is that of tests/golden/NAME.cl, and its results are the
// interpreter's. After an intended change of the text, TENSORDSL_UPDATE_GOLDEN=1
// build/release/bin/test_golden rewrites the files.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "golden/kernels.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/buffers.h"
#include "support/source_dir.h"

namespace tensordsl::golden {
namespace {

const std::filesystem::path kFolder = source_dir() / "tests" / "golden";

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string opencl_text(const GoldenKernel& kernel) {
  std::string text;
  for (const KernelSource& source : Pipeline(kernel.output).compile().kernels) {
    if (!text.empty()) text += '\n';
    text += source.text;
  }
  return text;
}

/// Small integers and quarters, negative ones too: exact in every type.
Buffer some_values(const Input& input, const ParamValues& params) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape()) {
    const std::string text = to_string(extent);
    const auto param = params.find(text);
    shape.push_back(param == params.end() ? std::stoll(text) : param->second.integer());
  }
  Buffer buffer(input.type(), shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    const std::int64_t value = i * 37 % 41 - (input.type().is_uint() ? 0 : 20);
    buffer.set(i, static_cast<double>(value) * (input.type().is_float() ? 0.25 : 1));
  }
  return buffer;
}

/// The output's shape over the params.
std::vector<std::int64_t> shape_of(const GoldenKernel& kernel) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : kernel.output.contents().schedule.bounds) {
    const std::string text = to_string(extent);
    const auto param = kernel.params.find(text);
    shape.push_back(param == kernel.params.end() ? std::stoll(text) : param->second.integer());
  }
  return shape;
}

}  // namespace

TEST_CASE("golden: the OpenCL text is the one kept") {
  const char* update = std::getenv("TENSORDSL_UPDATE_GOLDEN");
  for (const GoldenKernel& kernel : golden_kernels()) {
    const std::filesystem::path path = kFolder / (kernel.name + ".cl");
    const std::string text = opencl_text(kernel), kept = read(path);
    if (update != nullptr && *update != '\0') {
      if (text != kept) std::ofstream(path, std::ios::binary) << text;
      continue;
    }
    INFO("to accept the new text: TENSORDSL_UPDATE_GOLDEN=1 build/release/bin/test_golden");
    CHECK_MESSAGE(text == kept, kernel.name);
  }
}

TEST_CASE("golden: every kept file belongs to a kernel") {
  std::set<std::string> names;
  for (const GoldenKernel& kernel : golden_kernels()) names.insert(kernel.name + ".cl");
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".cl") files.insert(entry.path().filename().string());
  }
  CHECK(files == names);
}

TEST_CASE("golden: compiling twice gives the same text") {
  const auto first = golden_kernels(), second = golden_kernels();
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK_MESSAGE(opencl_text(first[i]) == opencl_text(second[i]), first[i].name);
    CHECK_MESSAGE(opencl_text(first[i]) == opencl_text(first[i]), first[i].name);
  }
}

namespace {

int most_work_items(const GoldenKernel& kernel) {
  int most = 0;
  for (const KernelSource& source : Pipeline(kernel.output).compile().kernels) {
    const auto& group = source.launch.group_size;
    most = std::max(most, group[0] * group[1] * group[2]);
  }
  return most;
}

}  // namespace

TEST_CASE("golden: a device computes what the interpreter does") {
  const auto device = Device::open();
  for (const GoldenKernel& kernel : golden_kernels()) {
    INFO(kernel.name);
    std::map<std::string, Buffer> inputs;
    for (const Input& input : kernel.inputs) inputs[input.name()] = some_values(input, kernel.params);
    const std::string text = opencl_text(kernel);
    const bool lacks_sub_groups =
        text.find("cl_khr_subgroups") != std::string::npos && !device->info().has_sub_groups;
    const bool lacks_shuffle =
        text.find("sub_group_shuffle") != std::string::npos && !device->info().has_sub_group_shuffle;
    const bool lacks_fp16 =
        text.starts_with("#pragma OPENCL EXTENSION cl_khr_fp16 : enable") && !device->info().has_fp16;
    if (lacks_sub_groups || lacks_shuffle || lacks_fp16) {
      CHECK_THROWS_AS(Pipeline(kernel.output).realize(inputs, *device, kernel.params), ScheduleError);
      continue;
    }
    Buffer found;
    try {
      found = Pipeline(kernel.output).realize(inputs, *device, kernel.params);
    } catch (const DeviceError& e) {
      // Every device has room for 16 work-items with what these kernels keep.
      const std::string error = e.what();
      const bool is_too_large = error.find("for this kernel; a work-group of ") != std::string::npos;
      if (!is_too_large || most_work_items(kernel) <= 16) throw;
      MESSAGE(error);
      continue;
    }
    const Buffer expected =
        runtime::interpret(kernel.output.shared(), shape_of(kernel), {inputs, kernel.params});
    REQUIRE(found.shape() == expected.shape());
    const double largest = testing::largest_magnitude(expected);
    CHECK(largest > 0);
    // A device may fuse a multiplication and an addition, and its exp may differ in the last bits.
    CHECK(testing::largest_difference(found, expected) <= (expected.type() == Float(32)   ? 1e-6 * largest
                                                           : expected.type() == Float(16) ? 1e-3 * largest
                                                                                          : 0));
  }
}

}  // namespace tensordsl::golden
