// The part of LLVM's C API that compiles kernels, loaded at run time: to build, nothing of LLVM is needed.
// LLVM 15 to 19 have these functions with these signatures. Their symbols carry versions, so that another
// LLVM in the process, say that of an OpenCL driver, is another set of functions. Source:
// llvm-c/{Core,IRReader,Target,TargetMachine,Analysis,Error,Orc,LLJIT}.h, llvm-c/Transforms/PassBuilder.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tensordsl::host {

using LlvmBool = int;
using ContextRef = struct LLVMOpaqueContext*;
using ModuleRef = struct LLVMOpaqueModule*;
using ValueRef = struct LLVMOpaqueValue*;
using MemoryBufferRef = struct LLVMOpaqueMemoryBuffer*;
using TargetRef = struct LLVMTarget*;
using TargetMachineRef = struct LLVMOpaqueTargetMachine*;
using TargetDataRef = struct LLVMOpaqueTargetData*;
using PassOptionsRef = struct LLVMOpaquePassBuilderOptions*;
using ErrorRef = struct LLVMOpaqueError*;
using DiagnosticRef = struct LLVMOpaqueDiagnosticInfo*;
using JitBuilderRef = struct LLVMOrcOpaqueLLJITBuilder*;
using JitRef = struct LLVMOrcOpaqueLLJIT*;
using DylibRef = struct LLVMOrcOpaqueJITDylib*;
using SessionRef = struct LLVMOrcOpaqueExecutionSession*;
using GeneratorRef = struct LLVMOrcOpaqueDefinitionGenerator*;

/// The functions by their names without "LLVM".
class LlvmLibrary {
 public:
  /// Loads the newest version that the machine has, or the one that TENSORDSL_LLVM names (a file's name or
  /// path). It stays loaded. Returns null, with the reason in `why_not` (which may be null), if there is none
  /// for this processor.
  static std::shared_ptr<const LlvmLibrary> load(std::string* why_not = nullptr);

  const std::string& file() const { return file_; }  ///< "libLLVM-15.so.1"
  /// Returns the text of an error and frees it; empty if there is none.
  std::string message_of(ErrorRef error) const;
  /// Returns the text and frees it.
  std::string take(char* message) const;

  ContextRef (*context_create)() = nullptr;
  void (*context_dispose)(ContextRef) = nullptr;
  void (*context_set_diagnostic_handler)(ContextRef, void (*)(DiagnosticRef, void*), void*) = nullptr;
  MemoryBufferRef (*create_memory_buffer_copy)(const char*, std::size_t, const char* name) = nullptr;
  void (*dispose_memory_buffer)(MemoryBufferRef) = nullptr;
  const char* (*get_buffer_start)(MemoryBufferRef) = nullptr;
  std::size_t (*get_buffer_size)(MemoryBufferRef) = nullptr;
  LlvmBool (*parse_ir)(ContextRef, MemoryBufferRef, ModuleRef*, char**) = nullptr;  ///< takes the buffer
  void (*dispose_module)(ModuleRef) = nullptr;
  void (*dispose_message)(char*) = nullptr;
  LlvmBool (*verify_module)(ModuleRef, int action, char**) = nullptr;
  void (*set_target)(ModuleRef, const char* triple) = nullptr;
  void (*set_module_data_layout)(ModuleRef, TargetDataRef) = nullptr;
  ValueRef (*get_first_function)(ModuleRef) = nullptr;
  ValueRef (*get_next_function)(ValueRef) = nullptr;
  LlvmBool (*is_declaration)(ValueRef) = nullptr;
  void (*add_function_attribute)(ValueRef, const char* name, const char* value) = nullptr;
  char* (*get_default_target_triple)() = nullptr;
  char* (*get_host_cpu_name)() = nullptr;
  char* (*get_host_cpu_features)() = nullptr;
  LlvmBool (*get_target_from_triple)(const char*, TargetRef*, char**) = nullptr;
  TargetMachineRef (*create_target_machine)(TargetRef, const char* triple, const char* cpu,
                                            const char* features, int optimization, int relocation,
                                            int code_model) = nullptr;
  void (*dispose_target_machine)(TargetMachineRef) = nullptr;
  TargetDataRef (*create_target_data_layout)(TargetMachineRef) = nullptr;
  void (*dispose_target_data)(TargetDataRef) = nullptr;
  LlvmBool (*emit_to_memory_buffer)(TargetMachineRef, ModuleRef, int file_type, char**,
                                    MemoryBufferRef*) = nullptr;
  PassOptionsRef (*create_pass_options)() = nullptr;
  void (*dispose_pass_options)(PassOptionsRef) = nullptr;
  void (*set_loop_vectorization)(PassOptionsRef, LlvmBool) = nullptr;
  void (*set_slp_vectorization)(PassOptionsRef, LlvmBool) = nullptr;
  void (*set_loop_interleaving)(PassOptionsRef, LlvmBool) = nullptr;
  ErrorRef (*run_passes)(ModuleRef, const char* passes, TargetMachineRef, PassOptionsRef) = nullptr;
  char* (*get_error_message)(ErrorRef) = nullptr;
  void (*dispose_error_message)(char*) = nullptr;
  ErrorRef (*create_jit)(JitRef*, JitBuilderRef) = nullptr;
  ErrorRef (*dispose_jit)(JitRef) = nullptr;
  SessionRef (*get_session)(JitRef) = nullptr;
  void (*set_error_reporter)(SessionRef, void (*)(void* context, ErrorRef), void* context) = nullptr;
  DylibRef (*get_main_dylib)(JitRef) = nullptr;
  ErrorRef (*add_object_file)(JitRef, DylibRef, MemoryBufferRef) = nullptr;  ///< takes the buffer
  ErrorRef (*look_up)(JitRef, std::uint64_t* address, const char* name) = nullptr;
  char (*get_global_prefix)(JitRef) = nullptr;
  ErrorRef (*create_process_generator)(GeneratorRef*, char prefix, void* filter, void* context) = nullptr;
  void (*add_generator)(DylibRef, GeneratorRef) = nullptr;

 private:
  std::string file_;
};

}  // namespace tensordsl::host
