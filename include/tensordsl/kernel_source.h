// What the compile side ends in and the run side starts from: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tensordsl/image.h"
#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// One argument of a kernel, in the order of the OpenCL signature.
struct KernelArgument {
  /// What it is. A Scalar is the value of a Param.
  enum class Kind { Buffer, Image, Scalar };
  /// What the kernel does with the elements; of a Scalar ReadOnly.
  enum class Access { ReadOnly, WriteOnly, ReadWrite };
  Kind kind = Kind::Buffer;          ///< what is passed
  std::string name;                  ///< the Func, Input or Param it stands for
  Type type;                         ///< element type in memory
  Access access = Access::ReadOnly;  ///< of the elements
  /// Elements the kernel may touch, over the scalar arguments: 12544, n*64.
  SizeExpr elements;
  /// Of two buffers, one that is read and one that is written: they may be the same memory, as every element
  /// is read before it is overwritten.
  bool may_overlap = false;
  int alignment = 1;  ///< bytes; of the address at which a buffer begins: the text relies on it
  /// The kind of an image. Its size below is in texels, over the scalar arguments.
  ImageKind image = ImageKind::Image2D;
  int channels = 4;  ///< elements of a texel (4: CL_RGBA, 1: CL_R)
  /// @var height
  /// Rows; 1 of an Image1DBuffer.

  /// Columns; of an Image1DBuffer all texels.
  SizeExpr width = 1, height = 1, layers = 1;  ///< of an Image2DArray; else 1

  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

/// Work sizes.
struct LaunchShape {
  std::array<SizeExpr, 3> groups{1, 1, 1};  ///< work-groups per dimension, over the scalar arguments
  std::array<int, 3> group_size{1, 1, 1};   ///< work-items per group: reqd_work_group_size

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// What a work-item has for arrays of its own on the device that has the most, a CPU: the stack of a thread.
/// Of GPUs NVIDIA's have the most, 512 KiB. OpenCL does not tell.
constexpr std::int64_t kPrivateMemoryBytes = 8 << 20;

/// Counted from the lowered IR, for pruning and reports.
struct KernelResources {
  std::int64_t local_bytes = 0;     ///< local memory per work-group
  std::int64_t private_bytes = 0;   ///< indexed private arrays per work-item
  std::int64_t register_bytes = 0;  ///< named vector variables per work-item
  int live_registers = 0;           ///< 32-bit ones that a work-item needs at once: an estimate
  std::int64_t flops = 0;  ///< floating-point operations of one launch, a multiply-add counts 2; 0 if unknown

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

inline constexpr const char* kOpenClBackend = "opencl";  ///< writes OpenCL C, for devices of OpenCL
inline constexpr const char* kLlvmBackend = "llvm";      ///< writes LLVM's assembly language, for the host

/// One generated kernel with everything a host needs to launch it.
struct KernelSource {
  std::string entry;  ///< the kernel function's name
  std::string text;   ///< OpenCL C 1.2, with sub-groups 2.0; of the backend "llvm" LLVM's assembly language
  /// What `text` begins with: pragmas and functions that other kernels may have too. In a file of several
  /// kernels each of them stands once. Empty in a kernel that was read from a file.
  std::vector<std::string> shared;
  std::string backend = kOpenClBackend;   ///< whose kernel it is: DeviceInfo::backend of devices that run it
  std::string options = "-cl-std=CL1.2";  ///< what the compiler is given
  std::vector<KernelArgument> arguments;  ///< in the order of the signature
  LaunchShape launch;                     ///< its work sizes
  int sub_group_size =
      0;  ///< work-items of a sub-group that the kernel counts on; 0 if it has no such operations
  KernelResources resources;  ///< what it takes, by its IR

  friend bool operator==(const KernelSource&, const KernelSource&) = default;
};

/// The launch manifest: JSON with one object per kernel (without the text).
std::string to_json(const KernelSource& kernel);
/// Reads one object of a manifest; `text` stays empty. Throws ParseError.
KernelSource kernel_from_json(const std::string& json);

}  // namespace tensordsl
