#include "onnx/file/read_tensor.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <functional>
#include <span>

#include "base/text/printable.h"
#include "ops/narrow_types.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ops::Ints;
using ops::NarrowType;
using ops::TensorInfo;

namespace fs = std::filesystem;
using ::onnx::TensorProto;

static_assert(std::endian::native == std::endian::little, "ONNX stores raw data little-endian");

template <typename... Arguments>
[[noreturn]] void refuse(const TensorProto& tensor, fmt::format_string<Arguments...> format,
                         Arguments&&... arguments) {
  throw ModelError(fmt::format("tensor '{}': {}", printable(tensor.name()),
                               fmt::format(format, std::forward<Arguments>(arguments)...)));
}

/// Bytes that exist but are not read yet.
struct RawData {
  std::uint64_t size = 0;
  std::function<void(std::span<std::byte>)> read;  // fills exactly `size` bytes
};

struct ExternalEntry {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

std::uint64_t parse_size(const TensorProto& tensor, const std::string& key, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse(tensor, "the external data's {} '{}' is not a size in bytes", key, printable(text));
  }
  return value;
}

ExternalEntry read_entry(const TensorProto& tensor) {
  ExternalEntry entry;
  for (const auto& field : tensor.external_data()) {
    if (field.key() == "location") entry.location = field.value();
    if (field.key() == "offset") entry.offset = parse_size(tensor, "offset", field.value());
    if (field.key() == "length") entry.length = parse_size(tensor, "length", field.value());
  }
  return entry;
}

/// Returns the path of the external file of `tensor`, if it is inside `folder`.
fs::path resolve_location(const TensorProto& tensor, const std::string& location, const fs::path& folder) {
  const fs::path relative(location);
  const bool climbs = std::ranges::any_of(relative, [](const fs::path& part) { return part == ".."; });
  if (!is_printable(location) || location.empty() || relative.has_root_path() || climbs) {
    refuse(tensor, "the external data's location '{}' is not a file name inside the model's folder",
           printable(location));
  }
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path file = error ? fs::path() : fs::weakly_canonical(root / relative, error);
  if (error) refuse(tensor, "the external data '{}' cannot be found: {}", location, error.message());
  if (std::ranges::mismatch(root, file).in1 != root.end()) {
    refuse(tensor, "the external data '{}' leads outside the model's folder", location);
  }
  return file;
}

/// `needed`: the bytes of the tensor, which are read if the file does not say how many.
RawData external_data(const TensorProto& tensor, std::uint64_t needed, const fs::path& folder) {
  const ExternalEntry entry = read_entry(tensor);
  const fs::path file = resolve_location(tensor, entry.location, folder);
  std::error_code error;
  if (!fs::exists(file, error)) {
    refuse(
        tensor,
        "the external data file '{}' does not exist; put it next to the model, or load the model with random "
        "weights (--random-weights of the tool, random_weights of the library)",
        entry.location);
  }
  if (!fs::is_regular_file(file, error))
    refuse(tensor, "the external data '{}' is not a file", entry.location);
  const std::uint64_t size = fs::file_size(file, error);
  if (error) refuse(tensor, "the external data '{}' cannot be read: {}", entry.location, error.message());
  if (entry.offset > size || entry.length.value_or(0) > size - entry.offset) {
    refuse(tensor, "the external data '{}' has {} bytes; offset {} and length {} are past its end",
           entry.location, size, entry.offset, entry.length ? std::to_string(*entry.length) : "(none)");
  }
  const std::uint64_t length = entry.length.value_or(std::min(needed, size - entry.offset));
  return {length, [&tensor, file, entry](std::span<std::byte> bytes) {
            std::ifstream stream(file, std::ios::binary);
            stream.seekg(static_cast<std::streamoff>(entry.offset));
            stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            if (!stream) refuse(tensor, "the external data '{}' cannot be read", entry.location);
          }};
}

/// Returns the bytes that such a tensor takes in a file.
std::uint64_t stored_bytes(const TensorProto& tensor, const TensorInfo& info) {
  const auto bytes = static_cast<std::uint64_t>(checked_bytes(info.type, info.shape));
  const NarrowType* narrow = ops::find_narrow_type(tensor.data_type());
  if (!narrow) return bytes;
  return (bytes / static_cast<std::uint64_t>(info.type.bytes()) * static_cast<std::uint64_t>(narrow->bits) +
          7) /
         8;
}

std::optional<RawData> raw_data(const TensorProto& tensor, const TensorInfo& info, const fs::path& folder) {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return external_data(tensor, stored_bytes(tensor, info), folder);
  if (!tensor.has_raw_data()) return std::nullopt;
  const std::string& raw = tensor.raw_data();
  return RawData{raw.size(),
                 [&raw](std::span<std::byte> bytes) { std::memcpy(bytes.data(), raw.data(), bytes.size()); }};
}

/// `Stored` is the element in raw data, `Element` in the Buffer; `field` has the elements if there is no raw
/// data.
template <typename Stored, typename Element, typename Field>
Buffer decode(const TensorProto& tensor, const TensorInfo& info, const std::optional<RawData>& raw,
              const Field& field) {
  const auto count = static_cast<std::uint64_t>(element_count(info.shape).value());
  const std::uint64_t needed = raw ? count * sizeof(Stored) : count,
                      found = raw ? raw->size : static_cast<std::uint64_t>(field.size());
  if (needed != found) {
    refuse(tensor, "{} needs {} {}, but has {}", to_string(info), needed, raw ? "bytes" : "values", found);
  }
  Buffer buffer(info.type, known(info.shape));
  const std::span<Element> elements = buffer.as<Element>();
  const auto convert = [](auto value) { return static_cast<Element>(value); };
  if (!raw) {
    std::ranges::transform(field, elements.begin(), convert);
  } else if constexpr (std::is_same_v<Stored, Element>) {
    if (count > 0) raw->read(buffer.bytes());
  } else {
    std::vector<Stored> stored(count);
    if (count > 0) raw->read(std::as_writable_bytes(std::span(stored)));
    std::ranges::transform(stored, elements.begin(), convert);
  }
  return buffer;
}

/// Decodes elements of a type that the language does not have. A byte holds several elements of less than 8
/// bits, the first in its lowest bits; a value of the typed field is a byte, or an element of 16 bits.
Buffer decode_narrow(const TensorProto& tensor, const TensorInfo& info, const std::optional<RawData>& raw,
                     const NarrowType& type) {
  const std::uint64_t bytes = stored_bytes(tensor, info), unit = type.bits > 8 ? 2 : 1;
  const std::uint64_t needed = raw ? bytes : bytes / unit,
                      found = raw ? raw->size : static_cast<std::uint64_t>(tensor.int32_data_size());
  if (needed != found) {
    refuse(tensor, "{}{} needs {} {}, but has {}", type.name, to_string(info.shape), needed,
           raw ? "bytes" : "values", found);
  }
  std::vector<std::uint8_t> stored(bytes);
  if (raw && bytes > 0) raw->read(std::as_writable_bytes(std::span(stored)));
  for (std::uint64_t i = 0; !raw && i < bytes; ++i) {
    const auto value = static_cast<std::uint32_t>(tensor.int32_data(static_cast<int>(i / unit)));
    stored[i] = static_cast<std::uint8_t>(value >> (8 * (i % unit)));
  }
  Buffer buffer(info.type, known(info.shape));
  const std::uint32_t mask = (1U << type.bits) - 1;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    const auto bit = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(type.bits);
    std::uint32_t bits = stored[bit / 8];
    if (type.bits > 8) bits |= static_cast<std::uint32_t>(stored[bit / 8 + 1]) << 8;
    buffer.set(i, narrow_value(type, (bits >> (bit % 8)) & mask));
  }
  return buffer;
}

}  // namespace

Type read_type(int onnx_data_type, const std::string& what) {
  switch (onnx_data_type) {
    case TensorProto::FLOAT:
      return Float(32);
    case TensorProto::DOUBLE:
      return Float(64);
    case TensorProto::FLOAT16:
      return Float(16);
    case TensorProto::INT8:
      return Int(8);
    case TensorProto::UINT8:
      return UInt(8);
    case TensorProto::INT16:
      return Int(16);
    case TensorProto::UINT16:
      return UInt(16);
    case TensorProto::INT32:
      return Int(32);
    case TensorProto::UINT32:
      return UInt(32);
    case TensorProto::UINT64:
      return UInt(64);
    case TensorProto::INT64:
      return Int(64);
    case TensorProto::BOOL:
      return Bool();
    default:
      break;
  }
  if (const NarrowType* narrow = ops::find_narrow_type(onnx_data_type)) return narrow->held;
  const std::string name = ::onnx::TensorProto_DataType_IsValid(onnx_data_type)
                               ? ::onnx::TensorProto_DataType_Name(onnx_data_type)
                               : std::to_string(onnx_data_type);
  throw ModelError(
      fmt::format("{} has elements of type {}; supported: FLOAT, DOUBLE, FLOAT16, INT8, UINT8, INT16, "
                  "UINT16, INT32, UINT32, INT64, UINT64, BOOL, {}",
                  what, name, ops::narrow_type_names()));
}

TensorInfo read_tensor_info(const TensorProto& tensor) {
  const std::string what = fmt::format("tensor '{}'", printable(tensor.name()));
  TensorInfo info{tensor.name(), read_type(tensor.data_type(), what), {}};
  if (tensor.has_segment()) refuse(tensor, "it is stored in segments, which is not supported");
  try {
    info.shape.assign(tensor.dims().begin(), tensor.dims().end());
    checked_bytes(info.type, info.shape);
  } catch (const ShapeError& error) {
    refuse(tensor, "{}", error.what());
  }
  return info;
}

bool external_file_is_absent(const TensorProto& tensor, const fs::path& folder) {
  if (tensor.data_location() != TensorProto::EXTERNAL) return false;
  std::error_code error;
  return !fs::exists(resolve_location(tensor, read_entry(tensor).location, folder), error);
}

Buffer read_tensor(const TensorProto& tensor, const fs::path& folder) {
  const TensorInfo info = read_tensor_info(tensor);
  const std::optional<RawData> raw = raw_data(tensor, info, folder);
  if (const NarrowType* narrow = ops::find_narrow_type(tensor.data_type()))
    return decode_narrow(tensor, info, raw, *narrow);
  switch (tensor.data_type()) {
    case TensorProto::DOUBLE:
      return decode<double, double>(tensor, info, raw, tensor.double_data());
    case TensorProto::FLOAT16:
      return decode<std::uint16_t, std::uint16_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::INT8:
      return decode<std::int8_t, std::int8_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::UINT8:
      return decode<std::uint8_t, std::uint8_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::INT16:
      return decode<std::int16_t, std::int16_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::UINT16:
      return decode<std::uint16_t, std::uint16_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::UINT32:
      return decode<std::uint32_t, std::uint32_t>(tensor, info, raw, tensor.uint64_data());
    case TensorProto::UINT64:
      return decode<std::uint64_t, std::uint64_t>(tensor, info, raw, tensor.uint64_data());
    case TensorProto::INT32:
      return decode<std::int32_t, std::int32_t>(tensor, info, raw, tensor.int32_data());
    case TensorProto::INT64:
      return decode<std::int64_t, std::int64_t>(tensor, info, raw, tensor.int64_data());
    case TensorProto::BOOL: {
      Buffer buffer = decode<std::uint8_t, std::uint8_t>(tensor, info, raw, tensor.int32_data());
      for (std::uint8_t& value : buffer.as<std::uint8_t>()) value = value != 0;
      return buffer;
    }
    default:
      return decode<float, float>(tensor, info, raw, tensor.float_data());
  }
}

std::vector<std::byte> read_external_bytes(const TensorProto& tensor, const fs::path& folder) {
  const std::uint64_t needed = stored_bytes(tensor, read_tensor_info(tensor));
  const RawData raw = external_data(tensor, needed, folder);
  if (raw.size != needed) {
    refuse(tensor, "{} needs {} bytes, but has {}", to_string(read_tensor_info(tensor)), needed, raw.size);
  }
  std::vector<std::byte> bytes(needed);
  if (needed > 0) raw.read(bytes);
  return bytes;
}

Buffer read_sparse_tensor(const ::onnx::SparseTensorProto& tensor, const fs::path& folder) {
  const Buffer values = read_tensor(tensor.values(), folder);
  const Buffer indices = read_tensor(tensor.indices(), folder);
  const Ints dims(tensor.dims().begin(), tensor.dims().end());
  const auto rank = static_cast<std::int64_t>(dims.size()), count = values.elements();
  if (std::ranges::any_of(dims, [](std::int64_t extent) { return extent < 0; }))
    refuse(tensor.values(), "the sparse tensor has the shape {}; extents must not be negative",
           ops::to_string(dims));
  check_tensor(values.type(), ops::Shape(dims));
  const bool is_linear = indices.shape() == Ints{count};
  if (indices.type() != Int(64) || values.shape().size() != 1 ||
      (!is_linear && indices.shape() != Ints{count, rank})) {
    refuse(tensor.values(), "the sparse tensor {} has {} values and indices {}{}", ops::to_string(dims),
           ops::to_string(values.shape()), to_string(indices.type()), ops::to_string(indices.shape()));
  }
  Buffer dense(values.type(), dims);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t place = 0;
    bool is_inside = true;
    for (std::int64_t d = 0; d < (is_linear ? 0 : rank); ++d) {
      const std::int64_t extent = dims[static_cast<std::size_t>(d)], at = indices.get_int(i * rank + d);
      is_inside = is_inside && at >= 0 && at < extent;
      place = is_inside ? place * extent + at : 0;
    }
    if (is_linear) place = indices.get_int(i);
    if (!is_inside || place < 0 || place >= dense.elements())
      refuse(tensor.values(), "an index of value {} is outside the sparse tensor's shape {}", i,
             ops::to_string(dims));
    values.type().is_float() ? dense.set(place, values.get(i)) : dense.set_int(place, values.get_int(i));
  }
  return dense;
}

}  // namespace tensordsl::onnx
