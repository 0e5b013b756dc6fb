#include "apps/bench/search/outlines.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

int run_outlines(const OutlineOptions&) {
  throw Error("outlines: this build reads no models; build tensordsl with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench
