// Pipelines that are refused when they are compiled: each stops at its last line.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "schedule/func_schedule.h"

namespace tensordsl::docs {
namespace {

void read_outside() {
  // [read_outside]
  Func f("f");
  f(x) = row(x) + row(x + 1);
  f.bound({8});
  Pipeline(f).compile();
  // [end]
}

void unbounded_index() {
  // [unbounded_index]
  const Input place("place", Int(32), {4});
  Func f("f");
  f(x) = row(place(x));
  f.bound({4});
  Pipeline(f).compile();
  // [end]
}

void endless_update() {
  // [endless_update]
  Func f("f");
  f(x) = row(x);
  f(x) = f(x) + f(x - 1);
  f.bound({8});
  Pipeline(f).compile();
  // [end]
}

/// Two Funcs that own each other would outlive the test.
struct Unlinked {
  Func f;
  ~Unlinked() { f.shared()->definitions.clear(); }
};

void mutual() {
  Func f("f"), g("g");
  const Unlinked unlinked{f};
  // [mutual]
  f(x) = x;
  g(x) = f(x) * 2;
  f(x) += g(x);
  Pipeline(f).compile();
  // [end]
}

void equal_names() {
  // [equal_names]
  Func first("f"), second("f"), out("out");
  first(x) = x;
  second(x) = x + 1;
  out(x) = first(x) + second(x);
  Pipeline(out).compile();
  // [end]
}

void equal_params() {
  // [equal_params]
  const Param n("n"), m("n", Float(32));
  Func f("f");
  f(x) = cast<float>(x + n) * m;
  Pipeline(f).compile();
  // [end]
}

void param_and_func() {
  // [param_and_func]
  const Param n("n");
  Func f("n");
  f(x) = x * n;
  Pipeline(f).compile();
  // [end]
}

void undefined_output() {
  // [undefined_output]
  Func f("f");
  Pipeline(f).compile();
  // [end]
}

void large_tensor() {
  // [large_tensor]
  Func f("f");
  f(y, x) = y + x;
  f.bound({65536, 65536});
  Pipeline(f).compile();
  // [end]
}

void deep_expression() {
  // [deep_expression]
  Expr sum_of_many = row(0);
  for (int i = 0; i < 1600; ++i) sum_of_many = sum_of_many + row(i % 8);
  Func f("f");
  f(x) = sum_of_many;
  // [end]
}

void no_double() {
  DeviceInfo device;
  // [no_double]
  device.has_fp64 = false;
  Func f("f");
  f(x) = cast(Float(64), row(x));
  f.bound({8});
  Pipeline(f).compile(device);
  // [end]
}

void factor_is_not_exact() {
  // [factor_is_not_exact]
  Func f("f");
  f(x) = row(x);
  f.bound({6});
  f.split(x, Var("xo"), Var("xi"), 4, Tail::Exact);
  Pipeline(f).compile();
  // [end]
}

void unknown_loop() {
  // [unknown_loop]
  Func f("f");
  f(x) = row(x);
  f.vectorize(y);
  // [end]
}

void update_over_threads() {
  // [update_over_threads]
  Func f("f");
  f(x) = x;
  f(x) += f(7 - x);
  f.update().gpu_threads(x);
  // [end]
}

}  // namespace

std::vector<Refusal> pipeline_refusals() {
  return {{"read_outside", read_outside},     {"unbounded_index", unbounded_index},
          {"endless_update", endless_update}, {"mutual", mutual},
          {"equal_names", equal_names},       {"equal_params", equal_params},
          {"param_and_func", param_and_func}, {"undefined_output", undefined_output},
          {"large_tensor", large_tensor},     {"deep_expression", deep_expression},
          {"no_double", no_double},           {"factor_is_not_exact", factor_is_not_exact},
          {"unknown_loop", unknown_loop},     {"update_over_threads", update_over_threads}};
}

}  // namespace tensordsl::docs
