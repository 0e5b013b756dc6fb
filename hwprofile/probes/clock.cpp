#include "hwprofile/probes/clock.h"

#include <chrono>

namespace tensordsl::hwprofile {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tensordsl::hwprofile
