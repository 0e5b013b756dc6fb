#include "runtime/json/program_schema.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/source_dir.h"

using namespace tensordsl;

TEST_CASE("program: program.schema.json is that of the fields") {
  const std::string path = (source_dir() / "src/runtime/json/program.schema.json").string();
  if (std::getenv("TENSORDSL_UPDATE_DOCS")) std::ofstream(path) << runtime::program_schema();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == runtime::program_schema());
}
