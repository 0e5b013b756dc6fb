// .target sm_90, texmode_independent    ->    .target sm_90
// mov.b32  %r1, %envreg3;                     mov.b32  %r1, 0;
#pragma once

#include <string>
#include <string_view>

namespace tensordsl::cuda {

/// Converts the PTX of NVIDIA's OpenCL for its CUDA. OpenCL passes the offsets of a launch in registers of
/// its own; launches here have none, and CUDA leaves the registers undefined.
std::string portable_ptx(std::string_view ptx);

/// mov.u32  %r1, %ctaid.x;    ->    griddepcontrol.wait;  mov.u32  %r1, %ctaid.x;
/// at the beginning of each kernel: it may be launched while the one before it ends, and waits for it there.
/// Allowing the next launch from the beginning on (griddepcontrol.launch_dependents) was measured to be
/// slower: waiting kernels take room. Returns the text unchanged if its target has no such instruction,
/// before sm_90. Source: PTX ISA, griddepcontrol.
std::string with_early_start(std::string_view ptx);

/// True if a kernel takes a pointer to constant memory: an offset in OpenCL, which CUDA has no argument for.
bool has_constant_arguments(std::string_view ptx);

}  // namespace tensordsl::cuda
