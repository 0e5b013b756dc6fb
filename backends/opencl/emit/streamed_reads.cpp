#include "backends/opencl/emit/streamed_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "ir/nodes/linear_form.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::opencl {

using namespace ir;

namespace {

/// A processor's own prefetching follows a stream to the end of its page. Two pages ahead, the page's address
/// is known when it is read, and its lines have had the time in which a page is used.
constexpr std::int64_t kPageBytes = 4096, kAheadBytes = 2 * kPageBytes;
constexpr std::int64_t kLineBytes = 64;

/// Holds the elements [first, end) of a buffer that the reads of an iteration take, relative to one place.
struct Stream {
  std::string buffer;
  LinearForm base;  // without the constant
  std::set<std::pair<std::int64_t, std::int64_t>> reads;
};

/// Returns the buffers that the kernel only reads, with the bytes of an element.
std::map<std::string, int> read_buffers(const lower::LoweredKernel& kernel) {
  std::map<std::string, int> buffers;
  for (const lower::BufferArgument& b : kernel.buffers) {
    const bool is_read = b.access == KernelArgument::Access::ReadOnly && !b.image && !b.is_constant;
    if (is_read) buffers[b.name] = b.type.bytes();
  }
  return buffers;
}

/// True if a body has loops, or writes one of the buffers: then the loop takes as long as its stores.
bool has_loop_or_writes(const Stmt& stmt, const lower::LoweredKernel& kernel) {
  bool found = false;
  visit(stmt, [&](const Stmt& s) {
    const auto is_written = [&](const lower::BufferArgument& b) { return b.name == s->name; };
    found = found || s->kind == StmtKind::For ||
            (s->kind == StmtKind::Store && std::ranges::any_of(kernel.buffers, is_written));
    return !found;
  });
  return found;
}

/// Holds the values of the names that a loop's body binds, in terms of names outside of it.
struct InnerNames {
  Substitution values;
  std::set<std::string> unknown;  // names of values that depend on memory

  bool knows_all_of(const Expr& expr) const {
    bool knows = true;
    visit(expr, [&](const Expr& e) {
      knows = knows && e->kind != ExprKind::Load && !(e->kind == ExprKind::Var && unknown.contains(e->name));
      return knows;
    });
    return knows;
  }
};

InnerNames names_in(const Stmt& body) {
  InnerNames names;
  visit(body, [&](const Stmt& s) {
    if (s->kind != StmtKind::Let) return true;
    const Expr& value = s->value();
    if (value.type().is_int() && value.type().lanes == 1 && names.knows_all_of(value)) {
      names.values[s->name] = substitute(value, names.values);
    } else {
      names.unknown.insert(s->name);
    }
    return true;
  });
  return names;
}

/// Returns the streams of elements and vectors that every iteration reads.
std::vector<Stream> streams_of(const StmtNode& loop, const std::map<std::string, int>& buffers) {
  const InnerNames names = names_in(loop.body[0]);
  std::vector<Stream> streams;
  const auto add = [&](const Expr& load) {
    const Expr& index = (*load)[0];
    const bool is_vector = load.type().lanes > 1;
    if (is_vector && (index->kind != ExprKind::Ramp || !is_const((*index)[1], 1))) return;
    if (!names.unknown.empty() && !names.knows_all_of(index)) return;
    const Expr& place = is_vector ? (*index)[0] : index;
    LinearForm base(names.values.empty() ? place : simplify(substitute(place, names.values)));
    const auto is_known = [&](const Term& term) {
      return term.atom->kind == ExprKind::Var || names.knows_all_of(term.atom);
    };
    if (!std::ranges::all_of(base.terms(), is_known)) return;
    const std::int64_t first = std::exchange(base.constant, 0);
    const auto same = std::ranges::find_if(streams, [&](const Stream& stream) {
      return stream.buffer == load->name && (stream.base - base).is_zero();
    });
    Stream& stream = same == streams.end() ? streams.emplace_back(load->name, base) : *same;
    stream.reads.emplace(first, first + index.type().lanes);
  };
  visit(
      loop.body[0], [](const Stmt& s) { return s->kind != StmtKind::If; },
      [&](const Expr& root) {
        visit(root, [&](const Expr& e) {
          if (e->kind == ExprKind::Load && buffers.contains(e->name)) add(e);
          return true;
        });
      });
  return streams;
}

/// Returns the first element of those that an iteration reads, if they are exactly as many as the loop moves
/// on by, next to one another.
std::optional<std::int64_t> first_of_dense(const Stream& stream, std::int64_t step) {
  const std::int64_t first = stream.reads.begin()->first;
  std::int64_t end = first;
  for (const auto& [from, to] : stream.reads) {
    if (from > end) return std::nullopt;
    end = std::max(end, to);
  }
  return end - first == step ? std::optional(first) : std::nullopt;
}

/// Returns the number of rows of a tile whose rows lie end to end: a loop of `trips` iterations reads one
/// element of each in an iteration. 0 if it does not read so.
std::int64_t rows_of_tile(const Stream& stream, std::int64_t trips) {
  std::int64_t expected = stream.reads.begin()->first;
  for (const auto& [from, to] : stream.reads) {
    if (from != expected || to - from != 1) return 0;
    expected += trips;
  }
  return static_cast<std::int64_t>(stream.reads.size());
}

/// True if the loop's variable is in no term but that of its own.
bool is_linear_in(const LinearForm& form, const std::string& variable) {
  return std::ranges::none_of(form.terms(), [&](const Term& term) {
    return term.atom->kind != ExprKind::Var && uses_var(term.atom, variable);
  });
}

/// Appends the lines that start at `first`, relative to the stream's base, and hold `elements`.
void add_lines(const Stream& stream, const LinearForm& base, std::int64_t first, std::int64_t elements,
               std::int64_t bytes, bool is_soon, std::vector<StreamedLine>& lines) {
  const std::optional<Expr> place = to_expr(base, Int(32));
  if (!place) return;
  for (std::int64_t line = 0; line < elements * bytes; line += kLineBytes) {
    const Expr index = simplify(*place + make_int(Int(32), first + line / bytes));
    lines.push_back({stream.buffer, index, is_soon});
  }
}

/// Knows what is around a loop: the kernel, and the Lets, the outermost first.
class Surroundings {
 public:
  explicit Surroundings(const lower::LoweredKernel& kernel) : kernel_(kernel) {}

  const lower::LoweredKernel& kernel() const { return kernel_; }
  void enter(const StmtNode& let) { lets_.push_back(&let); }
  void leave() {
    if (substituted_ == lets_.size()) {
      values_.erase(lets_.back()->name);
      --substituted_;
    }
    lets_.pop_back();
  }

  /// True if the kernel reads the index of its work-group in that dimension.
  bool uses_block(std::size_t dimension) {
    std::optional<bool>& uses = uses_block_[dimension];
    if (!uses) uses = uses_var(kernel_.body, lower::kBlockNames[dimension]);
    return *uses;
  }

  /// Returns the values of the names of the Lets. Most loops do not ask for them.
  const Substitution& values() {
    for (; substituted_ < lets_.size(); ++substituted_)
      values_[lets_[substituted_]->name] = substitute(lets_[substituted_]->value(), values_);
    return values_;
  }

 private:
  const lower::LoweredKernel& kernel_;
  std::vector<const StmtNode*> lets_;
  std::size_t substituted_ = 0;  // of the Lets
  Substitution values_;
  std::array<std::optional<bool>, 3> uses_block_;
};

/// Tells where in the next panel an iteration asks for a line. A panel is what the work-groups read that
/// differ only in faster indices: its readers, who share the asking for the next one.
struct NextPanel {
  LinearForm place;  // of the stream's first element
  std::int64_t readers = 1;
};

std::int64_t share_of(std::int64_t elements, std::int64_t readers) {
  return (elements + readers - 1) / readers;
}

std::optional<NextPanel> next_panel(const LinearForm& base, Surroundings& around) {
  const std::optional<Expr> read = to_expr(base, Int(32));
  if (!read) return std::nullopt;
  const LinearForm inside(simplify(substitute(*read, around.values())));
  NextPanel next;
  LinearForm reader;  // the number of the work-group among the readers
  std::int64_t panel = 0;
  std::string index_of_panel;
  for (std::size_t d = 0; d < 3 && panel == 0; ++d) {
    const Expr block = make_var(lower::kBlockNames[d]);
    panel = inside.coefficient_of(block);
    index_of_panel = block->name;
    if (panel != 0) continue;
    const std::int64_t* groups = as_int(around.kernel().groups[d]);
    if (!groups) return std::nullopt;
    if (*groups > 1 && around.uses_block(d)) reader.add_atom(block, next.readers);
    next.readers *= *groups;
  }
  if (panel <= 0 || next.readers == 1) return std::nullopt;
  for (const Term& term : inside.terms()) {
    if (term.atom->kind != ExprKind::Var || term.coefficient <= 0) return std::nullopt;
    const bool is_panel = term.atom->name == index_of_panel;
    next.place.add_atom(term.atom, is_panel ? panel : share_of(term.coefficient, next.readers));
  }
  next.place.add(reader, share_of(panel, next.readers));
  next.place.constant = panel + inside.constant / next.readers;
  return next;
}

std::vector<StreamedLine> lines_of(const StmtNode& loop, const std::map<std::string, int>& buffers,
                                   Surroundings& around) {
  std::vector<StreamedLine> lines;
  const std::int64_t* trips = as_int(loop.extent());
  if (!trips || has_loop_or_writes(loop.body[0], around.kernel())) return lines;
  const Expr variable = make_var(loop.name);
  for (const Stream& stream : streams_of(loop, buffers)) {
    const std::int64_t bytes = buffers.at(stream.buffer);
    const std::int64_t step = stream.base.coefficient_of(variable);
    if (step <= 0 || !is_linear_in(stream.base, loop.name)) continue;
    if (const std::int64_t rows = step == 1 ? rows_of_tile(stream, *trips) : 0; rows > 1) {
      // Asks for the next tile evenly over the loop: as much in an iteration as that reads of this one.
      LinearForm base = stream.base;
      base.add_atom(variable, rows - 1);
      add_lines(stream, base, stream.reads.begin()->first + rows * *trips, rows, bytes, false, lines);
      continue;
    }
    // A shorter loop ends before it comes to what it has asked for.
    const std::optional<std::int64_t> first = first_of_dense(stream, step);
    if (!first || *trips * step * bytes < kAheadBytes) continue;
    add_lines(stream, stream.base, *first + kAheadBytes / bytes, step, bytes, true, lines);
    if (const std::optional<NextPanel> next = next_panel(stream.base, around))
      add_lines(stream, next->place, *first, share_of(step, next->readers), bytes, false, lines);
  }
  return lines;
}

}  // namespace

std::map<const StmtNode*, std::vector<StreamedLine>> streamed_reads(const lower::LoweredKernel& kernel) {
  std::map<const StmtNode*, std::vector<StreamedLine>> all;
  if (!kernel.body.defined() || kernel.group_size != std::array{1, 1, 1}) return all;
  const std::map<std::string, int> buffers = read_buffers(kernel);
  Surroundings around(kernel);
  const std::function<void(const Stmt&)> walk = [&](const Stmt& s) {
    if (s->kind == StmtKind::For && s->loop == LoopKind::Serial) {
      if (std::vector<StreamedLine> lines = lines_of(*s, buffers, around); !lines.empty())
        all[s.get()] = std::move(lines);
    }
    const bool is_let = s->kind == StmtKind::Let && s->value().type() == Int(32);
    if (is_let) around.enter(*s);
    for (const Stmt& part : s->body) walk(part);
    if (is_let) around.leave();
  };
  walk(kernel.body);
  return all;
}

// PoCL ignores OpenCL's own prefetch(). The levels are those of clang: 3 is the nearest cache. An address
// beyond the buffer does no harm.
std::string read_ahead_macro() {
  return fmt::format(
      "#if defined(__x86_64__) || defined(__aarch64__)\n"
      "#define {0}(address, level) __builtin_prefetch(address, 0, level)\n"
      "#else\n"
      "#define {0}(address, level)\n"
      "#endif\n",
      kReadAhead);
}

}  // namespace tensordsl::opencl
