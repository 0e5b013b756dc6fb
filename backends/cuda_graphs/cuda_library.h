// The part of NVIDIA's driver API that replays graphs, loaded at run time: to build, nothing of CUDA is
// needed. Source: CUDA Driver API, cuda.h of CUDA 11.4 and later.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tensordsl::cuda {

using Status = int;  ///< CUresult: 0 is success
using DeviceNumber = int;
using Address = unsigned long long;
using ContextHandle = struct CUctx_st*;
using StreamHandle = struct CUstream_st*;
using ModuleHandle = struct CUmod_st*;
using FunctionHandle = struct CUfunc_st*;
using EventHandle = struct CUevent_st*;
using GraphHandle = struct CUgraph_st*;
using GraphNodeHandle = struct CUgraphNode_st*;
using GraphExecHandle = struct CUgraphExec_st*;

/// CUDA_KERNEL_NODE_PARAMS_v1
struct KernelNode {
  FunctionHandle function = nullptr;
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  void** arguments = nullptr;
  void** extra = nullptr;
};

/// CUgraphEdgeData
struct GraphEdge {
  /// Programmatic dependency: the later node is launched while the earlier one ends, and waits for it itself
  /// (CUDA 12.3): CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC.
  unsigned char from_port = 1, to_port = 0, type = 1;
  unsigned char reserved[5] = {};
};

/// The functions by their names without "cu".
class Library {
 public:
  static constexpr Status kNotReady = 600;

  /// Loads libcuda; null if there is none, or it lacks a function. It stays loaded: its own threads may still
  /// run.
  static std::shared_ptr<const Library> load();

  /// Checks that `status` is success. Throws DeviceError otherwise, for example "cuGraphLaunch failed: out of
  /// memory (2), kernel conv".
  void check(Status status, std::string_view call, std::string_view kernel = {}) const;

  Status (*init)(unsigned flags) = nullptr;
  Status (*device_by_pci_bus_id)(DeviceNumber*, const char*) = nullptr;
  Status (*retain_context)(ContextHandle*, DeviceNumber) = nullptr;
  Status (*release_context)(DeviceNumber) = nullptr;
  Status (*set_context)(ContextHandle) = nullptr;
  Status (*allocate)(Address*, std::size_t) = nullptr;
  Status (*free)(Address) = nullptr;
  Status (*copy_to_device)(Address, const void*, std::size_t) = nullptr;
  Status (*copy_to_host)(void*, Address, std::size_t) = nullptr;
  Status (*create_stream)(StreamHandle*, unsigned flags) = nullptr;
  Status (*destroy_stream)(StreamHandle) = nullptr;
  Status (*synchronize)(StreamHandle) = nullptr;
  Status (*query)(StreamHandle) = nullptr;  ///< kNotReady while something is under way
  Status (*load_module)(ModuleHandle*, const void* ptx) = nullptr;
  Status (*unload_module)(ModuleHandle) = nullptr;
  Status (*get_function)(FunctionHandle*, ModuleHandle, const char* name) = nullptr;
  Status (*launch)(FunctionHandle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle, void** arguments,
                   void** extra) = nullptr;
  Status (*create_event)(EventHandle*, unsigned flags) = nullptr;
  Status (*destroy_event)(EventHandle) = nullptr;
  Status (*record_event)(EventHandle, StreamHandle) = nullptr;
  Status (*wait_for_event)(EventHandle) = nullptr;
  Status (*elapsed_ms)(float*, EventHandle from, EventHandle to) = nullptr;
  Status (*create_graph)(GraphHandle*, unsigned flags) = nullptr;
  Status (*destroy_graph)(GraphHandle) = nullptr;
  Status (*add_kernel)(GraphNodeHandle*, GraphHandle, const GraphNodeHandle* after, std::size_t count,
                       const KernelNode*) = nullptr;
  /// Function of CUDA 12.3; null before.
  Status (*add_edges)(GraphHandle, const GraphNodeHandle* from, const GraphNodeHandle* to, const GraphEdge*,
                      std::size_t count) = nullptr;
  Status (*instantiate)(GraphExecHandle*, GraphHandle, unsigned long long flags) = nullptr;
  Status (*destroy_exec)(GraphExecHandle) = nullptr;
  Status (*launch_graph)(GraphExecHandle, StreamHandle) = nullptr;

 private:
  Status (*error_string_)(Status, const char**) = nullptr;
};

}  // namespace tensordsl::cuda
