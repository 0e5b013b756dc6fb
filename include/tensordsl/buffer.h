// Tensors on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tensordsl/type.h"

namespace tensordsl {

/// A row-major tensor in host memory. A value type: copies copy the data.
class Buffer {
 public:
  /// Without elements, though its shape is that of a scalar: to be assigned to.
  Buffer() = default;
  /// Zero-filled. Throws ShapeError on a negative extent or a size over 2^40 bytes.
  Buffer(Type type, std::vector<std::int64_t> shape);

  Type type() const { return type_; }                                ///< of an element
  const std::vector<std::int64_t>& shape() const { return shape_; }  ///< outermost first; empty of a scalar
  std::int64_t elements() const { return elements_; }       ///< the product of the extents; 1 of a scalar
  std::size_t size_bytes() const { return bytes_.size(); }  ///< of all elements
  std::span<std::byte> bytes() { return bytes_; }  ///< row-major; valid as long as the Buffer has them
  std::span<const std::byte> bytes() const { return bytes_; }  ///< the same to read

  /// The elements as T; T must be as wide as the type: float, double, int8_t, ... uint16_t for f16.
  template <typename T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  /// The same to read.
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// Element `i` in row-major order, converted. Floats are exact; integers beyond 2^53 are rounded by get,
  /// and a u64 beyond the largest i64 keeps its bits in get_int and set_int. Throws Error if there is no
  /// element `i`.
  double get(std::int64_t i) const;
  /// Converted as by cast(): to an integer it truncates and saturates.
  void set(std::int64_t i, double value);
  /// As an integer: a float is truncated, and saturates.
  std::int64_t get_int(std::int64_t i) const;
  /// From an integer: narrower ones wrap, floats are rounded.
  void set_int(std::int64_t i, std::int64_t value);

  /// The same elements as another type: f32 <-> f16 round, others convert by value.
  Buffer converted(Type type) const;
  /// The same bytes under another shape of as many elements; ShapeError otherwise.
  Buffer reshaped(std::vector<std::int64_t> shape) const;

  /// Of one type and shape, with the same bytes: a NaN equals itself, and 0 not -0.
  friend bool operator==(const Buffer&, const Buffer&) = default;

 private:
  Type type_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace tensordsl
