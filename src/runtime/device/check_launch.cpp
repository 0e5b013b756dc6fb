#include "runtime/device/check_launch.h"

#include <fmt/format.h>

#include <concepts>
#include <limits>
#include <map>
#include <optional>

#include "base/index_limit.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using BufferPointer = std::shared_ptr<DeviceBuffer>;
using ImagePointer = std::shared_ptr<DeviceImage>;

/// Returns the type of a number; none for memory.
std::optional<Type> scalar_type(const KernelArgumentValue& value) {
  return std::visit(
      []<typename T>(const T&) -> std::optional<Type> {
        constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
        if constexpr (std::floating_point<T>) {
          return Float(kBits);
        } else if constexpr (std::unsigned_integral<T>) {
          return UInt(kBits);
        } else if constexpr (std::integral<T>) {
          return Int(kBits);
        } else {
          return std::nullopt;
        }
      },
      value);
}

std::string kind_text(const KernelArgumentValue& value) {
  if (const auto type = scalar_type(value)) return "a scalar of " + to_string(*type);
  return std::holds_alternative<ImagePointer>(value) ? "an image" : "a buffer";
}

const char* kind_name(KernelArgument::Kind kind) {
  switch (kind) {
    case KernelArgument::Kind::Buffer:
      return "a buffer";
    case KernelArgument::Kind::Image:
      return "an image";
    case KernelArgument::Kind::Scalar:
      return "a scalar";
  }
  return "?";
}

bool has_kind(const KernelArgumentValue& value, const KernelArgument& argument) {
  if (argument.kind == KernelArgument::Kind::Buffer) return std::holds_alternative<BufferPointer>(value);
  if (argument.kind == KernelArgument::Kind::Image) return std::holds_alternative<ImagePointer>(value);
  return scalar_type(value) == argument.type;
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
                  const std::string& place, const LaunchOwner& owner) {
  if (!given) throw DeviceError(fmt::format("{}: the buffer is null", place));
  const std::optional<std::int64_t> alignment = owner.alignment_of(*given);
  if (!alignment) throw DeviceError(fmt::format("{}: the buffer belongs to another device", place));
  if (argument.alignment > *alignment) {
    throw DeviceError(
        fmt::format("{}: the kernel needs a buffer aligned to {} bytes, but the device aligns buffers to {}; "
                    "compile it with disable_pass(\"align_accesses\")",
                    place, argument.alignment, *alignment));
  }
  std::int64_t elements = 0;
  try {
    elements = evaluate(argument.elements, values);
  } catch (const Error& e) {
    throw DeviceError(fmt::format("{}: cannot evaluate its size \"{}\": {}", place,
                                  to_string(argument.elements), e.what()));
  }
  if (elements > kMaxElements) {
    throw DeviceError(
        fmt::format("{}: {} elements exceed the limit of a kernel's index, {}; split the tensor", place,
                    elements, kMaxElements));
  }
  if (elements > static_cast<std::int64_t>(given->size_bytes()) / argument.type.bytes()) {
    throw DeviceError(fmt::format("{}: the kernel needs {} elements of {} bytes, but the buffer has {} bytes",
                                  place, elements, argument.type.bytes(), given->size_bytes()));
  }
}

void check_image(const ImagePointer& given, const KernelArgument& argument, const ParamValues& values,
                 const std::string& place, const LaunchOwner& owner) {
  if (!given) throw DeviceError(fmt::format("{}: the image is null", place));
  if (!owner.owns(*given))
    throw DeviceError(fmt::format("{}: the image belongs to another device; pass one of this device", place));
  const ImageDescription& has = given->description();
  const ImageDescription wants{argument.image,
                               argument.channels,
                               argument.type,
                               evaluate(argument.width, values),
                               evaluate(argument.height, values),
                               evaluate(argument.layers, values)};
  // The image may be larger than needed, if tensors share it; share_images() keeps the exact size where zeros
  // outside it are read.
  const bool fits = has.is_read_as(wants) && has.width >= wants.width && has.height >= wants.height &&
                    has.layers >= wants.layers;
  if (!fits)
    throw DeviceError(
        fmt::format("{}: the kernel needs {}, but the image is {}", place, to_string(wants), to_string(has)));
}

void check_groups(const KernelSource& source, const std::array<std::int64_t, 3>& groups) {
  constexpr std::int64_t kMaxItems =
      std::numeric_limits<std::int32_t>::max();  // kernels compute indices in i32
  for (std::size_t d = 0; d < 3; ++d) {
    if (groups[d] < 0 || groups[d] > kMaxItems / source.launch.group_size[d]) {
      throw DeviceError(fmt::format(
          "kernel {}: {} work-groups of {} work-items in dimension {}; the number must be from 0 to {}",
          source.entry, groups[d], source.launch.group_size[d], d, kMaxItems / source.launch.group_size[d]));
    }
  }
}

}  // namespace

void check_launch(const Launch& launch, const LaunchOwner& owner) {
  if (!launch.kernel) throw DeviceError("record: a launch has no kernel");
  const KernelSource& source = launch.kernel->source();
  if (!owner.owns(*launch.kernel))
    throw DeviceError(fmt::format("kernel {}: the kernel was built for another device", source.entry));
  if (launch.arguments.size() != source.arguments.size()) {
    throw DeviceError(fmt::format("kernel {}: expected {} arguments, found {}", source.entry,
                                  source.arguments.size(), launch.arguments.size()));
  }
  const auto place = [&](std::size_t i) {
    return fmt::format("kernel {}, argument {} \"{}\"", source.entry, i, source.arguments[i].name);
  };
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    const KernelArgument& argument = source.arguments[i];
    if (!has_kind(launch.arguments[i], argument)) {
      throw DeviceError(fmt::format("{}: expected {} of {}, found {}", place(i), kind_name(argument.kind),
                                    to_string(argument.type), kind_text(launch.arguments[i])));
    }
  }
  const ParamValues values = integers_of(source, launch);
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    if (const auto* buffer = std::get_if<BufferPointer>(&launch.arguments[i])) {
      check_buffer(*buffer, source.arguments[i], values, place(i), owner);
    }
    if (const auto* image = std::get_if<ImagePointer>(&launch.arguments[i])) {
      check_image(*image, source.arguments[i], values, place(i), owner);
    }
  }
  check_groups(source, launch.groups);
}

}  // namespace tensordsl::runtime
