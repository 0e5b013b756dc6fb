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

/// Of what NumPy makes an array of; copied if it is not row-major. What has no type of its own, as a list of
/// numbers, is of type `wanted`. Throws TypeError on None, Error on what is no array of numbers of a type
/// that the language has, and on one with masked elements.
HostArray array_of(nb::handle object, std::optional<Type> wanted);
/// The value of an input of that type: array_of(), converted where that is exact. Throws Error on a list
/// whose numbers the type does not have; an array of a type that does not convert is as it was.
HostArray input_array_of(nb::handle object, Type type);
/// Of an array that is to be written: itself. Throws Error if it is not row-major or may not be written.
HostArray own_array_of(nb::handle object);
/// A new one, at an address that every kernel can do with.
HostArray make_array(Type type, const std::vector<std::int64_t>& shape);

Buffer buffer_of(const HostArray& array);
nb::object array_from(const Buffer& buffer);

/// Keeps the object; whoever lets it go need not hold Python's lock.
std::shared_ptr<const void> keep(nb::object object);

}  // namespace tensordsl::python
