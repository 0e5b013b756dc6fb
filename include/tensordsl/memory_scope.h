// The memories of an OpenCL device, as a schedule chooses among them.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Memory in which a Func that is computed inside the loops of another is stored, or from which an Input is
/// read.
enum class MemoryScope : std::uint8_t {
  Local,     ///< shared by the work-items of a group, which compute it together
  SubGroup,  ///< registers of a sub-group, whose work-items exchange the elements that they hold
  Private,   ///< each work-item's own: registers where the indices are constant
  Constant,  ///< an Input in the constant address space: small, cached, read by all work-items alike
};

inline constexpr MemoryScope Local = MemoryScope::Local;        ///< argument of Stage::store_in()
inline constexpr MemoryScope SubGroup = MemoryScope::SubGroup;  ///< argument of Stage::store_in()
inline constexpr MemoryScope Private = MemoryScope::Private;    ///< argument of Stage::store_in()

/// Returns "Local", "SubGroup", "Private" or "Constant".
const char* to_string(MemoryScope scope);

}  // namespace tensordsl
