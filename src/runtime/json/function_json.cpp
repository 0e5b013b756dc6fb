#include "runtime/json/function_json.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/json_integer.h"
#include "ir/nodes/sub_groups.h"
#include "ir/operations/operations.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

using ir::Definition;
using ir::Function;
using ir::FunctionPtr;
using nlohmann::ordered_json;

namespace {

ordered_json texts(const std::vector<Expr>& expressions) {
  ordered_json list = ordered_json::array();
  for (const Expr& e : expressions) list.push_back(ir::print(e));
  return list;
}

ordered_json definition_json(const Definition& definition) {
  ordered_json j{{"at", texts(definition.args)}, {"value", ir::print(definition.value())}};
  for (const ir::ReductionAxis& axis : definition.domain) {
    j["domain"].push_back(
        {{"name", axis.name}, {"min", ir::print(axis.min)}, {"extent", ir::print(axis.extent)}});
  }
  if (definition.predicate.defined()) j["where"] = ir::print(definition.predicate);
  return j;
}

class FunctionReader {
 public:
  std::vector<FunctionPtr> run(const ordered_json& json) {
    std::vector<FunctionPtr> result;
    for (const ordered_json& j : json) {
      result.push_back(function(j));
      if (!known_.emplace(result.back()->name, result.back()).second)
        fail(fmt::format("{} is defined twice", result.back()->name));
    }
    return result;
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw ParseError("program: " + what); }

  FunctionPtr function(const ordered_json& j) {
    auto result = std::make_shared<Function>();
    j.at("name").get_to(result->name);
    j.at("dims").get_to(result->dims);
    const auto type = parse_type(j.at("type").get<std::string>());
    if (!type) fail("unknown type " + word_of(j.at("type")));
    result->types = {*type};
    if (j.contains("shape")) {
      result->is_given = true;
      for (const ordered_json& extent : j.at("shape")) result->shape.push_back(expr(extent, nullptr));
      if (result->shape.size() != result->dims.size())
        fail(fmt::format("{} has {} dimensions, but {} extents", result->name, result->dims.size(),
                         result->shape.size()));
      for (const Expr& extent : result->shape) check_expr(*result, extent, {});
      return result;
    }
    for (const ordered_json& d : j.at("definitions")) {
      const bool is_first = result->definitions.empty();
      result->definitions.push_back(definition(d, is_first ? nullptr : result.get()));
      check(*result, result->definitions.back(), is_first);
    }
    if (result->definitions.empty()) fail(fmt::format("{} has no definition", result->name));
    return result;
  }

  Definition definition(const ordered_json& j, const Function* self) {
    Definition result;
    for (const ordered_json& arg : j.at("at")) result.args.push_back(expr(arg, self));
    result.values = {expr(j.at("value"), self)};
    if (j.contains("domain")) {
      for (const ordered_json& axis : j.at("domain"))
        result.domain.push_back({axis.at("name").get<std::string>(), expr(axis.at("min"), nullptr),
                                 expr(axis.at("extent"), nullptr)});
    }
    if (j.contains("where")) result.predicate = expr(j.at("where"), self);
    return result;
  }

  /// Checks the properties of expressions on which an interpreter relies: scalars, indices of i32, operations
  /// that it has. Only kernels have vectors, loads and operations of several work-items.
  static void check_expr(const Function& function, const Expr& expr, const std::set<std::string>& indices) {
    ir::visit(expr, [&](const Expr& e) {
      const bool is_index = e->kind == ir::ExprKind::Var && indices.contains(e->name);
      const bool is_computed = e->kind != ir::ExprKind::Intrinsic ||
                               (ir::operation_of(*e) != nullptr && !ir::is_sub_group_operation(*e));
      if (e.type().is_vector() || e->kind == ir::ExprKind::Load || !is_computed ||
          (is_index && e.type() != Int(32)))
        fail(fmt::format("a definition of {} has {}, which the host cannot compute", function.name,
                         ir::print(e)));
      return true;
    });
  }

  static void check_exprs(const Function& function, const Definition& definition) {
    std::set<std::string> indices(function.dims.begin(), function.dims.end());
    for (const ir::ReductionAxis& axis : definition.domain) {
      indices.insert(axis.name);
      check_expr(function, axis.min, {});
      check_expr(function, axis.extent, {});
    }
    for (const Expr& arg : definition.args) check_expr(function, arg, indices);
    for (const Expr& value : definition.values) check_expr(function, value, indices);
    if (definition.predicate.defined()) check_expr(function, definition.predicate, indices);
  }

  /// Checks the properties of definitions on which an interpreter relies.
  static void check(const Function& function, const Definition& definition, bool is_first) {
    bool fits =
        definition.args.size() == function.dims.size() && definition.value().type() == function.type();
    for (std::size_t d = 0; fits && d < definition.args.size(); ++d) {
      const Expr& arg = definition.args[d];
      fits = arg.type() == Int(32) &&
             (!is_first || (arg->kind == ir::ExprKind::Var && arg->name == function.dims[d]));
    }
    for (const ir::ReductionAxis& axis : definition.domain)
      fits = fits && axis.min.type() == Int(32) && axis.extent.type() == Int(32);
    if (definition.predicate.defined()) fits = fits && definition.predicate.type().is_bool();
    if (!fits || (is_first && !definition.domain.empty()))
      fail(fmt::format("a definition of {} does not match its dimensions or type", function.name));
    check_exprs(function, definition);
  }

  Expr expr(const ordered_json& j, const Function* self) {
    return ir::parse_expr(j.get<std::string>(), [&](const std::string& name, std::vector<Expr> indices) {
      const bool is_self = self && name == self->name;
      const auto found = known_.find(name);
      if (!is_self && found == known_.end()) return Expr();
      const Function& read = is_self ? *self : *found->second;
      if (indices.size() != read.dims.size())
        fail(fmt::format("{} has {} dimensions, but is read with {} indices", name, read.dims.size(),
                         indices.size()));
      for (const Expr& index : indices) {
        if (index.type() != Int(32)) fail(fmt::format("an index of {} must be i32", name));
      }
      return ir::make_call(read.type(), is_self ? nullptr : found->second, name, std::move(indices));
    });
  }

  std::map<std::string, FunctionPtr> known_;
};

}  // namespace

ordered_json functions_to_json(const std::vector<FunctionPtr>& functions) {
  ordered_json list = ordered_json::array();
  for (const FunctionPtr& function : functions) {
    ordered_json j{{"name", function->name}, {"type", to_string(function->type())}, {"dims", function->dims}};
    if (function->is_input()) {
      j["shape"] = texts(function->shape);
    } else {
      j["definitions"] = ordered_json::array();
      for (const Definition& definition : function->definitions)
        j["definitions"].push_back(definition_json(definition));
    }
    list.push_back(std::move(j));
  }
  return list;
}

ordered_json function_schema() {
  const auto list_of = [](ordered_json items) {
    return ordered_json{{"type", "array"}, {"items", std::move(items)}};
  };
  const auto object_of = [](ordered_json properties, std::vector<std::string> required) {
    return ordered_json{{"type", "object"},
                        {"properties", std::move(properties)},
                        {"required", std::move(required)},
                        {"additionalProperties", false}};
  };
  const auto described = [](const char* about, ordered_json schema) {
    schema["description"] = about;
    return schema;
  };
  const ordered_json text{{"type", "string"}};
  const ordered_json axis =
      object_of({{"name", text}, {"min", text}, {"extent", text}}, {"name", "min", "extent"});
  const ordered_json definition = object_of(
      {{"at", list_of(text)},
       {"value", text},
       {"domain", described("Outermost first.", list_of(axis))},
       {"where",
        described(
            "Condition on the points of the reduction domain at which the update runs; absent: all points.",
            text)}},
      {"at", "value"});
  return object_of({{"name", text},
                    {"type", {{"$ref", "#/$defs/type"}}},
                    {"dims", list_of(text)},
                    {"shape", list_of(text)},
                    {"definitions", described("The first defines every element, the others are updates, in "
                                              "order. Expressions are in the notation of docs/LANGUAGE.md.",
                                              list_of(definition))}},
                   {"name", "type", "dims"});
}

std::vector<FunctionPtr> functions_from_json(const ordered_json& json) { return FunctionReader().run(json); }

}  // namespace tensordsl::runtime
