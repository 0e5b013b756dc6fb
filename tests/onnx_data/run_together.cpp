#include "onnx_data/run_together.h"

#include <fmt/format.h>

#include "onnx_data/compare.h"
#include "runtime/program/combine_kernels.h"
#include "runtime/program/merge_programs.h"
#include "tensordsl/runner.h"

namespace tensordsl::conformance {
namespace {

std::optional<std::string> differences(const Prepared& prepared, const std::vector<Buffer>& outputs,
                                       std::size_t first) {
  for (std::size_t i = 0; i < prepared.data.outputs.size(); ++i) {
    const auto found = difference(outputs[first + i], prepared.data.outputs[i]);
    if (found) return fmt::format("output '{}': {}", prepared.program->outputs[i].name, *found);
  }
  return std::nullopt;
}

/// The host stops a run to read counts, so such a Program runs by itself.
std::optional<std::string> run_alone(const Prepared& prepared, Device& device) {
  Runner runner(prepared.program, device);
  for (const auto& [name, value] : prepared.data.inputs) runner.write(name, value);
  runner.run();
  return differences(prepared, runner.read_all(), 0);
}

bool is_for_itself(const Prepared* prepared) {
  return !prepared->program->counts.empty() || !prepared->program->host_steps.empty();
}

std::vector<std::optional<std::string>> run_merged(const std::vector<const Prepared*>& prepared,
                                                   Device& device) {
  std::vector<runtime::NamedProgram> programs;
  for (const Prepared* p : prepared) programs.push_back({fmt::format("{}", programs.size()), p->program});
  const auto merged =
      std::make_shared<const Program>(runtime::with_combined_kernels(runtime::merge_programs(programs)));
  Runner runner(merged, device);
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    for (const auto& [name, value] : prepared[i]->data.inputs)
      runner.write(fmt::format("{}/{}", i, name), value);
  }
  runner.run();
  const std::vector<Buffer> outputs = runner.read_all();
  std::vector<std::optional<std::string>> found;
  std::size_t first = 0;
  for (const Prepared* p : prepared) {
    found.push_back(differences(*p, outputs, first));
    first += p->program->outputs.size();
  }
  return found;
}

}  // namespace

std::vector<std::optional<std::string>> run_together(const std::vector<const Prepared*>& prepared,
                                                     Device& device) {
  std::vector<const Prepared*> others;
  for (const Prepared* p : prepared) {
    if (!is_for_itself(p)) others.push_back(p);
  }
  const auto merged = others.empty() ? std::vector<std::optional<std::string>>() : run_merged(others, device);
  std::vector<std::optional<std::string>> found;
  std::size_t next = 0;
  for (const Prepared* p : prepared)
    found.push_back(is_for_itself(p) ? run_alone(*p, device) : merged[next++]);
  return found;
}

}  // namespace tensordsl::conformance
