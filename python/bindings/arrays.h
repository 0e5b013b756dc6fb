// Arrays of NumPy as the library's tensors, without a copy where that can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "python/bindings/bindings.h"
#include "tensordsl/buffer.h"

namespace tensordsl::python {

/// An array in the host's memory, row-major without gaps.
struct HostArray {
  nb::object array;
  Type type;
  std::vector<std::int64_t> shape;
  std::span<std::byte> bytes;
};

/// Returns the array of any object that NumPy converts; it is copied if it is not row-major. An object
/// without a type of its own, such as a list of numbers, gets the type `wanted`. Throws TypeError on None,
/// Error on an object that is not an array of numbers of a type that the language has, and on one with masked
/// elements.
HostArray array_of(nb::handle object, std::optional<Type> wanted);
/// Returns the value of an input of that type: array_of(), converted if that is exact. Throws Error on a list
/// whose numbers the type does not have; an array of a type that does not convert is not changed.
HostArray input_array_of(nb::handle object, Type type);
/// Returns the array itself, to be written. Throws Error if it is not row-major or may not be written.
HostArray own_array_of(nb::handle object);
/// Returns a new array, at an address that every kernel accepts.
HostArray make_array(Type type, const std::vector<std::int64_t>& shape);

Buffer buffer_of(const HostArray& array);
nb::object array_from(const Buffer& buffer);

/// Keeps the object alive; it may be released without Python's lock.
std::shared_ptr<const void> keep(nb::object object);

}  // namespace tensordsl::python
