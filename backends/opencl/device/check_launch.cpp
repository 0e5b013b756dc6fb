#include "backends/opencl/device/check_launch.h"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "backends/opencl/device/device_objects.h"
#include "base/index_limit.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

using BufferPointer = std::shared_ptr<DeviceBuffer>;

std::string kind_text(const KernelArgumentValue& value) {
  if (std::holds_alternative<std::int32_t>(value)) return "a scalar of i32";
  if (std::holds_alternative<std::int64_t>(value)) return "a scalar of i64";
  if (std::holds_alternative<float>(value)) return "a scalar of f32";
  return "a buffer";
}

bool has_kind(const KernelArgumentValue& value, const KernelArgument& argument) {
  if (argument.kind == KernelArgument::Kind::Buffer) return std::holds_alternative<BufferPointer>(value);
  if (argument.type == Int(32)) return std::holds_alternative<std::int32_t>(value);
  if (argument.type == Int(64)) return std::holds_alternative<std::int64_t>(value);
  return argument.type == Float(32) && std::holds_alternative<float>(value);
}

ParamValues integers_of(const KernelSource& source, const Launch& launch) {
  ParamValues values;
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    if (const auto* v = std::get_if<std::int32_t>(&launch.arguments[i]))
      values.insert_or_assign(source.arguments[i].name, *v);
    if (const auto* v = std::get_if<std::int64_t>(&launch.arguments[i]))
      values.insert_or_assign(source.arguments[i].name, *v);
  }
  return values;
}

void check_buffer(const BufferPointer& given, const KernelArgument& argument, const ParamValues& values,
                  const std::string& place, cl_context context) {
  if (!given) throw DeviceError(fmt::format("{}: no buffer was given", place));
  const auto* buffer = dynamic_cast<const OpenClBuffer*>(given.get());
  if (buffer == nullptr || buffer->context != context) {
    throw DeviceError(fmt::format("{}: the buffer is another device's", place));
  }
  std::int64_t elements = 0;
  try {
    elements = evaluate(argument.elements, values);
  } catch (const Error& e) {
    throw DeviceError(
        fmt::format("{}: its size \"{}\" cannot be told: {}", place, argument.elements, e.what()));
  }
  if (elements > kMostElements) {
    throw DeviceError(fmt::format("{}: {} elements are more than a kernel can index, which is {}; split the tensor", place,
                                  elements, kMostElements));
  }
  if (elements > static_cast<std::int64_t>(buffer->size) / argument.type.bytes()) {
    throw DeviceError(fmt::format("{}: the kernel needs {} elements of {} bytes, the buffer has {} bytes",
                                  place, elements, argument.type.bytes(), buffer->size));
  }
}

void check_groups(const KernelSource& source, const std::array<std::int64_t, 3>& groups) {
  constexpr std::int64_t kMostItems =
      std::numeric_limits<std::int32_t>::max();  // kernels compute indices in i32
  for (std::size_t d = 0; d < 3; ++d) {
    if (groups[d] < 0 || groups[d] > kMostItems / source.launch.group_size[d]) {
      throw DeviceError(fmt::format(
          "kernel {}: {} work-groups of {} items in dimension {}; from 0 to {} are possible", source.entry,
          groups[d], source.launch.group_size[d], d, kMostItems / source.launch.group_size[d]));
    }
  }
}

}  // namespace

void check_launch(const Launch& launch, cl_context context) {
  if (!launch.kernel) throw DeviceError("record: a launch has no kernel");
  const KernelSource& source = launch.kernel->source();
  const auto* kernel = dynamic_cast<const OpenClKernel*>(launch.kernel.get());
  if (kernel == nullptr || kernel->context != context) {
    throw DeviceError(fmt::format("kernel {}: it was built for another device", source.entry));
  }
  if (launch.arguments.size() != source.arguments.size()) {
    throw DeviceError(fmt::format("kernel {}: it has {} arguments, {} were given", source.entry,
                                  source.arguments.size(), launch.arguments.size()));
  }
  const auto place = [&](std::size_t i) {
    return fmt::format("kernel {}, argument {} \"{}\"", source.entry, i, source.arguments[i].name);
  };
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    const KernelArgument& argument = source.arguments[i];
    if (!has_kind(launch.arguments[i], argument)) {
      throw DeviceError(fmt::format("{}: a {} of {} is expected, {} was given", place(i),
                                    argument.kind == KernelArgument::Kind::Buffer ? "buffer" : "scalar",
                                    to_string(argument.type), kind_text(launch.arguments[i])));
    }
  }
  const ParamValues values = integers_of(source, launch);
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    if (const auto* buffer = std::get_if<BufferPointer>(&launch.arguments[i])) {
      check_buffer(*buffer, source.arguments[i], values, place(i), context);
    }
  }
  check_groups(source, launch.groups);
}

}  // namespace tensordsl::opencl
