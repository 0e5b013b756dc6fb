#include "tensordsl/version.h"

namespace tensordsl {

const char* version() { return TENSORDSL_VERSION; }

}  // namespace tensordsl
