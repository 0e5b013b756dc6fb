#include "tensordsl/memory_scope.h"

namespace tensordsl {

const char* to_string(MemoryScope scope) {
  switch (scope) {
    case MemoryScope::Local:
      return "Local";
    case MemoryScope::SubGroup:
      return "SubGroup";
    case MemoryScope::Private:
      return "Private";
    case MemoryScope::Constant:
      return "Constant";
  }
  return "?";
}

}  // namespace tensordsl
