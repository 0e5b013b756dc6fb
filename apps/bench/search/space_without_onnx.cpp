#include "apps/bench/search/space.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

SpaceResult run_space(const SpaceOptions&, Device*) {
  throw Error("space: this build has no models with convolutions; build tensordsl with TENSORDSL_ONNX=ON");
}

nlohmann::ordered_json to_json(const SpaceResult&) { return {}; }
std::string to_text(const SpaceResult&) { return ""; }

}  // namespace tensordsl::bench
