#include "layering/layer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace tensordsl::layering {
namespace {

constexpr std::string_view kPublicFolder = "include/tensordsl";

class TableReader {
 public:
  LayerTable read(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    while (std::getline(lines, line)) {
      ++number_;
      std::istringstream words(line);
      std::string kind;
      if (!(words >> kind) || kind.front() == '#') continue;
      if (kind == "layer") {
        layer(words);
      } else if (kind == "public") {
        public_headers(words);
      } else {
        fail(fmt::format("a line starts with \"layer\", \"public\" or \"#\", not \"{}\"", kind));
      }
    }
    return std::move(table_);
  }

 private:
  void layer(std::istringstream& words) {
    Layer layer;
    std::string arrow, name;
    if (!(words >> layer.name >> layer.folder >> arrow) || arrow != "->") {
      fail("a layer line reads: layer NAME FOLDER -> LAYER ...");
    }
    if (is_declared(layer.name)) fail(fmt::format("the layer {} is declared twice", layer.name));
    while (words >> name) {
      if (name != "public") require_declared(name);
      layer.may_include.insert(name);
    }
    table_.layers.push_back(std::move(layer));
  }

  void public_headers(std::istringstream& words) {
    std::string layer, header;
    words >> layer;
    require_declared(layer);
    while (words >> header) {
      if (!table_.public_headers.emplace(header, layer).second) {
        fail(fmt::format("the public header {} belongs to two layers", header));
      }
    }
  }

  bool is_declared(const std::string& name) const {
    return std::any_of(table_.layers.begin(), table_.layers.end(),
                       [&](const Layer& l) { return l.name == name; });
  }

  void require_declared(const std::string& name) const {
    if (!is_declared(name)) fail(fmt::format("the layer \"{}\" is not declared above this line", name));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("layers.txt:{}: {}", number_, what));
  }

  LayerTable table_;
  int number_ = 0;
};

struct Include {
  int line = 0;
  bool quoted = false;
  std::string name;  // empty: not readable
};

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    constexpr std::string_view kDirective = "#include";
    if (!line.starts_with(kDirective)) continue;
    const std::string_view operand = std::string_view(line).substr(kDirective.size());
    const bool quoted = operand.starts_with('"');
    const std::size_t end = operand.find(quoted ? '"' : '>', 1);
    const bool readable = (quoted || operand.starts_with('<')) && end != std::string_view::npos;
    includes.push_back({number, quoted, readable ? std::string(operand.substr(1, end - 1)) : ""});
  }
  return includes;
}

class IncludeCheck {
 public:
  IncludeCheck(const LayerTable& table, const std::vector<SourceFile>& files) : table_(table), files_(files) {
    for (const SourceFile& f : files) paths_.insert(f.path);
  }

  std::vector<std::string> run() {
    for (const auto& [header, layer] : table_.public_headers) {
      const std::string path = fmt::format("{}/{}", kPublicFolder, header);
      if (!paths_.contains(path))
        report(fmt::format("layers.txt: the public header {} does not exist", path));
    }
    for (const SourceFile& file : files_) {
      if (is_cpp(file.path)) check(file);
    }
    return std::move(errors_);
  }

 private:
  void check(const SourceFile& file) {
    const Layer* from = layer_of(file.path);
    if (!from) {
      report(fmt::format("{}: belongs to no layer; {}", file.path, remedy(file.path)));
      return;
    }
    for (const Include& include : includes_of(file.text)) {
      const std::string where = fmt::format("{}:{}", file.path, include.line);
      if (include.name.empty()) {
        report(fmt::format("{}: this #include names no file; write \"...\" or <...>", where));
        continue;
      }
      const std::optional<std::string> target = resolve(file.path, include);
      const std::string text = include.quoted ? fmt::format("#include \"{}\"", include.name)
                                              : fmt::format("#include <{}>", include.name);
      if (!target) {
        if (include.quoted)
          report(fmt::format("{}: {} names no file of the project; use <...> for others", where, text));
        continue;
      }
      const Layer* to = layer_of(*target);
      if (!to) {
        report(fmt::format("{}: {} is in no layer; {}", where, text, remedy(*target)));
      } else if (!may_include(*from, *to, *target)) {
        report(fmt::format("{}: {}: the layer {} may not include the layer {}", where, text, from->name,
                           to->name));
      }
    }
  }

  static bool may_include(const Layer& from, const Layer& to, const std::string& target) {
    return from.name == to.name || from.may_include.contains(to.name) ||
           (from.may_include.contains("public") && is_below(target, kPublicFolder));
  }

  /// Resolves an include like the compiler: next to the including file, then along the include path of every
  /// layer. A public header counts as found even if it is missing, so that the message can say so.
  std::optional<std::string> resolve(const std::string& from, const Include& include) const {
    if (include.name.starts_with("tensordsl/")) return "include/" + include.name;
    const auto sibling = (std::filesystem::path(from).parent_path() / include.name).lexically_normal();
    if (include.quoted && paths_.contains(sibling.generic_string())) return sibling.generic_string();
    for (const std::string root : {"src/", ""}) {
      if (paths_.contains(root + include.name)) return root + include.name;
    }
    return std::nullopt;
  }

  /// The layer of the deepest folder that holds the file; of a public header, the one that its line names.
  const Layer* layer_of(const std::string& path) const {
    if (is_below(path, kPublicFolder)) {
      const auto header = table_.public_headers.find(path.substr(kPublicFolder.size() + 1));
      return header == table_.public_headers.end() ? nullptr : named(header->second);
    }
    const Layer* deepest = nullptr;
    for (const Layer& layer : table_.layers) {
      if (is_below(path, layer.folder) && (!deepest || layer.folder.size() > deepest->folder.size()))
        deepest = &layer;
    }
    return deepest;
  }

  const Layer* named(const std::string& name) const {
    return &*std::find_if(table_.layers.begin(), table_.layers.end(),
                          [&](const Layer& l) { return l.name == name; });
  }

  static std::string remedy(const std::string& path) {
    return is_below(path, kPublicFolder) ? "add it to a public line of src/layers.txt"
                                         : "add its folder to src/layers.txt";
  }

  void report(std::string error) { errors_.push_back(std::move(error)); }

  const LayerTable& table_;
  const std::vector<SourceFile>& files_;
  std::set<std::string> paths_;
  std::vector<std::string> errors_;
};

}  // namespace

LayerTable parse_layers(std::string_view text) { return TableReader().read(text); }

std::vector<std::string> check_includes(const LayerTable& table, const std::vector<SourceFile>& files) {
  return IncludeCheck(table, files).run();
}

}  // namespace tensordsl::layering
