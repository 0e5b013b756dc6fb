#include "codegen/describe_kernel.h"

#include <fmt/format.h>

#include "ir/nodes/size_conversion.h"

namespace tensordsl {
namespace {

KernelArgument argument_of(const lower::BufferArgument& b) {
  KernelArgument argument;
  argument.name = b.name;
  argument.type = b.type;
  argument.access = b.access;
  argument.elements = ir::to_size(b.elements);
  argument.may_overlap = b.may_overlap;
  if (!b.image) return argument;
  argument.kind = KernelArgument::Kind::Image;
  argument.image = b.image->kind;
  argument.channels = b.image->channels;
  const auto& extents = b.image->extents;
  argument.width = ir::to_size(extents.back());
  if (extents.size() > 1) argument.height = ir::to_size(extents[extents.size() - 2]);
  if (extents.size() > 2) argument.layers = ir::to_size(extents[0]);
  return argument;
}

KernelArgument argument_of(const lower::ScalarArgument& s) {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::Scalar;
  argument.name = s.name;
  argument.type = s.type;
  argument.elements = 1;
  return argument;
}

}  // namespace

KernelSource describe_kernel(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                             codegen::CNames& names) {
  KernelSource source;
  // PoCL makes file names of them, which have 255 characters at most.
  constexpr std::size_t kMaxName = 128;
  const std::string name = kernel.name.substr(0, kMaxName);
  source.entry = names.global(name + "_kernel");
  for (int k = 2; taken_entries.contains(source.entry); ++k)
    source.entry = names.global(fmt::format("{}_kernel_{}", name, k));
  for (const lower::BufferArgument& b : kernel.buffers) source.arguments.push_back(argument_of(b));
  for (const lower::ScalarArgument& s : kernel.scalars) source.arguments.push_back(argument_of(s));
  for (std::size_t d = 0; d < 3; ++d) source.launch.groups[d] = ir::to_size(kernel.groups[d]);
  source.launch.group_size = kernel.group_size;
  source.sub_group_size = kernel.sub_group_size;
  source.resources = kernel.resources;
  return source;
}

}  // namespace tensordsl
