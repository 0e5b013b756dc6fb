#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "runtime/json/program_files.h"

namespace tensordsl::runtime {

std::vector<ProgramFile> files_of(const Program& program) {
  std::vector<ProgramFile> files;
  ProgramFile index{"program.json", to_json(program)};
  const auto names = parse_json(index.made);
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    files.push_back({names["kernels"][k]["file"].get<std::string>(), {}, program.kernels[k].text});
  if (program.constants.size > 0) {
    files.push_back({"constants.bin",
                     {},
                     {reinterpret_cast<const char*>(program.constants.data.get()), program.constants.size}});
  }
  files.push_back(std::move(index));
  return files;
}

}  // namespace tensordsl::runtime
