// A compiled kernel as plain data: the result of the compile side and the input of the run side.
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
  /// Kind of the argument. A Scalar is the value of a Param.
  enum class Kind { Buffer, Image, Scalar };
  /// Accesses that the kernel makes to the elements; a Scalar is ReadOnly.
  enum class Access { ReadOnly, WriteOnly, ReadWrite };
  Kind kind = Kind::Buffer;          ///< kind of the argument
  std::string name;                  ///< name of the Func, Input or Param that it is
  Type type;                         ///< element type in memory
  Access access = Access::ReadOnly;  ///< accesses to the elements
  /// Number of elements that the kernel may access, over the scalar arguments: 12544, n*64.
  SizeExpr elements;
  /// True for two buffers, one that is read and one that is written, which may be the same memory, as every
  /// element is read before it is overwritten.
  bool may_overlap = false;
  int alignment = 1;  ///< alignment in bytes of the buffer's address, on which the text relies
  /// Kind of the image. Its size below is in texels, over the scalar arguments.
  ImageKind image = ImageKind::Image2D;
  int channels = 4;  ///< elements of a texel (4: CL_RGBA, 1: CL_R)
  /// @var height
  /// Rows; 1 for an Image1DBuffer.

  /// Columns; for an Image1DBuffer the number of all texels.
  SizeExpr width = 1, height = 1, layers = 1;  ///< layers of an Image2DArray; 1 for other kinds

  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

/// Work sizes of a launch.
struct LaunchShape {
  std::array<SizeExpr, 3> groups{1, 1, 1};  ///< work-groups per dimension, over the scalar arguments
  std::array<int, 3> group_size{1, 1, 1};   ///< work-items per group: reqd_work_group_size

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// Default limit of a work-item's private arrays: 8 MiB, the stack of a thread of a CPU, which is the largest
/// of all devices. NVIDIA's have the most among GPUs, 512 KiB. OpenCL does not report it.
constexpr std::int64_t kPrivateMemoryBytes = 8 << 20;

/// Resources of a kernel, counted in the lowered IR, for pruning and reports.
struct KernelResources {
  std::int64_t local_bytes = 0;     ///< local memory per work-group
  std::int64_t private_bytes = 0;   ///< indexed private arrays per work-item
  std::int64_t register_bytes = 0;  ///< named vector variables per work-item
  int live_registers = 0;           ///< 32-bit registers that a work-item needs at once: an estimate
  std::int64_t flops = 0;  ///< floating-point operations of one launch, a multiply-add counts 2; 0 if unknown

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

inline constexpr const char* kOpenClBackend = "opencl";  ///< name of the backend that writes OpenCL C, for
                                                         ///< devices of OpenCL
inline constexpr const char* kLlvmBackend = "llvm";      ///< name of the backend that writes LLVM's assembly
                                                         ///< language, for the host

/// One generated kernel with everything a host needs to launch it.
struct KernelSource {
  std::string entry;  ///< the kernel function's name
  std::string text;   ///< OpenCL C 1.2, with sub-groups 2.0; LLVM's assembly language for the backend "llvm"
  /// Beginning of `text`: pragmas and functions that other kernels may have too. A file of several kernels
  /// has each of them once. Empty in a kernel that was read from a file.
  std::vector<std::string> shared;
  std::string backend = kOpenClBackend;   ///< name of the backend that made it: DeviceInfo::backend of
                                          ///< devices that run it
  std::string options = "-cl-std=CL1.2";  ///< options for the compiler
  std::vector<KernelArgument> arguments;  ///< arguments in the order of the signature
  LaunchShape launch;                     ///< its work sizes
  int sub_group_size =
      0;  ///< work-items of a sub-group that the kernel relies on; 0 if it has no sub-group operations
  KernelResources resources;  ///< its resources, counted in its IR

  friend bool operator==(const KernelSource&, const KernelSource&) = default;
};

/// Returns the launch manifest: JSON with one object per kernel (without the text).
std::string to_json(const KernelSource& kernel);
/// Reads one object of a manifest; `text` stays empty. Throws ParseError.
KernelSource kernel_from_json(const std::string& json);

}  // namespace tensordsl
