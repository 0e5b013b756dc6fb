#include "graph/rewrite/eliminate_common_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "classify/classify.h"
#include "graph/rewrite/cheap_factor.h"
#include "graph/rewrite/definition_encoder.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

std::string_view buffer_bytes(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.bytes().data()), buffer.size_bytes()};
}

/// Some of the bytes, from all over the buffer: weights that differ do so here, and need not be read.
std::string sample_of(const Buffer& buffer) {
  constexpr std::size_t kPieces = 16, kPiece = 8;
  const std::string_view all = buffer_bytes(buffer);
  if (all.size() <= kPieces * kPiece) return std::string(all);
  std::string sample;
  for (std::size_t i = 0; i < kPieces; ++i)
    sample += all.substr((all.size() - kPiece) / (kPieces - 1) * i, kPiece);
  return sample;
}

class EqualTensorMerger {
 public:
  EqualTensorMerger(DefinitionGraph graph, const std::set<std::string>& kept, PassNotes* notes)
      : graph_(std::move(graph)),
        kept_(kept),
        notes_(notes),
        funcs_(graph_),
        is_read_by_host_(graph_.tensors.size(), false),
        equal_to_(graph_.tensors.size()),
        size_of_class_(graph_.tensors.size(), 0) {
    for (const DefinitionGraph::Output& output : graph_.outputs) is_read_by_host_[output.tensor] = true;
    for (const DefinitionGraph::Count& count : graph_.counts) is_read_by_host_[count.tensor] = true;
    for (DefinitionGraph::Loop& loop : graph_.loops) {
      for (const std::size_t* tensor : loop.named()) is_read_by_host_[*tensor] = true;
    }
  }

  DefinitionGraph run() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) equal_to_[i] = i;
    find_equal_constants();
    find_equal_definitions();
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      // A constant of one number is inlined into its readers and takes no memory.
      const std::shared_ptr<const Buffer>& constant = graph_.tensors[i].constant;
      if (!constant || constant->elements() > 1) ++size_of_class_[equal_to_[i]];
    }
    if (std::ranges::max(size_of_class_, {}) <= 1) return std::move(graph_);
    readers_ = readers_of(graph_);
    choose_merged();
    return merged();
  }

 private:
  void find_equal_constants() {
    std::map<std::string, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      const DefinedTensor& tensor = graph_.tensors[i];
      if (tensor.constant) alike[shape_text(tensor) + sample_of(*tensor.constant)].push_back(i);
    }
    for (const auto& [sample, tensors] : alike) {
      if (tensors.size() == 1) continue;
      std::unordered_map<std::string_view, std::size_t> by_bytes;
      for (const std::size_t tensor : tensors)
        equal_to_[tensor] =
            by_bytes.emplace(buffer_bytes(*graph_.tensors[tensor].constant), tensor).first->second;
    }
  }

  void find_equal_definitions() {
    struct Alike {
      std::size_t first;
      std::unordered_map<std::string, std::size_t> by_text;  // once there is a second one
    };
    std::unordered_map<std::string, Alike> alike;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      if (graph_.tensors[i].func.is_input()) continue;
      const auto [found, is_new] = alike.emplace(summary_of(i), Alike{i, {}});
      if (is_new) continue;
      Alike& tensors = found->second;
      if (tensors.by_text.empty()) tensors.by_text.emplace(text_of(tensors.first), tensors.first);
      equal_to_[i] = tensors.by_text.emplace(text_of(i), i).first->second;
    }
  }

  /// Returns a summary that is the same for equal tensors and rarely for others; cheaper than `text_of`.
  std::string summary_of(std::size_t index) const {
    const DefinedTensor& tensor = graph_.tensors[index];
    std::string summary = shape_text(tensor);
    const std::vector<Func> funcs = funcs_.funcs_of(index);
    std::uint64_t constants = 0;
    for (const Func& func : funcs) {
      for (const ir::Definition& definition : func.contents().definitions) {
        summary += static_cast<char>('A' + static_cast<int>(definition.values[0]->kind));
        for (const Expr& value : definition.values) {
          ir::visit(value, [&](const Expr& e) {
            constants += static_cast<std::uint64_t>(e->value);
            return true;
          });
        }
      }
    }
    summary += fmt::format(" {}", constants);
    for (const std::size_t read : funcs_.reads_of(funcs)) summary += fmt::format(" {}", equal_to_[read]);
    return summary;
  }

  static std::string shape_text(const DefinedTensor& tensor) {
    std::string text = to_string(tensor.type());
    for (const Expr& extent : tensor.shape) text += fmt::format("[{}]", ir::print(extent));
    return text + "\n";
  }

  /// Returns a text that is the same exactly for equal tensors. Needs: `equal_to_` of the tensors that it
  /// reads.
  std::string text_of(std::size_t index) const {
    const DefinedTensor& tensor = graph_.tensors[index];
    std::string text = shape_text(tensor);
    if (kept_.contains(tensor.origin.kind)) text += tensor.origin.kind + "\n";
    // Distinguishes tensors that hold counts: shapes depend on the one that holds theirs.
    if (std::ranges::count(graph_.counts, index, &DefinitionGraph::Count::tensor) > 0)
      text += fmt::format("count {}\n", index);
    if (graph_.is_handed_on(index)) text += fmt::format("handed on {}\n", index);
    std::map<const ir::Function*, std::size_t> parts;
    // The tensor's own Funcs are numbered after the Funcs of other tensors.
    DefinitionEncoder encoder(DefinitionEncoder::Numbers::Kept, [&](const ir::Function& read) {
      const auto part = parts.find(&read);
      return part != parts.end() ? graph_.tensors.size() + part->second
                                 : equal_to_[funcs_.tensor_of(read).value()];
    });
    for (const Func& func : funcs_.funcs_of(index)) {
      parts.emplace(&func.contents(), parts.size());
      encoder.add_definitions(func.contents());
    }
    return text + encoder.take().bytes;
  }

  /// Chooses merged tensors, readers first: they determine which of their operands are worth merging.
  void choose_merged() {
    std::map<std::pair<std::size_t, std::optional<std::size_t>>, std::vector<std::size_t>> sets;
    std::vector<std::vector<std::size_t>*> set_of(graph_.tensors.size(), nullptr);
    std::vector<std::size_t> last_of_set(graph_.tensors.size());
    for (std::size_t i = graph_.tensors.size(); i-- > 0;) {
      last_of_set[i] = i;
      if (size_of_class_[equal_to_[i]] <= 1) continue;
      std::vector<std::size_t>& set = sets[{equal_to_[i], kernel_of_reader(i, last_of_set)}];
      set.push_back(i);
      set_of[i] = &set;
      last_of_set[i] = set.front();
    }
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      // The last that was found is the first of the graph.
      kept_as_.push_back(set_of[i] ? set_of[i]->back() : i);
    }
  }

  /// The only reader of a tensor, by the set that it is merged with, if the tensor is computed in its kernel.
  std::optional<std::size_t> kernel_of_reader(std::size_t tensor,
                                              const std::vector<std::size_t>& last_of_set) const {
    if (readers_[tensor].empty() || is_read_by_host_[tensor] || graph_.tensors[tensor].func.is_input())
      return std::nullopt;
    const std::size_t reader = readers_[tensor].front();
    for (const std::size_t other : readers_[tensor]) {
      if (last_of_set[other] != last_of_set[reader] || !takes_in(other, tensor)) return std::nullopt;
    }
    return last_of_set[reader];
  }

  bool takes_in(std::size_t reader, std::size_t tensor) const {
    const std::vector<Func> funcs = funcs_.funcs_of(tensor), of_reader = funcs_.funcs_of(reader);
    if (funcs.size() != 1) return false;
    const classify::Class kind = classify::classify(funcs[0].contents()).kind;
    if (kind != classify::Class::Movement && kind != classify::Class::Pointwise) return false;
    if (of_reader.size() == 1) {
      const ir::Function& function = of_reader[0].contents();
      return classify::classify(function).kind == classify::Class::Pointwise &&
             classify::reads_in_place(function, funcs[0].name()) &&
             std::ranges::equal(graph_.tensors[reader].extents(), graph_.tensors[tensor].extents(),
                                ir::ExprSame());
    }
    return is_cheap_factor(funcs[0].contents()) && std::ranges::any_of(of_reader, [](const Func& func) {
             const classify::Classification c = classify::classify(func.contents());
             return c.kind == classify::Class::Contraction && c.windows.empty();
           });
  }

  DefinitionGraph merged() {
    GraphRewriter rewriter(std::move(graph_), notes_);
    const std::vector<DefinedTensor>& tensors = rewriter.graph().tensors;
    return rewriter.run([&](std::size_t tensor) {
      if (kept_as_[tensor] == tensor) return;
      rewriter.merge(tensor, kept_as_[tensor],
                     fmt::format("has the same definition as %{}", tensors[kept_as_[tensor]].name));
    });
  }

  DefinitionGraph graph_;
  const std::set<std::string>& kept_;
  PassNotes* notes_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<bool> is_read_by_host_;
  std::vector<std::size_t> equal_to_;  // the first tensor that each is equal to
  std::vector<std::size_t> size_of_class_;
  std::vector<std::size_t> kept_as_;  // the tensor that each becomes
};

}  // namespace

void eliminate_common_tensors(Graph& graph, const GraphContext& context) {
  graph.definitions =
      EqualTensorMerger(std::move(graph.definitions), context.options.on_host, context.notes).run();
}

}  // namespace tensordsl::graph
