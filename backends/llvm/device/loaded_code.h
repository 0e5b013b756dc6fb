// Machine code in memory, by LLVM's ORC.
#pragma once

#include <memory>
#include <string>

#include "backends/llvm/device/compile_object.h"

namespace tensordsl::host {

/// Runs the work-groups [first, last): see backends/llvm/emit/emit_llvm.h.
using EntryFunction = void (*)(const void* arguments, std::int64_t first, std::int64_t last);

/// The code stays loaded as long as this object exists.
class LoadedCode {
 public:
  /// Loads the object. Throws DeviceError if it has no such entry, or calls functions that the process does
  /// not have.
  LoadedCode(std::shared_ptr<const LlvmLibrary> llvm, const runtime::ProgramBinary& object,
             const std::string& entry);
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;
  ~LoadedCode();

  EntryFunction entry() const { return entry_; }

 private:
  std::shared_ptr<const LlvmLibrary> llvm_;
  JitRef jit_ = nullptr;
  EntryFunction entry_ = nullptr;
};

}  // namespace tensordsl::host
