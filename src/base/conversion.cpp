#include "tensordsl/conversion.h"

#include <fmt/format.h>

namespace tensordsl {
namespace {

/// The bits of the largest integer up to which the type has all.
int integer_bits(Type type) {
  if (!type.is_float()) return type.bits - (type.is_int() ? 1 : 0);
  return type.bits == 16 ? 11 : type.bits == 32 ? 24 : 53;
}

std::string name_in_numpy(Type type) {
  if (type.is_bool()) return "bool_";
  return fmt::format("{}{}", type.is_float() ? "float" : type.is_int() ? "int" : "uint", type.bits);
}

}  // namespace

bool converts_exactly(Type from, Type to) {
  if (from == to) return true;
  if (from.lanes != to.lanes || to.is_bool()) return false;
  if (from.is_bool()) return true;
  if (from.is_float()) return to.is_float() && from.bits <= to.bits;
  if (from.is_int() && to.is_uint()) return false;
  return integer_bits(from) <= integer_bits(to);
}

std::string conversion_remedy(Type to) {
  return fmt::format("; convert it with .astype(np.{})", name_in_numpy(to));
}

}  // namespace tensordsl
