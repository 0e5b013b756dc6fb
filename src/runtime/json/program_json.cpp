// A Program -> JSON
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json/field_writer.h"
#include "base/json_text.h"
#include "runtime/json/program_fields.h"
#include "runtime/json/program_text.h"
#include "tensordsl/program.h"

namespace tensordsl {

using nlohmann::ordered_json;

namespace {

int version_of(const Program& program) {
  if (!program.loops.empty()) return runtime::kVersionWithLoops;
  if (!program.states.empty()) return runtime::kVersionWithStates;
  if (std::ranges::any_of(program.tensors, runtime::is_shared_image))
    return runtime::kVersionWithSharedImages;
  if (std::ranges::any_of(program.tensors, runtime::has_offset)) return runtime::kVersionWithOffsets;
  return program.counts.empty() && program.host_steps.empty() ? runtime::kFirstVersion
                                                              : runtime::kVersionWithSteps;
}

class ProgramWriter : public FieldWriter {
 public:
  explicit ProgramWriter(const runtime::ProgramFiles& files) : files_(files) {}

  void kernels(const Program& program) {
    ordered_json list = ordered_json::array();
    for (const KernelSource& kernel : program.kernels) {
      list.push_back(parse_json(to_json(kernel)));
      list.back()["file"] = file_of(kernel, list.size() - 1);
    }
    here_["kernels"] = std::move(list);
  }

  void constants(const Program& program) {
    part("constants", ConstantsFields{files_.constants, program.constants.size});
  }

 private:
  std::string file_of(const KernelSource& kernel, std::size_t number) const {
    if (!files_.kernels.empty()) return files_.kernels;
    return fmt::format("{:03}_{}.{}", number, kernel.entry, kernel.backend == kLlvmBackend ? "ll" : "cl");
  }

  const runtime::ProgramFiles& files_;
};

}  // namespace

std::string to_json(const Program& program) { return runtime::program_text(program, {}); }

std::string runtime::program_text(const Program& program, const runtime::ProgramFiles& files) {
  ProgramWriter writer(files);
  visit_fields(program, writer);
  ordered_json json{{"version", version_of(program)}};
  json.update(writer.take());
  return dump_json(json, 2) + "\n";
}

}  // namespace tensordsl
