// A libcuda for machines without NVIDIA's: memory is the host's, and a kernel "add" adds
// (device/environment.h). It does what the driver would: launches of a graph run in the order of its edges,
// arguments are copied when a node is added, and what was freed is gone.
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backends/cuda_graphs/cuda_library.h"

namespace tensordsl::cuda {

struct CUctx_st {};
struct CUstream_st {
  bool is_ready = true;
};
struct CUmod_st {
  std::string ptx;
};
struct CUfunc_st {
  std::string name;
};
struct CUevent_st {
  float ms = 0;
};
struct CUgraphNode_st {
  std::string name;
  unsigned grid = 0, block = 0;
  const float *a = nullptr, *b = nullptr;
  float* out = nullptr;
  int n = 0;
  CUgraphNode_st* after = nullptr;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::vector<CUgraphNode_st> nodes;
};

}  // namespace tensordsl::cuda

using namespace tensordsl::cuda;

namespace {

constexpr Status kInvalidValue = 1, kOutOfMemory = 2, kInvalidPtx = 218, kNotFound = 500,
                 kIllegalAddress = 700;
constexpr std::size_t kMemory = std::size_t{1} << 30;

/// The state of the device; a test opens one at a time.
struct State {
  CUctx_st context;
  std::map<Address, std::size_t> allocations;
  std::vector<std::unique_ptr<CUfunc_st>> functions;
  float now_ms = 0;
};
State& state() {
  static State the_only_one;
  return the_only_one;
}

bool is_allocated(const void* first, std::size_t bytes) {
  const auto at = reinterpret_cast<Address>(first);
  for (const auto& [begin, size] : state().allocations) {
    if (at >= begin && at + bytes <= begin + size) return true;
  }
  return false;
}

CUgraphNode_st node_of(const KernelNode& node) {
  CUgraphNode_st made;
  made.name = node.function->name;
  made.grid = node.grid_x * node.grid_y * node.grid_z;
  made.block = node.block_x * node.block_y * node.block_z;
  std::memcpy(&made.a, node.arguments[0], sizeof made.a);
  std::memcpy(&made.b, node.arguments[1], sizeof made.b);
  std::memcpy(&made.out, node.arguments[2], sizeof made.out);
  std::memcpy(&made.n, node.arguments[3], sizeof made.n);
  return made;
}

Status run(const CUgraphNode_st& node) {
  state().now_ms += 0.001F;
  const auto bytes = static_cast<std::size_t>(node.n) * sizeof(float);
  for (const void* memory : {static_cast<const void*>(node.a), static_cast<const void*>(node.b),
                             static_cast<const void*>(node.out)}) {
    if (!is_allocated(memory, bytes)) return kIllegalAddress;
  }
  for (unsigned i = 0; i < node.grid * node.block && static_cast<int>(i) < node.n; ++i)
    node.out[i] = node.a[i] + node.b[i];
  return 0;
}

}  // namespace

extern "C" {

Status cuInit(unsigned) { return 0; }
Status cuDeviceGetByPCIBusId(DeviceNumber*, const char*) { return kInvalidValue; }
Status cuDevicePrimaryCtxRetain(ContextHandle* context, DeviceNumber) {
  *context = &state().context;
  return 0;
}
Status cuDevicePrimaryCtxRelease_v2(DeviceNumber) { return state().allocations.empty() ? 0 : kInvalidValue; }
Status cuCtxSetCurrent(ContextHandle context) { return context == &state().context ? 0 : kInvalidValue; }
Status cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (bytes == 0) return kInvalidValue;
  if (bytes > kMemory) return kOutOfMemory;
  *address = reinterpret_cast<Address>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  state().allocations[*address] = bytes;
  return 0;
}
Status cuMemFree_v2(Address address) {
  if (state().allocations.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
Status cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  if (!is_allocated(reinterpret_cast<void*>(to), bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
Status cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (!is_allocated(reinterpret_cast<void*>(from), bytes)) return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return 0;
}
Status cuStreamCreate(StreamHandle* stream, unsigned) {
  *stream = new CUstream_st;
  return 0;
}
Status cuStreamDestroy_v2(StreamHandle stream) {
  delete stream;
  return 0;
}
Status cuStreamSynchronize(StreamHandle) { return 0; }
/// Reports not ready the first time.
Status cuStreamQuery(StreamHandle stream) {
  stream->is_ready = !stream->is_ready;
  return stream->is_ready ? 0 : Library::kNotReady;
}
Status cuModuleLoadData(ModuleHandle* module, const void* ptx) {
  const std::string text = static_cast<const char*>(ptx);
  if (text.empty()) return kInvalidPtx;
  *module = new CUmod_st{text};
  return 0;
}
Status cuModuleUnload(ModuleHandle module) {
  delete module;
  return 0;
}
Status cuModuleGetFunction(FunctionHandle* function, ModuleHandle, const char* name) {
  if (std::string(name) != "add") return kNotFound;
  state().functions.push_back(std::make_unique<CUfunc_st>(CUfunc_st{name}));
  *function = state().functions.back().get();
  return 0;
}
Status cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned, StreamHandle,
                      void** arguments, void**) {
  return run(node_of({function, grid_x, grid_y, grid_z, block_x, block_y, block_z, 0, arguments, nullptr}));
}
Status cuEventCreate(EventHandle* event, unsigned) {
  *event = new CUevent_st;
  return 0;
}
Status cuEventDestroy_v2(EventHandle event) {
  delete event;
  return 0;
}
Status cuEventRecord(EventHandle event, StreamHandle) {
  event->ms = state().now_ms;
  return 0;
}
Status cuEventSynchronize(EventHandle) { return 0; }
Status cuEventElapsedTime(float* ms, EventHandle from, EventHandle to) {
  *ms = to->ms - from->ms;
  return 0;
}
Status cuGraphCreate(GraphHandle* graph, unsigned) {
  *graph = new CUgraph_st;
  return 0;
}
Status cuGraphDestroy(GraphHandle graph) {
  delete graph;
  return 0;
}
Status cuGraphAddKernelNode(GraphNodeHandle* added, GraphHandle graph, const GraphNodeHandle* after,
                            std::size_t count, const KernelNode* node) {
  if (count > 1) return kInvalidValue;
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(node_of(*node)));
  graph->nodes.back()->after = count == 0 ? nullptr : *after;
  *added = graph->nodes.back().get();
  return 0;
}
/// Adds an edge of one of two kinds; some drivers refuse the early one.
Status cuGraphAddDependencies_v2(GraphHandle, const GraphNodeHandle* from, const GraphNodeHandle* to,
                                 const GraphEdge* edge, std::size_t count) {
  const bool refuses = std::getenv("STAND_IN_REFUSES_EARLY_STARTS") != nullptr;
  if (count != 1 || (*to)->after != nullptr || (edge->type == 1 && (refuses || edge->from_port != 1)))
    return kInvalidValue;
  (*to)->after = *from;
  return 0;
}
/// A chain: nodes that wait for nothing, or two for the same one, could run in any order.
Status cuGraphInstantiateWithFlags(GraphExecHandle* exec, GraphHandle graph, unsigned long long) {
  auto made = std::make_unique<CUgraphExec_st>();
  const CUgraphNode_st* last = nullptr;
  for (const auto& node : graph->nodes) {
    if (node->after != last) return kInvalidValue;
    made->nodes.push_back(*node);
    last = node.get();
  }
  *exec = made.release();
  return 0;
}
Status cuGraphExecDestroy(GraphExecHandle exec) {
  delete exec;
  return 0;
}
Status cuGraphLaunch(GraphExecHandle exec, StreamHandle) {
  for (const CUgraphNode_st& node : exec->nodes) {
    if (const Status status = run(node); status != 0) return status;
  }
  return 0;
}
Status cuGetErrorString(Status status, const char** text) {
  static const std::map<Status, const char*> texts{
      {kInvalidValue, "invalid argument"},
      {kOutOfMemory, "out of memory"},
      {kInvalidPtx, "a PTX JIT compilation failed"},
      {kNotFound, "named symbol not found"},
      {kIllegalAddress, "an illegal memory access was encountered"}};
  const auto found = texts.find(status);
  *text = found == texts.end() ? nullptr : found->second;
  return found == texts.end() ? kInvalidValue : 0;
}

}  // extern "C"
