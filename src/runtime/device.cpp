#include "tensordsl/device.h"

namespace tensordsl {

void Recording::replay(Waiting waiting) {
  start();
  wait(waiting);
}

std::vector<std::int64_t> Recording::replay_timed() {
  std::vector<std::int64_t> nanoseconds;
  for (const LaunchInterval& launch : replay_intervals()) nanoseconds.push_back(launch.end - launch.start);
  return nanoseconds;
}

bool Device::reads_r16f_images() {
  std::call_once(r16f_asked_, [this] { r16f_read_right_ = probe_r16f_images(); });
  return r16f_read_right_;
}

}  // namespace tensordsl
