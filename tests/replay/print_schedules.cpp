// Writes a C++ file with the schedule of every case as a function.
#include <fmt/format.h>

#include <fstream>

#include "replay/cases.h"
#include "tensordsl/schedule.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::string functions, names;
  for (const auto& c : tensordsl::replay::replay_cases()) {
    functions += tensordsl::Schedule::of(c.scheduled).to_cpp("schedule_" + c.name) + "\n";
    names += c.scheduled.size() > 1
                 ? fmt::format("    schedule_{},\n", c.name)
                 : fmt::format("    [](const std::vector<Func>& outputs) {{ schedule_{}(outputs[0]); }},\n",
                               c.name);
  }
  std::ofstream file(argv[1]);
  file << "#include \"tensordsl/tensordsl.h\"\n\n#include \"replay/cases.h\"\n\nnamespace {\n\n"
       << functions
       << "}  // namespace\n\nnamespace tensordsl::replay {\n\nstd::vector<ReplayFunction> "
          "replayed_schedules() {\n  return {\n"
       << names << "  };\n}\n\n}  // namespace tensordsl::replay\n";
  file.close();
  return file ? 0 : 1;
}
