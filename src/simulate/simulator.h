// Runs lowered kernels on the host and finds errors that a device would not report: accesses out of range,
// reads of unwritten elements, races, and barriers that not every work-item reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lower/lowered.h"
#include "runtime/host/tracing.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl {

/// A forbidden action of a kernel. The text names the kernel, the buffer with the index, and the work-item.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs one kernel over all its work-groups. The work-items of a group go in lockstep, statement by
/// statement. `buffers` holds the elements of each buffer argument, in memory order; `scalars` the scalar
/// arguments.
///
/// Operators and casts are computed by ir/operations. A select or a scalar `&&` or `||` does not evaluate
/// unneeded operands, in each lane. Images are buffers of texels; an Image2D or Image2DArray gives 0 outside
/// its bounds. Throws SimulationError on
///  - an access outside a buffer argument's `elements` or an allocation's extents, in any lane;
///  - a read of a write-only buffer, or a write to a read-only one;
///  - a read of an unwritten element of an allocation;
///  - a race: two work-items access an element of global or local memory, at least one of them writes, and no
///    barrier of that memory and their group is between them (two writes of the same value are not a race);
///  - a barrier that some work-item of the group does not reach;
///  - an argument that is missing or too small.
/// Throws InternalError if ir::verify does on the body.
void simulate(const lower::LoweredKernel& kernel, std::map<std::string, std::vector<std::byte>>& buffers,
              const ParamValues& scalars);

/// Findings of a run besides its results.
struct SimulationReport {
  bool rounds_half = false;  // true: a kernel with half_arithmetic rounded a result in f16
};

/// Runs the kernels in order and returns the output's elements in memory order, as one dimension.
/// Intermediates and the output start as bytes 0xCD; reading an element of them that no kernel wrote is an
/// error too.
Buffer simulate(const lower::LoweredPipeline& pipeline, const std::map<std::string, Buffer>& inputs,
                const ParamValues& params, SimulationReport* report = nullptr);
/// Runs several outputs, in the order of LoweredPipeline::outputs. An output without a kernel, as it has no
/// elements, is an empty Buffer.
std::vector<Buffer> simulate_all(const lower::LoweredPipeline& pipeline,
                                 const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                 SimulationReport* report = nullptr, const runtime::Tracing& tracing = {});

}  // namespace tensordsl
