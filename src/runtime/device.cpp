#include "tensordsl/device.h"

namespace tensordsl {

bool Device::reads_r16f_images() {
  std::call_once(r16f_asked_, [this] { r16f_read_right_ = probe_r16f_images(); });
  return r16f_read_right_;
}

}  // namespace tensordsl
