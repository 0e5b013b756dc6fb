// operators, groups   ->   two graphs side by side
#pragma once

#include "report/graph_view.h"
#include "tensordsl/inspection.h"

namespace tensordsl::report {

/// Returns the imported model, framed by kernels, and the kernels; nodes that correspond are linked.
GraphView inspection_graphs(const Inspection& inspection);

/// "1.531 MiB"; "open" if the size is.
std::string bytes_text(const std::optional<std::int64_t>& bytes);
/// Returns the share of all flops, "2.6 %"; empty if it has none.
std::string flops_share(const Inspection& inspection, const Inspection::Group& group);

}  // namespace tensordsl::report
