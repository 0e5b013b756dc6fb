#include "ops/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "ops/narrow_types.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

struct ElementType {
  std::int64_t number;
  std::string_view name;
  Type type;
};

constexpr std::array<ElementType, 12> kTypes{{{1, "FLOAT", Float(32)},
                                              {2, "UINT8", UInt(8)},
                                              {3, "INT8", Int(8)},
                                              {4, "UINT16", UInt(16)},
                                              {5, "INT16", Int(16)},
                                              {6, "INT32", Int(32)},
                                              {7, "INT64", Int(64)},
                                              {9, "BOOL", Bool()},
                                              {10, "FLOAT16", Float(16)},
                                              {11, "DOUBLE", Float(64)},
                                              {12, "UINT32", UInt(32)},
                                              {13, "UINT64", UInt(64)}}};

}  // namespace

Type element_type(std::string_view name, std::int64_t number) {
  const auto found = std::ranges::find(kTypes, number, &ElementType::number);
  if (found != kTypes.end()) return found->type;
  if (const NarrowType* narrow = find_narrow_type(number)) return narrow->held;
  std::string supported;
  for (const ElementType& type : kTypes)
    supported += fmt::format("{}{} ({})", supported.empty() ? "" : ", ", type.number, type.name);
  throw ModelError(fmt::format("attribute {} = {} is not supported; supported: {}", name, number, supported));
}

std::string element_type_name(std::int64_t number) {
  const auto found = std::ranges::find(kTypes, number, &ElementType::number);
  if (found != kTypes.end()) return std::string(found->name);
  const NarrowType* narrow = find_narrow_type(number);
  return narrow ? std::string(narrow->name) : std::to_string(number);
}

std::int64_t element_type_number(Type type) {
  return std::ranges::find(kTypes, type, &ElementType::type)->number;
}

}  // namespace tensordsl::ops
