#include "report/pages/inspection_graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/size/format_size.h"
#include "report/quantity.h"

namespace tensordsl::report {
namespace {

using Fate = Inspection::Fate;

enum Category : std::size_t { kContraction, kReduction, kPointwise, kMovement, kOther, kHost, kEnd };

std::vector<GraphCategory> categories() {
  return {{"contraction", "#2f7ed8"},         {"reduction", "#9a5fe0"},
          {"pointwise", "#23a35a"},           {"layout transformation", "#e68a00"},
          {"scan, scatter, sort", "#cf3f86"}, {"on the host", "#d63333"},
          {"input, output", "#7c8998"}};
}

Category category_of(const std::string& classification) {
  static const std::map<std::string, Category> known{{"contraction", kContraction},
                                                     {"reduction", kReduction},
                                                     {"pointwise", kPointwise},
                                                     {"movement", kMovement}};
  const auto found = known.find(classification);
  return found == known.end() ? kOther : found->second;
}

class Drawer {
 public:
  explicit Drawer(const Inspection& inspection) : inspection_(inspection) {
    for (std::size_t i = 0; i < inspection.operators.size(); ++i) {
      if (inspection.operators[i].fate == Fate::Input) inputs_.emplace(i, inputs_.size());
    }
    members_.resize(inspection.groups.size());
    for (std::size_t i = 0; i < inspection.operators.size(); ++i) {
      for (const std::size_t group : inspection.operators[i].groups) members_[group].push_back(i);
    }
  }

  GraphView run() {
    view_.categories = categories();
    add_texts();
    Graph before = draw_operators(), after = draw_groups();
    add_outputs(before, after);
    view_.graphs.push_back(std::move(before));
    view_.graphs.push_back(std::move(after));
    return std::move(view_);
  }

 private:
  std::size_t node_of_group(std::size_t group) const { return inputs_.size() + group; }

  std::size_t add_text(const std::string& text) {
    view_.texts.push_back(text);
    return view_.texts.size() - 1;
  }

  void add_texts() {
    for (const Inspection::Code& code : inspection_.codes) {
      std::vector<GraphDetail> texts{{"definitions", {}, add_text(code.funcs)}};
      if (!code.nest.empty()) texts.push_back({"loops", {}, add_text(code.nest)});
      std::string kernels;
      for (const std::size_t kernel : code.kernels) kernels += inspection_.kernels[kernel].text + "\n";
      if (!kernels.empty()) texts.push_back({"OpenCL C", {}, add_text(kernels)});
      texts_.push_back(std::move(texts));
    }
  }

  Graph draw_operators() const {
    Graph graph{"the imported model", {}, {}, {}};
    for (std::size_t i = 0; i < inspection_.operators.size(); ++i) {
      const Inspection::Operator& op = inspection_.operators[i];
      const bool is_input = op.fate == Fate::Input;
      GraphNode node{is_input ? "input" : op.kind, op.tensor, op.output};
      node.category = is_input ? kEnd : category_of(op.classification);
      node.is_faint = !is_input && op.fate != Fate::Computed;
      if (!is_input && op.groups.size() == 1) node.cluster = op.groups[0];
      if (is_input) node.links = {inputs_.at(i)};
      for (const std::size_t group : op.groups) node.links.push_back(node_of_group(group));
      node.details = details_of(op);
      for (const std::size_t read : op.reads) graph.edges.push_back({read, i});
      graph.nodes.push_back(std::move(node));
    }
    for (const Inspection::Group& group : inspection_.groups)
      graph.clusters.push_back(fmt::format("one kernel: {}", group.label));
    return graph;
  }

  static std::vector<GraphDetail> details_of(const Inspection::Operator& op) {
    if (op.fate == Fate::Input) return {{"tensor", {{op.tensor}}}};
    return {{"operator",
             {{"operator", op.kind}, {"node", op.node}, {"tensor", op.tensor}, {"class", op.classification}}},
            {"what became of it", {{to_string(op.fate), op.reason}}},
            {"as text", {{op.text}}}};
  }

  Graph draw_groups() const {
    Graph graph{"kernels", {}, {}, {}};
    for (const auto& [op, node] : inputs_) {
      const Inspection::Operator& input = inspection_.operators[op];
      graph.nodes.push_back(
          {"input", input.tensor, input.output, kEnd, false, {}, {op}, {{"tensor", {{input.tensor}}}}});
    }
    for (std::size_t i = 0; i < inspection_.groups.size(); ++i) {
      const Inspection::Group& group = inspection_.groups[i];
      const std::string share = flops_share(inspection_, group);
      GraphNode node{group.label,
                     group.host.empty()
                         ? fmt::format("{}{}{}", group.strategy, share.empty() ? "" : ", ", share)
                         : "on the host",
                     group.stores.empty() ? group.label : group.stores[0].tensor};
      node.category = group.host.empty() ? category_of(group.classification) : kHost;
      node.links = members_[i];
      node.details = details_of(group);
      for (const std::size_t from : group.from)
        graph.edges.push_back({node_of_group(from), node_of_group(i)});
      for (const std::size_t input : group.inputs)
        graph.edges.push_back({inputs_.at(input), node_of_group(i)});
      graph.nodes.push_back(std::move(node));
    }
    return graph;
  }

  std::vector<GraphDetail> details_of(const Inspection::Group& group) const {
    std::vector<GraphDetail> details{{"kernel", kernel_rows(group)}};
    if (!group.stays.empty()) details.push_back({"why this layout transformation remains", {{group.stays}}});
    if (!group.reason.empty()) details.push_back({"why its result is stored", {{group.reason}}});
    GraphDetail members{"computes", {}}, classes{"what its definitions compute", {}};
    for (const Inspection::Member& member : group.members) {
      members.rows.push_back({member.output, fmt::format("{}", fmt::join(member.origins, ", "))});
      for (const std::string& text : member.classes) classes.rows.push_back({text});
    }
    details.push_back(std::move(members));
    details.push_back(std::move(classes));
    details.push_back({"reads", stored_rows(group.reads)});
    details.push_back({"stores", stored_rows(group.stores)});
    const Inspection::Code& code = inspection_.codes[group.code];
    if (!code.divisions.empty()) {
      GraphDetail divisions{"remaining divisions in its indices", {}};
      for (const Inspection::Division& division : code.divisions) {
        divisions.rows.push_back(
            {division.text, fmt::format("{} times, in {} loops", division.count, division.loop_depth)});
      }
      details.push_back(std::move(divisions));
    }
    details.insert(details.end(), texts_[group.code].begin(), texts_[group.code].end());
    return details;
  }

  std::vector<std::vector<std::string>> kernel_rows(const Inspection::Group& group) const {
    std::vector<std::vector<std::string>> rows{{"class", group.role}};
    if (!group.host.empty()) {
      rows.push_back({"the host", group.host});
      return rows;
    }
    rows.push_back({"strategy", group.strategy});
    rows.push_back({"point", group.point});
    const auto bytes = [](std::int64_t count) { return quantity(static_cast<double>(count), "B"); };
    if (group.flops > 0)
      rows.push_back({"flops", fmt::format("{} ({})", group.flops, flops_share(inspection_, group))});
    rows.push_back({"memory", fmt::format("reads {}, writes {}", bytes_text(group.bytes_read),
                                          bytes_text(group.bytes_written))});
    for (const std::size_t launch : group.launches) {
      const KernelSource& kernel = inspection_.kernels[launch];
      rows.push_back({"launch", kernel.entry});
      rows.push_back({"work-items", fmt::format("{} groups of {}", fmt::join(kernel.launch.groups, " x "),
                                                fmt::join(kernel.launch.group_size, " x "))});
      rows.push_back({"resources", fmt::format("registers {}, private arrays {}, local memory {}",
                                               bytes(kernel.resources.register_bytes),
                                               bytes(kernel.resources.private_bytes),
                                               bytes(kernel.resources.local_bytes))});
    }
    return rows;
  }

  static std::vector<std::vector<std::string>> stored_rows(const std::vector<Inspection::Stored>& tensors) {
    std::vector<std::vector<std::string>> rows;
    for (const Inspection::Stored& tensor : tensors) {
      const std::string reason = tensor.reason.empty() ? "" : " (" + tensor.reason + ")";
      rows.push_back({tensor.tensor,
                      fmt::format("{}{}{}", tensor.is_constant ? "constant " : "", tensor.stored, reason)});
    }
    return rows;
  }

  void add_outputs(Graph& before, Graph& after) const {
    for (const Inspection::Output& output : inspection_.outputs) {
      const auto op = std::ranges::find(inspection_.operators, output.name, &Inspection::Operator::output);
      const std::string tensor = op == inspection_.operators.end() ? "" : op->tensor;
      GraphNode node{"output", tensor, output.name};
      node.category = kEnd;
      if (op != inspection_.operators.end()) {
        const auto from = static_cast<std::size_t>(op - inspection_.operators.begin());
        before.edges.push_back({from, before.nodes.size()});
        node.links = {after.nodes.size()};
        before.nodes.push_back(node);
        node.links = {before.nodes.size() - 1};
      }
      if (output.group) after.edges.push_back({node_of_group(*output.group), after.nodes.size()});
      if (output.input) after.edges.push_back({inputs_.at(*output.input), after.nodes.size()});
      after.nodes.push_back(std::move(node));
    }
  }

  const Inspection& inspection_;
  GraphView view_;
  std::map<std::size_t, std::size_t> inputs_;      // nodes among kernels, by operator
  std::vector<std::vector<std::size_t>> members_;  // operators by group
  std::vector<std::vector<GraphDetail>> texts_;    // by code
};

}  // namespace

GraphView inspection_graphs(const Inspection& inspection) { return Drawer(inspection).run(); }

std::string bytes_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? quantity(static_cast<double>(*bytes), "B") : "open";
}

std::string flops_share(const Inspection& inspection, const Inspection::Group& group) {
  const std::int64_t all = inspection.flops();
  if (all == 0 || group.flops == 0) return "";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(group.flops) / static_cast<double>(all));
}

}  // namespace tensordsl::report
