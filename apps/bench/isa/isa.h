// tensordsl-bench isa: what the compilers of GPUs make of kernels, without such a GPU.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::bench {

struct IsaOptions {
  std::vector<std::string> places;   ///< models, packages, folders of packages, or .cl files
  std::vector<std::string> gpus;     ///< names in gpus.json
  std::string profile;               ///< bundled profile for models; empty: the GPU's
  std::string precision = "fp32";    ///< of models: fp32 or fp16
  std::vector<std::string> without;  ///< passes of lowering that are left out of models
  std::string compilers;             ///< folder; empty: build/mobile-compilers
  std::string compare;               ///< place whose kernels are those before a change; empty: none
  bool json = false;                 ///< an object for each place and GPU, and one for all places
};

/// Prints the rows of each place for each GPU, and the totals of several places. Returns 1 if a compiler
/// refused a kernel, else 0. Throws Error on a place, GPU or pass that is unknown.
int run_isa(const IsaOptions& options);

}  // namespace tensordsl::bench
