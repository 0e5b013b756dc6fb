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
  /// Makes a Buffer without elements, to be assigned to. Its shape is a scalar's.
  Buffer() = default;
  /// Makes a zero-filled tensor. Throws ShapeError on a negative extent or a size over 2^40 bytes.
  Buffer(Type type, std::vector<std::int64_t> shape);

  Type type() const { return type_; }  ///< type of an element
  /// Returns the extents, outermost first; empty for a scalar.
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t elements() const { return elements_; }       ///< product of the extents; 1 for a scalar
  std::size_t size_bytes() const { return bytes_.size(); }  ///< size of all elements
  /// Returns the elements, row-major. The span is valid as long as the Buffer keeps its elements.
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }  ///< elements, row-major, to be read only

  /// Returns the elements as T, which must be as wide as the type: float, double, int8_t, ... uint16_t for
  /// f16.
  template <typename T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  /// Returns the elements as T, to be read only; T must be as wide as the type.
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// Returns element `i` in row-major order as a double. Floats are exact; integers beyond 2^53 are rounded.
  /// Throws Error if there is no element `i`.
  double get(std::int64_t i) const;
  /// Sets element `i`, converting as cast() does: to an integer it truncates and saturates.
  void set(std::int64_t i, double value);
  /// Returns element `i` as an integer: a float is truncated and saturates; a u64 beyond the largest i64
  /// keeps its bits.
  std::int64_t get_int(std::int64_t i) const;
  /// Sets element `i` from an integer: narrower integers wrap, floats are rounded; a u64 takes the bits.
  void set_int(std::int64_t i, std::int64_t value);

  /// Returns the elements converted to another type: f32 <-> f16 round, others convert by value.
  Buffer converted(Type type) const;
  /// Returns the same bytes under another shape of as many elements; throws ShapeError otherwise.
  Buffer reshaped(std::vector<std::int64_t> shape) const;

  /// True if types, shapes and bytes are equal: a NaN equals itself, and 0 does not equal -0.
  friend bool operator==(const Buffer&, const Buffer&) = default;

 private:
  Type type_;
  std::vector<std::int64_t> shape_;
  std::int64_t elements_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace tensordsl
