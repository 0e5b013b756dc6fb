#include "backends/llvm/device/compile_object.h"

#include <fmt/format.h>

#include <memory>

#include "backends/llvm/device/define_math.h"
#include "tensordsl/error.h"

namespace tensordsl::host {
namespace {

// The C API's enumerations, which are the same in LLVM 15 to 19.
constexpr int kAggressive = 3;           // LLVMCodeGenLevelAggressive
constexpr int kPositionIndependent = 2;  // LLVMRelocPIC
constexpr int kSmallModel = 3;           // LLVMCodeModelSmall
constexpr int kObjectFile = 1;           // LLVMObjectFile
constexpr int kReturnStatus = 2;         // LLVMReturnStatusAction

template <typename Handle>
struct Disposer {
  void (*dispose)(Handle) = nullptr;
  void operator()(Handle handle) const { dispose(handle); }
};

template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Disposer<Handle>>;

template <typename Handle>
Owned<Handle> own(Handle handle, void (*dispose)(Handle)) {
  return Owned<Handle>(handle, Disposer<Handle>{dispose});
}

[[noreturn]] void fail(const LlvmLibrary& llvm, const KernelSource& kernel, std::string_view step,
                       const std::string& reason) {
  throw DeviceError(fmt::format("kernel {} does not build on this machine's processor: {} {} it: {}",
                                kernel.entry, llvm.file(), step, reason));
}

Owned<TargetMachineRef> make_machine(const LlvmLibrary& llvm, const Processor& processor,
                                     const KernelSource& kernel) {
  TargetRef target = nullptr;
  char* message = nullptr;
  if (llvm.get_target_from_triple(processor.triple.c_str(), &target, &message) != 0)
    fail(llvm, kernel, "has no target for", llvm.take(message));
  return own(
      llvm.create_target_machine(target, processor.triple.c_str(), processor.name.c_str(),
                                 processor.features.c_str(), kAggressive, kPositionIndependent, kSmallModel),
      llvm.dispose_target_machine);
}

void optimize(const LlvmLibrary& llvm, const KernelSource& kernel, ModuleRef module,
              TargetMachineRef machine) {
  const auto options = own(llvm.create_pass_options(), llvm.dispose_pass_options);
  llvm.set_loop_vectorization(options.get(), 1);
  llvm.set_slp_vectorization(options.get(), 1);
  llvm.set_loop_interleaving(options.get(), 1);
  const std::string error = llvm.message_of(llvm.run_passes(module, "default<O3>", machine, options.get()));
  if (!error.empty()) fail(llvm, kernel, "failed to optimize", error);
}

}  // namespace

Processor this_processor(const LlvmLibrary& llvm) {
  Processor processor;
  processor.triple = llvm.take(llvm.get_default_target_triple());
  processor.name = llvm.take(llvm.get_host_cpu_name());
  processor.features = llvm.take(llvm.get_host_cpu_features());
  const auto has = [&](std::string_view feature) {
    return processor.features.find(feature) != std::string::npos;
  };
  processor.vector_bits = has("+avx512f") ? 512 : has("+avx2") ? 256 : 128;
  return processor;
}

runtime::ProgramBinary compile_object(const LlvmLibrary& llvm, const Processor& processor,
                                      const KernelSource& kernel) {
  const std::string text = define_math_functions(kernel.text, processor.vector_bits, process_has_function);
  const auto context = own(llvm.context_create(), llvm.context_dispose);
  // Errors are returned by the calls; the default handler would print them, too.
  llvm.context_set_diagnostic_handler(
      context.get(), [](DiagnosticRef, void*) {}, nullptr);
  ModuleRef parsed = nullptr;
  char* message = nullptr;
  if (llvm.parse_ir(context.get(),
                    llvm.create_memory_buffer_copy(text.data(), text.size(), kernel.entry.c_str()), &parsed,
                    &message) != 0) {
    fail(llvm, kernel, "failed to parse", llvm.take(message));
  }
  const auto module = own(parsed, llvm.dispose_module);
  const bool is_broken = llvm.verify_module(module.get(), kReturnStatus, &message) != 0;
  const std::string why = llvm.take(message);
  if (is_broken) fail(llvm, kernel, "failed to verify", why);
  const auto machine = make_machine(llvm, processor, kernel);
  const auto layout = own(llvm.create_target_data_layout(machine.get()), llvm.dispose_target_data);
  llvm.set_target(module.get(), processor.triple.c_str());
  llvm.set_module_data_layout(module.get(), layout.get());
  const std::string width = fmt::format("{}", processor.vector_bits);
  for (ValueRef f = llvm.get_first_function(module.get()); f != nullptr; f = llvm.get_next_function(f)) {
    if (llvm.is_declaration(f) != 0) continue;
    llvm.add_function_attribute(f, "target-cpu", processor.name.c_str());
    llvm.add_function_attribute(f, "target-features", processor.features.c_str());
    // The schedule has chosen vectors of this width.
    llvm.add_function_attribute(f, "prefer-vector-width", width.c_str());
    llvm.add_function_attribute(f, "min-legal-vector-width", width.c_str());
  }
  optimize(llvm, kernel, module.get(), machine.get());
  MemoryBufferRef emitted = nullptr;
  if (llvm.emit_to_memory_buffer(machine.get(), module.get(), kObjectFile, &message, &emitted) != 0)
    fail(llvm, kernel, "failed to generate code for", llvm.take(message));
  const auto object = own(emitted, llvm.dispose_memory_buffer);
  const auto* bytes = reinterpret_cast<const unsigned char*>(llvm.get_buffer_start(object.get()));
  return {bytes, bytes + llvm.get_buffer_size(object.get())};
}

}  // namespace tensordsl::host
