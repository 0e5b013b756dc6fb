#include "backends/llvm/device/loaded_code.h"

#include <fmt/format.h>

#include <utility>

#include "tensordsl/error.h"

namespace tensordsl::host {

LoadedCode::LoadedCode(std::shared_ptr<const LlvmLibrary> llvm, const runtime::ProgramBinary& object,
                       const std::string& entry)
    : llvm_(std::move(llvm)) {
  // Collects reports of failed look-ups: their error lacks the reason, and the default handler prints it.
  struct Reports {
    const LlvmLibrary& llvm;
    std::string text;
    static void add(void* self, ErrorRef error) {
      auto& reports = *static_cast<Reports*>(self);
      reports.text += (reports.text.empty() ? "" : "; ") + reports.llvm.message_of(error);
    }
  } reports{*llvm_, ""};
  // Owner of the JIT: if the constructor throws, the class's destructor does not run.
  struct Jit {
    const LlvmLibrary& llvm;
    JitRef handle = nullptr;
    ~Jit() {
      if (handle != nullptr) llvm.message_of(llvm.dispose_jit(handle));
    }
  } jit{*llvm_};
  const auto check = [&](ErrorRef error) {
    if (const std::string message = llvm_->message_of(error); !message.empty())
      throw DeviceError(fmt::format("kernel {} cannot be loaded by {}: {}", entry, llvm_->file(),
                                    reports.text.empty() ? message : reports.text));
  };
  check(llvm_->create_jit(&jit.handle, nullptr));
  llvm_->set_error_reporter(llvm_->get_session(jit.handle), Reports::add, &reports);
  const DylibRef symbols = llvm_->get_main_dylib(jit.handle);
  GeneratorRef process = nullptr;
  check(llvm_->create_process_generator(&process, llvm_->get_global_prefix(jit.handle), nullptr, nullptr));
  llvm_->add_generator(symbols, process);
  check(llvm_->add_object_file(jit.handle, symbols,
                               llvm_->create_memory_buffer_copy(reinterpret_cast<const char*>(object.data()),
                                                                object.size(), entry.c_str())));
  std::uint64_t address = 0;
  check(llvm_->look_up(jit.handle, &address, entry.c_str()));
  entry_ = reinterpret_cast<EntryFunction>(address);
  llvm_->set_error_reporter(
      llvm_->get_session(jit.handle),
      [](void* library, ErrorRef error) { static_cast<const LlvmLibrary*>(library)->message_of(error); },
      const_cast<LlvmLibrary*>(llvm_.get()));
  jit_ = std::exchange(jit.handle, nullptr);
}

LoadedCode::~LoadedCode() { llvm_->message_of(llvm_->dispose_jit(jit_)); }

}  // namespace tensordsl::host
