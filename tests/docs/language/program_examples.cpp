// How a program is put together.
#include <fmt/format.h>

#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string program() {
  // [program]
  const Input a("a", Float(32), {4}), b("b", Float(32), {4});
  Func scaled("scaled"), total("total");
  scaled(x) = a(x) * 2.0f;
  total(x) = scaled(x) + b(x);
  total.bound({4});

  Buffer A(Float(32), {4}), B(Float(32), {4});
  for (int i = 0; i < 4; ++i) A.set(i, i), B.set(i, 100);
  const Pipeline pipeline(total);
  const Buffer result = pipeline.realize({{"a", A}, {"b", B}}, *Device::open());
  // [end]
  std::string text = "result:";
  for (int i = 0; i < 4; ++i) text += " " + element_text(result, i);
  return text;
}

std::string runner() {
  Func out("out");
  out(x) = row(x) + 1.0f;
  out.bound({8});
  const auto data = counting(Float(32), {8});
  // [runner]
  const auto device = Device::open();  // must outlive the Runner
  const auto runner = Pipeline(out).prepare(*device);
  runner->write("row", data);
  for (int i = 0; i < 3; ++i) runner->run();
  const Buffer result = runner->read();
  // [end]
  return "result[0]: " + element_text(result, 0);
}

std::string shapes() {
  // [shapes]
  Func squares("squares");
  squares(x) = x * x;
  const auto device = Device::open();
  const Buffer four = Pipeline(squares).realize({}, *device, {}, {4});
  const Buffer six = Pipeline(squares).realize({}, *device, {}, {6});
  // [end]
  return fmt::format("four has {} elements, six has {}", four.elements(), six.elements());
}

std::string outputs() {
  const auto data = counting(Float(32), {8});
  // [outputs]
  Func low("low"), high("high");
  low(x) = row(x) - 1.0f;
  high(x) = low(x) * 10.0f;
  low.bound({3});
  high.bound({2});
  const Pipeline both({low, high});
  const std::vector<Buffer> results = both.realize_all({{"row", data}}, *Device::open());
  // [end]
  return results_of({low, high});
}

}  // namespace

std::vector<DocumentExample> program_examples() {
  return {{"program", program}, {"runner", runner}, {"shapes", shapes}, {"outputs", outputs}};
}

}  // namespace tensordsl::docs
