#include <algorithm>

#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {

const std::vector<Probe>& all_probes() {
  static const std::vector<Probe> probes{launch_probe(),       transfer_probe(),        arithmetic_probe(),
                                         warp_probe(),         parallelism_probe(),     registers_probe(),
                                         memory_probe(),       buffer_cache_probe(),    image_cache_probe(),
                                         local_memory_probe(), constant_memory_probe(), barrier_probe()};
  return probes;
}

const Curve* find_curve(const std::vector<Curve>& curves, std::string_view name) {
  const auto it = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == name; });
  return it == curves.end() ? nullptr : &*it;
}

}  // namespace tensordsl::hwprofile
