// To see what happens.
#include <fmt/format.h>

#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string interpreted() {
  const auto data = counting(Float(32), {8});
  // [interpreted]
  Func f("f");
  f(x) = row(x) * 2.0f;
  f.bound({8});
  const Pipeline pipeline(f);
  const std::vector<Buffer> defined = pipeline.interpret({{"row", data}});
  const std::vector<Buffer> simulated = pipeline.simulate({{"row", data}});
  // [end]
  return fmt::format("defined[0]: {} ..., simulated[0]: {} ...", element_text(defined[0], 0),
                     element_text(simulated[0], 0));
}

std::string value_at() {
  const auto data = counting(Float(32), {8});
  // [value_at]
  Func doubled("doubled"), out("out");
  doubled(x) = row(x) * 2.0f;
  out(x) = doubled(x) + 1.0f;
  out.bound({8});
  const std::vector<Buffer> value = Pipeline(out).value_at("doubled", {3}, {{"row", data}});
  // [end]
  return "value[0]: " + element_text(value[0], 0);
}

std::string trace() {
  const auto data = counting(Float(32), {8});
  std::string printed;
  const auto print = [&](const TraceEvent& e) { printed += e.to_string() + "\n"; };
  // [trace]
  Func doubled("doubled"), out("out");
  doubled(x) = row(x) * 2.0f;
  out(x) = doubled(x) + doubled(x + 1);
  out.bound({2});
  doubled.trace_stores();
  doubled.trace_loads();
  Pipeline(out).interpret({{"row", data}}, {}, {}, print);
  // [end]
  return printed;
}

std::string emit() {
  // [emit]
  Func out("out");
  out(x) = row(x) + 1.0f;
  out.bound({8});
  const std::string definitions = Pipeline(out).emit("funcs");
  // [end]
  return Pipeline(out).emit("funcs");
}

}  // namespace

std::vector<DocumentExample> debugging_examples() {
  return {{"interpreted", interpreted}, {"value_at", value_at}, {"trace", trace}, {"emit", emit}};
}

}  // namespace tensordsl::docs
