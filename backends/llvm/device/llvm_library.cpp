#include "backends/llvm/device/llvm_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace tensordsl::host {
namespace {

#if defined(__x86_64__)
constexpr const char* kTarget = "X86";
#elif defined(__aarch64__)
constexpr const char* kTarget = "AArch64";
#else
constexpr const char* kTarget = "";
#endif

struct File {
  void* handle = nullptr;
  std::string name;
};

File open_file(std::string& why_not) {
  const char* chosen = std::getenv("TENSORDSL_LLVM");
  if (chosen != nullptr && *chosen != '\0') {
    if (void* handle = dlopen(chosen, RTLD_NOW | RTLD_LOCAL)) return {handle, chosen};
    why_not = fmt::format("TENSORDSL_LLVM={}: cannot load the library: {}", chosen, dlerror());
    return {};
  }
  for (int version = 19; version >= 15; --version) {
    for (const char* form : {"libLLVM.so.{}.1", "libLLVM-{}.so.1", "libLLVM-{}.so"}) {
      std::string name = fmt::format(fmt::runtime(form), version);
      if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, std::move(name)};
    }
  }
  why_not = "LLVM 15 to 19 was not found (on Debian: apt-get install libllvm15)";
  return {};
}

}  // namespace

std::shared_ptr<const LlvmLibrary> LlvmLibrary::load(std::string* why_not) {
  std::string reason;
  const auto refuse = [&] {
    if (why_not != nullptr) *why_not = reason;
    return nullptr;
  };
  if (*kTarget == '\0') {
    reason = "this processor is neither x86-64 nor aarch64";
    return refuse();
  }
  File file = open_file(reason);
  if (file.handle == nullptr) return refuse();
  const auto library = std::make_shared<LlvmLibrary>();
  library->file_ = file.name;
  std::string missing;
  const auto find = [&](auto& function, const std::string& name) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(file.handle, name.c_str()));
    if (function == nullptr && missing.empty()) missing = name;
  };
  LlvmLibrary& l = *library;
  find(l.context_create, "LLVMContextCreate");
  find(l.context_dispose, "LLVMContextDispose");
  find(l.context_set_diagnostic_handler, "LLVMContextSetDiagnosticHandler");
  find(l.create_memory_buffer_copy, "LLVMCreateMemoryBufferWithMemoryRangeCopy");
  find(l.dispose_memory_buffer, "LLVMDisposeMemoryBuffer");
  find(l.get_buffer_start, "LLVMGetBufferStart");
  find(l.get_buffer_size, "LLVMGetBufferSize");
  find(l.parse_ir, "LLVMParseIRInContext");
  find(l.dispose_module, "LLVMDisposeModule");
  find(l.dispose_message, "LLVMDisposeMessage");
  find(l.verify_module, "LLVMVerifyModule");
  find(l.set_target, "LLVMSetTarget");
  find(l.set_module_data_layout, "LLVMSetModuleDataLayout");
  find(l.get_first_function, "LLVMGetFirstFunction");
  find(l.get_next_function, "LLVMGetNextFunction");
  find(l.is_declaration, "LLVMIsDeclaration");
  find(l.add_function_attribute, "LLVMAddTargetDependentFunctionAttr");
  find(l.get_default_target_triple, "LLVMGetDefaultTargetTriple");
  find(l.get_host_cpu_name, "LLVMGetHostCPUName");
  find(l.get_host_cpu_features, "LLVMGetHostCPUFeatures");
  find(l.get_target_from_triple, "LLVMGetTargetFromTriple");
  find(l.create_target_machine, "LLVMCreateTargetMachine");
  find(l.dispose_target_machine, "LLVMDisposeTargetMachine");
  find(l.create_target_data_layout, "LLVMCreateTargetDataLayout");
  find(l.dispose_target_data, "LLVMDisposeTargetData");
  find(l.emit_to_memory_buffer, "LLVMTargetMachineEmitToMemoryBuffer");
  find(l.create_pass_options, "LLVMCreatePassBuilderOptions");
  find(l.dispose_pass_options, "LLVMDisposePassBuilderOptions");
  find(l.set_loop_vectorization, "LLVMPassBuilderOptionsSetLoopVectorization");
  find(l.set_slp_vectorization, "LLVMPassBuilderOptionsSetSLPVectorization");
  find(l.set_loop_interleaving, "LLVMPassBuilderOptionsSetLoopInterleaving");
  find(l.run_passes, "LLVMRunPasses");
  find(l.get_error_message, "LLVMGetErrorMessage");
  find(l.dispose_error_message, "LLVMDisposeErrorMessage");
  find(l.create_jit, "LLVMOrcCreateLLJIT");
  find(l.dispose_jit, "LLVMOrcDisposeLLJIT");
  find(l.get_session, "LLVMOrcLLJITGetExecutionSession");
  find(l.set_error_reporter, "LLVMOrcExecutionSessionSetErrorReporter");
  find(l.get_main_dylib, "LLVMOrcLLJITGetMainJITDylib");
  find(l.add_object_file, "LLVMOrcLLJITAddObjectFile");
  find(l.look_up, "LLVMOrcLLJITLookup");
  find(l.get_global_prefix, "LLVMOrcLLJITGetGlobalPrefix");
  find(l.create_process_generator, "LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess");
  find(l.add_generator, "LLVMOrcJITDylibAddGenerator");
  std::array<void (*)(), 4> initializers{};
  const std::array<const char*, 4> parts{"TargetInfo", "Target", "TargetMC", "AsmPrinter"};
  for (std::size_t i = 0; i < parts.size(); ++i)
    find(initializers[i], fmt::format("LLVMInitialize{}{}", kTarget, parts[i]));
  if (!missing.empty()) {
    reason = fmt::format("{} has no {}", library->file_, missing);
    return refuse();
  }
  for (void (*initialize)() : initializers) initialize();
  // Kernels call functions of mathematics; a program need not have them all, or show them.
  for (const char* name : {"libm.so.6", "libmvec.so.1"}) dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  return library;
}

std::string LlvmLibrary::message_of(ErrorRef error) const {
  if (error == nullptr) return "";
  char* text = get_error_message(error);
  std::string message = text;
  dispose_error_message(text);
  return message.empty() ? "an error without a message" : message;
}

std::string LlvmLibrary::take(char* message) const {
  if (message == nullptr) return "";
  std::string text = message;
  dispose_message(message);
  return text;
}

}  // namespace tensordsl::host
