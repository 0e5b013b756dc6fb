#include "apps/bench/search/search.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

std::vector<SearchResult> run_search(const SearchOptions&, Device&,
                                     const std::function<void(const SearchResult&)>&) {
  throw Error("search: this build cannot read models; build tensordsl with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench
