// The list of the fields of a kernel's launch manifest, which the writer, the reader and the schema share.
#pragma once

#include <concepts>
#include <type_traits>

#include "tensordsl/image.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// T is S or const S: a writer visits const objects.
template <typename T, typename S>
concept MaybeConst = std::same_as<std::remove_const_t<T>, S>;

inline constexpr const char* kArgumentKinds[] = {"buffer", "image", "scalar"};
inline constexpr const char* kAccesses[] = {"read_only", "write_only", "read_write"};
inline constexpr const char* kImageKinds[] = {"image1d_buffer", "image2d", "image2d_array"};
inline constexpr int kChannels[] = {1, 4};

template <MaybeConst<KernelArgument> Argument, typename Visitor>
void visit_fields(Argument& a, Visitor& v) {
  v.word("kind", a.kind, kArgumentKinds, "word");
  v.text("name", a.name);
  v.type("type", a.type);
  v.word("access", a.access, kAccesses, "word");
  v.size_text("elements", a.elements);
  v.only_if(a.kind == KernelArgument::Kind::Buffer, [&] {
    v.number("alignment", a.alignment,
             "Required alignment of the buffer's address, in bytes. A host compares it with "
             "CL_DEVICE_MEM_BASE_ADDR_ALIGN, which is in bits.");
  });
  v.optional(a.may_overlap, [&] {
    v.flag("may_overlap", a.may_overlap,
           "This buffer may share memory with the other buffers that have this flag.");
  });
  v.only_if(a.kind == KernelArgument::Kind::Image, [&] {
    v.word("image", a.image, kImageKinds, "word");
    v.one_of("channels", a.channels, kChannels);
    v.size_text("width", a.width);
    v.size_text("height", a.height);
    v.size_text("layers", a.layers);
  });
}

template <MaybeConst<KernelSource> Kernel, typename Visitor>
void visit_fields(Kernel& k, Visitor& v) {
  v.text("entry", k.entry);
  v.optional(k.backend != kOpenClBackend,
             [&] { v.text("backend", k.backend, "Backend of the kernel: opencl if absent, or llvm."); });
  v.text("options", k.options, "For clBuildProgram.");
  v.list("arguments", k.arguments);
  v.three_size_texts("groups", k.launch.groups);
  v.numbers("group_size", k.launch.group_size);
  v.number("sub_group_size", k.sub_group_size);
  v.number("local_bytes", k.resources.local_bytes);
  v.number("private_bytes", k.resources.private_bytes);
  v.number("register_bytes", k.resources.register_bytes);
  v.optional(true, [&] {
    v.number("live_registers", k.resources.live_registers,
             "Estimated number of 32-bit registers that are live at once in a work-item.");
  });
  v.number("flops", k.resources.flops);
}

}  // namespace tensordsl
