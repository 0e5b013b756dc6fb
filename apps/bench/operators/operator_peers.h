// Operators by themselves in the library that their users would take instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

struct OperatorPeer {
  std::string name;                       ///< "ONNX Runtime", "cuDNN"; empty if there is none
  std::vector<std::optional<double>> us;  ///< medians, in the order of the operators; none that it cannot run
  std::string failure;
};

/// `operators`: "Conv x:[1,64,56,56] w:[64,64,3,3] -> .. {pads=[1,1,1,1]}", as OperatorResult has them. On a
/// CPU by ONNX Runtime with a thread for each compute unit, launches included, as it has no times of its own;
/// on a GPU, convolutions and products by cuDNN and cuBLAS through torch, TF32 off, replayed as a CUDA graph,
/// in the faster of two memory formats. In a process of python3's. Throws Error without one.
OperatorPeer measure_peer(const std::vector<std::string>& operators, const DeviceInfo& device, int runs);

}  // namespace tensordsl::bench
