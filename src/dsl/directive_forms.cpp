#include <fmt/format.h>

#include <array>

#include "dsl/schedule_data.h"
#include "tensordsl/error.h"

namespace tensordsl::schedule {
namespace {

using Arguments = std::vector<Argument>;

constexpr auto kVar = ArgumentKind::Var, kVars = ArgumentKind::Vars, kInteger = ArgumentKind::Integer,
               kIntegers = ArgumentKind::Integers, kTail = ArgumentKind::Tail, kText = ArgumentKind::Text,
               kScope = ArgumentKind::Scope, kImage = ArgumentKind::Image, kFunc = ArgumentKind::Func,
               kStage = ArgumentKind::Stage, kLaunchExpr = ArgumentKind::LaunchExpr,
               kLaunchExprs = ArgumentKind::LaunchExprs, kFuncs = ArgumentKind::Funcs;

Var var(const Arguments& a, std::size_t i) { return Var(std::get<VarName>(a[i]).name); }
int integer(const Arguments& a, std::size_t i) { return std::get<int>(a[i]); }
Tail tail(const Arguments& a, std::size_t i) { return std::get<Tail>(a[i]); }

template <std::size_t N>
std::array<int, N> integers(const Arguments& a, std::size_t i) {
  const auto& values = std::get<std::vector<int>>(a[i]);
  if (values.size() != N)
    throw ScheduleError(fmt::format("gpu_tile of {} loops: found {} sizes", N, values.size()));
  std::array<int, N> result{};
  for (std::size_t n = 0; n < N; ++n) result[n] = values[n];
  return result;
}

std::vector<Var> vars(const Arguments& a, std::size_t i) {
  std::vector<Var> result;
  for (const VarName& v : std::get<std::vector<VarName>>(a[i])) result.emplace_back(v.name);
  return result;
}

std::vector<Expr> exprs(const Arguments& a, std::size_t i) {
  std::vector<Expr> result;
  for (const LaunchExpr& e : std::get<std::vector<LaunchExpr>>(a[i])) result.push_back(e.expr);
  return result;
}

Expr expr(const Arguments& a, std::size_t i) { return std::get<LaunchExpr>(a[i]).expr; }

}  // namespace

const std::vector<DirectiveForm>& directive_forms() {
  static const std::vector<DirectiveForm> forms{
      {"split",
       {kVar, kVar, kVar, kInteger, kTail},
       [](auto& s, auto& a, auto&) { s.split(var(a, 0), var(a, 1), var(a, 2), integer(a, 3), tail(a, 4)); }},
      {"fuse", {kVar, kVar, kVar}, [](auto& s, auto& a, auto&) { s.fuse(var(a, 0), var(a, 1), var(a, 2)); }},
      {"reorder", {kVars}, [](auto& s, auto& a, auto&) { s.reorder(vars(a, 0)); }},
      {"unroll", {kVar}, [](auto& s, auto& a, auto&) { s.unroll(var(a, 0)); }},
      {"unroll",
       {kVar, kInteger, kTail},
       [](auto& s, auto& a, auto&) { s.unroll(var(a, 0), integer(a, 1), tail(a, 2)); }},
      {"vectorize", {kVar}, [](auto& s, auto& a, auto&) { s.vectorize(var(a, 0)); }},
      {"vectorize",
       {kVar, kInteger, kTail},
       [](auto& s, auto& a, auto&) { s.vectorize(var(a, 0), integer(a, 1), tail(a, 2)); }},
      {"gpu_blocks", {kVar}, [](auto& s, auto& a, auto&) { s.gpu_blocks(var(a, 0)); }},
      {"gpu_blocks", {kVar, kVar}, [](auto& s, auto& a, auto&) { s.gpu_blocks(var(a, 0), var(a, 1)); }},
      {"gpu_blocks",
       {kVar, kVar, kVar},
       [](auto& s, auto& a, auto&) { s.gpu_blocks(var(a, 0), var(a, 1), var(a, 2)); }},
      {"gpu_threads", {kVar}, [](auto& s, auto& a, auto&) { s.gpu_threads(var(a, 0)); }},
      {"gpu_threads", {kVar, kVar}, [](auto& s, auto& a, auto&) { s.gpu_threads(var(a, 0), var(a, 1)); }},
      {"gpu_threads",
       {kVar, kVar, kVar},
       [](auto& s, auto& a, auto&) { s.gpu_threads(var(a, 0), var(a, 1), var(a, 2)); }},
      {"gpu_lanes", {kVar}, [](auto& s, auto& a, auto&) { s.gpu_lanes(var(a, 0)); }},
      {"matrix_multiply",
       {kVar, kVar, kVar},
       [](auto& s, auto& a, auto&) { s.matrix_multiply(var(a, 0), var(a, 1), var(a, 2)); }},
      {"gpu_tile",
       {kVar, kInteger, kTail},
       [](auto& s, auto& a, auto&) { s.gpu_tile(var(a, 0), integer(a, 1), tail(a, 2)); }},
      {"gpu_tile",
       {kVar, kVar, kIntegers, kTail},
       [](auto& s, auto& a, auto&) { s.gpu_tile(var(a, 0), var(a, 1), integers<2>(a, 2), tail(a, 3)); }},
      {"gpu_tile",
       {kVar, kVar, kVar, kIntegers, kTail},
       [](auto& s, auto& a, auto&) {
         s.gpu_tile(var(a, 0), var(a, 1), var(a, 2), integers<3>(a, 3), tail(a, 4));
       }},
      {"specialize", {kLaunchExpr}, [](auto& s, auto& a, auto&) { s.specialize(expr(a, 0)); }},
      {"compute_root", {}, [](auto& s, auto&, auto&) { s.compute_root(); }},
      {"compute_at",
       {kStage, kVar},
       [](auto& s, auto& a, auto& outputs) {
         s.compute_at(find_stage(outputs, std::get<StageName>(a[0])), var(a, 1));
       }},
      {"store_at",
       {kStage, kVar},
       [](auto& s, auto& a, auto& outputs) {
         s.store_at(find_stage(outputs, std::get<StageName>(a[0])), var(a, 1));
       }},
      {"fold_storage",
       {kVar, kInteger},
       [](auto& s, auto& a, auto&) { s.fold_storage(var(a, 0), integer(a, 1)); }},
      {"compute_with",
       {kStage, kVar},
       [](auto& s, auto& a, auto& outputs) {
         s.compute_with(find_stage(outputs, std::get<StageName>(a[0])), var(a, 1));
       }},
      {"compute_inline", {}, [](auto& s, auto&, auto&) { s.compute_inline(); }},
      {"bound", {kLaunchExprs}, [](auto& s, auto& a, auto&) { s.bound(exprs(a, 0)); }},
      {"layout", {kText}, [](auto& s, auto& a, auto&) { s.layout(std::get<std::string>(a[0])); }},
      {"align_storage",
       {kVar, kInteger},
       [](auto& s, auto& a, auto&) { s.align_storage(var(a, 0), integer(a, 1)); }},
      {"trace_loads", {}, [](auto& s, auto&, auto&) { s.trace_loads(); }},
      {"trace_stores", {}, [](auto& s, auto&, auto&) { s.trace_stores(); }},
      {"set_image", {kImage}, [](auto& s, auto& a, auto&) { s.set_image(std::get<ImageKind>(a[0])); }},
      {"store_in", {kScope}, [](auto& s, auto& a, auto&) { s.store_in(std::get<MemoryScope>(a[0])); }},
      {"autobroadcast", {}, [](auto& s, auto&, auto&) { s.autobroadcast(); }},
      {"half_arithmetic", {}, [](auto& s, auto&, auto&) { s.half_arithmetic(); }},
      {"double_buffer", {}, [](auto& s, auto&, auto&) { s.double_buffer(); }},
      {"in",
       {kFunc},
       [](auto& s, auto& a, auto& outputs) {
         producer(outputs, s.function_name()).in(producer(outputs, std::get<FuncName>(a[0]).name));
       }},
      {"in",
       {kFunc, kFuncs},
       [](auto& s, auto& a, auto& outputs) {
         std::vector<Func> others;
         for (const FuncName& f : std::get<std::vector<FuncName>>(a[1]))
           others.push_back(producer(outputs, f.name));
         producer(outputs, s.function_name()).in(producer(outputs, std::get<FuncName>(a[0]).name), others);
       }},
      {"rfactor", {kVar, kVar}, [](auto& s, auto& a, auto&) { s.rfactor(var(a, 0), var(a, 1)); }},
      {"rfactor_in_half",
       {kVars, kVars},
       [](auto& s, auto& a, auto&) { s.rfactor_in_half(vars(a, 0), vars(a, 1)); }},
      {"split_k",
       {kVar, kInteger, kVar},
       [](auto& s, auto& a, auto&) { s.split_k(var(a, 0), integer(a, 1), var(a, 2)); }},
  };
  return forms;
}

Stage find_stage(const std::vector<Func>& outputs, const StageName& name) {
  const Func f = producer(outputs, name.function);
  const Stage stage = name.place.definition == 0 ? Stage(f) : f.update(name.place.definition - 1);
  return name.place.specialization < 0 ? stage : stage.specialization(name.place.specialization);
}

const DirectiveForm* find_form(std::string_view name, std::size_t arguments) {
  for (const DirectiveForm& form : directive_forms()) {
    if (form.name == name && form.parameters.size() == arguments) return &form;
  }
  return nullptr;
}

}  // namespace tensordsl::schedule
