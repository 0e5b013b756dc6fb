#include "tensordsl/buffer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <span>

#include "runtime/host/element.h"
#include "tensordsl/error.h"
#include "tensordsl/half.h"

namespace tensordsl {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;

std::int64_t element_count(Type type, const std::vector<std::int64_t>& shape) {
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw ShapeError(fmt::format("Buffer: the shape [{}] has a negative extent", fmt::join(shape, ", ")));
    }
    empty |= extent == 0;
  }
  if (empty) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (extent > kMaxBytes / type.bytes() / elements) {
      throw ShapeError(fmt::format("Buffer: the shape [{}] of {} takes more than 2^40 bytes",
                                   fmt::join(shape, ", "), to_string(type)));
    }
    elements *= extent;
  }
  return elements;
}

void require_element(std::string_view call, std::int64_t i, const Buffer& buffer) {
  if (i >= 0 && i < buffer.elements()) return;
  throw Error(
      fmt::format("Buffer::{}({}): the index is out of range; the Buffer {} [{}] has elements 0 to {}", call,
                  i, to_string(buffer.type()), fmt::join(buffer.shape(), ", "), buffer.elements() - 1));
}

/// Elements one by one, without asking of each of which type it is.
template <typename From, typename To>
void convert_each(std::span<const std::byte> from, std::span<std::byte> to, To (*convert)(From)) {
  const std::size_t elements = from.size() / sizeof(From);
  for (std::size_t i = 0; i < elements; ++i) {
    From value;
    std::memcpy(&value, from.data() + i * sizeof(From), sizeof value);
    const To converted = convert(value);
    std::memcpy(to.data() + i * sizeof(To), &converted, sizeof converted);
  }
}

}  // namespace

Buffer::Buffer(Type type, std::vector<std::int64_t> shape)
    : type_(type),
      shape_(std::move(shape)),
      elements_(element_count(type_, shape_)),
      bytes_(static_cast<std::size_t>(elements_ * type_.bytes())) {}

double Buffer::get(std::int64_t i) const {
  require_element("get", i, *this);
  return number_of<double>(type_, runtime::load_element(type_, bytes_.data(), i));
}

void Buffer::set(std::int64_t i, double value) {
  require_element("set", i, *this);
  runtime::store_element(type_, bytes_.data(), i, scalar_of(type_, value));
}

std::int64_t Buffer::get_int(std::int64_t i) const {
  require_element("get_int", i, *this);
  return number_of<std::int64_t>(type_, runtime::load_element(type_, bytes_.data(), i));
}

void Buffer::set_int(std::int64_t i, std::int64_t value) {
  require_element("set_int", i, *this);
  runtime::store_element(type_, bytes_.data(), i, scalar_of(type_, value));
}

Buffer Buffer::converted(Type type) const {
  if (type == type_) return *this;
  Buffer result(type, shape_);
  // The conversions of the inputs and outputs of models whose f32 is stored as f16.
  if (type_ == Float(32) && type == Float(16)) {
    convert_each(bytes(), result.bytes(), float_to_half);
    return result;
  }
  if (type_ == Float(16) && type == Float(32)) {
    convert_each(bytes(), result.bytes(), half_to_float);
    return result;
  }
  for (std::int64_t i = 0; i < elements_; ++i) {
    const Scalar value = runtime::load_element(type_, bytes_.data(), i);
    const Scalar cast =
        with_element(type_, [&]<typename Element>() { return scalar_of(type, value_of<Element>(value)); });
    runtime::store_element(type, result.bytes_.data(), i, cast);
  }
  return result;
}

Buffer Buffer::reshaped(std::vector<std::int64_t> shape) const {
  if (element_count(type_, shape) != elements_) {
    throw ShapeError(
        fmt::format("Buffer: cannot reshape [{}] to [{}], which has a different number of elements",
                    fmt::join(shape_, ", "), fmt::join(shape, ", ")));
  }
  Buffer result = *this;
  result.shape_ = std::move(shape);
  return result;
}

}  // namespace tensordsl
