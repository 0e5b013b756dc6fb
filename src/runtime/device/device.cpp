#include "tensordsl/device.h"

#include <fmt/format.h>

namespace tensordsl {

std::string to_string(const ImageDescription& image) {
  return fmt::format("an {} of {} x {} x {} texels of {} {}{}", to_string(image.kind), image.width,
                     image.height, image.layers, image.channels, image.is_normalized ? "normalized " : "",
                     to_string(image.type));
}

bool ImageDescription::is_read_as(const ImageDescription& wanted) const {
  const auto is_float = [](const ImageDescription& image) {
    return image.is_normalized || image.type.is_float();
  };
  const bool is_alike = is_float(*this) == is_float(wanted) && (is_float(*this) || type == wanted.type);
  return is_alike && kind == wanted.kind && channels == wanted.channels;
}

void Recording::replay(Waiting waiting) {
  start();
  wait(waiting);
}

std::vector<std::int64_t> Recording::replay_timed() {
  std::vector<std::int64_t> nanoseconds;
  for (const LaunchInterval& launch : replay_intervals()) nanoseconds.push_back(launch.end - launch.start);
  return nanoseconds;
}

std::shared_ptr<DeviceBuffer> Device::share(std::span<std::byte>, std::shared_ptr<const void>) {
  return nullptr;
}

void Device::offer(const std::vector<DeviceBinary>&) {}

std::vector<DeviceBinary> Device::binaries(const std::vector<std::shared_ptr<DeviceKernel>>&) { return {}; }

bool Device::reads_r16f_images() {
  std::call_once(r16f_asked_, [this] { r16f_read_right_ = probe_r16f_images(); });
  return r16f_read_right_;
}

}  // namespace tensordsl
