#include "c_api/describe_tensor.h"

#include <fmt/format.h>

#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::c_api {

std::int32_t type_of(Type type) {
  if (type.is_bool()) return TDSL_BOOL;
  const int bits = type.bits;
  if (type.is_float()) return bits == 16 ? TDSL_F16 : bits == 32 ? TDSL_F32 : TDSL_F64;
  if (type.is_uint()) return bits == 8 ? TDSL_U8 : bits == 16 ? TDSL_U16 : bits == 32 ? TDSL_U32 : TDSL_U64;
  return bits == 8 ? TDSL_I8 : bits == 16 ? TDSL_I16 : bits == 32 ? TDSL_I32 : TDSL_I64;
}

tdsl_tensor describe_tensor(const std::vector<Program::Value>& values, std::size_t index,
                            const ParamValues& known, const char* call) {
  if (index >= values.size())
    throw Error(
        fmt::format("{}: index {} is out of range; it must be less than {}", call, index, values.size()));
  const Program::Value& value = values[index];
  if (value.shape.size() > TDSL_MAX_RANK)
    throw Error(fmt::format("{}: \"{}\" has {} dimensions; a tdsl_tensor holds at most {}", call, value.name,
                            value.shape.size(), TDSL_MAX_RANK));
  tdsl_tensor tensor{};
  tensor.name = value.name.c_str();
  tensor.type = type_of(value.type);
  tensor.rank = static_cast<std::int32_t>(value.shape.size());
  double bytes = value.type.bytes();
  for (std::size_t d = 0; d < value.shape.size(); ++d) {
    tensor.shape[d] =
        runtime::has_values(value.shape[d], known) ? runtime::evaluate(value.shape[d], known) : -1;
    bytes = tensor.shape[d] < 0 ? 0 : bytes * static_cast<double>(tensor.shape[d]);
  }
  // Beyond that no instance can be made.
  constexpr double kMost = 9007199254740992.0;  // 2^53
  if (bytes <= kMost) tensor.bytes = static_cast<std::uint64_t>(bytes);
  return tensor;
}

}  // namespace tensordsl::c_api
