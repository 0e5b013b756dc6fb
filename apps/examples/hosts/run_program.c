// Runs what `tensordsl compile MODEL.onnx -o DIR` wrote, with nothing of tensordsl: this is plain C, with the
// OpenCL API and cJSON.
//
//   run_program DIR [OUTPUT.bin]
//
// It makes the inputs as `tensordsl run DIR` does, prints the five largest values of the first output, and
// writes that output to OUTPUT.bin as row-major floats. TENSORDSL_DEVICE picks the device: gpu, cpu,
// PLATFORM:DEVICE or a part of its name.
//
// It takes programs whose sizes are numbers, whose memory is buffers, and whose inputs and first output are
// f32, also in memory. Models compiled with --precision fp32 are such. Anything else ends with a message and
// exit code 2. The kernels are trusted, as all code is that one runs; the JSON is not. It is one long file so
// that it can be taken as it is.
#include <CL/cl.h>
#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxRank = 16, kMaxTerms = 2 * kMaxRank, kMaxListed = 64 };

// cJSON reads numbers as doubles, which are exact up to 2^53. Kernels compute indices in 32 bits.
#define MAX_BYTES (PTRDIFF_MAX < INT64_C(1) << 53 ? (int64_t)PTRDIFF_MAX : INT64_C(1) << 53)
#define MAX_ELEMENTS ((int64_t)INT32_MAX)

typedef struct {
  char* data;
  size_t size;
} Bytes;

typedef enum { kWhole, kQuotient, kRemainder } Part;

// A level of a tensor's order in memory: the dimension, or its index / factor, or its index % factor.
typedef struct {
  size_t dim;
  Part part;
  int64_t factor;
  int64_t lead, gap;  // elements left free before it and after it
  int64_t extent;     // with those
} Term;

typedef struct {
  size_t rank, terms;
  int64_t extents[kMaxRank];
  int64_t elements;      // the product of the extents
  Term term[kMaxTerms];  // the last is innermost
} Layout;

typedef struct {
  int64_t bytes;
  bool has_parts;  // tensors in it begin elsewhere than at 0
  cl_mem memory;
} Slot;

typedef struct {
  const cJSON* json;
  const char *name, *type;
  int64_t elements, bytes;
  bool is_constant;
  int64_t slot;    // -1: it has memory of its own
  int64_t offset;  // of a constant in their file, of what is in a slot there
  cl_mem memory;
} Tensor;

typedef struct {
  const char* type;
  int64_t elements;   // that the kernel may touch
  int64_t alignment;  // of the buffer, in bytes
} Argument;

typedef struct {
  const char *entry, *options, *file;
  size_t groups[3], group_size[3];
  Argument* arguments;
  size_t argument_count;
  cl_kernel kernel;
} Kernel;

typedef struct {
  const Kernel* kernel;
  const Tensor** tensors;  // one per argument of the kernel
  size_t tensor_count;
} Launch;

// An input or output.
typedef struct {
  const char* name;
  const Tensor* tensor;
  Layout layout;
} Value;

typedef struct {
  const char* folder;
  cJSON* json;  // owns the texts of all that follows
  Bytes constants;
  Slot* slots;
  Tensor* tensors;
  Kernel* kernels;
  Launch* launches;
  Value* inputs;
  Value output;  // the first; the others are not read
  size_t slot_count, tensor_count, kernel_count, launch_count, input_count;
} Program;

typedef struct {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
} Device;

// ---- Messages ----

// Returns false, so that a function can end with it.
static bool fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("run_program: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

// `what` is the kernel or tensor that the call was for.
static bool check(cl_int status, const char* call, const char* what) {
  return status == CL_SUCCESS || fail("%s failed with status %d: %s", call, (int)status, what);
}

// Zeroed; NULL after a message.
static void* allocate(size_t count, size_t item_bytes) {
  void* items = calloc(count > 0 ? count : 1, item_bytes);
  if (!items) fail("out of memory: %zu items of %zu bytes", count, item_bytes);
  return items;
}

// ---- Files ----

// Reads all of a file, and appends a zero. It is read piece by piece, because folders and pipes have no size.
static bool read_stream(FILE* file, Bytes* bytes) {
  for (size_t room = 0;;) {
    if (room - bytes->size < 2) {
      room = room == 0 ? 65536 : 2 * room;
      char* data = room > bytes->size ? realloc(bytes->data, room) : NULL;
      if (!data) return false;
      bytes->data = data;
    }
    const size_t count = fread(bytes->data + bytes->size, 1, room - bytes->size - 1, file);
    bytes->size += count;
    bytes->data[bytes->size] = '\0';
    if (count == 0) return !ferror(file);
  }
}

// The caller frees `bytes->data`, also if this fails.
static bool read_file(const char* folder, const char* name, Bytes* bytes) {
  // tensordsl writes no program that names a file elsewhere.
  if (name[0] == '\0' || strpbrk(name, "/\\") || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    return fail("program.json: \"%s\" is not a file name in its folder", name);
  const size_t length = strlen(folder) + strlen(name) + 2;
  char* path = allocate(length, 1);
  if (!path) return false;
  snprintf(path, length, "%s/%s", folder, name);
  FILE* file = fopen(path, "rb");
  const bool is_read = file && read_stream(file, bytes);
  if (!is_read) fail("%s: cannot be read: %s", path, strerror(errno));
  if (file) fclose(file);
  free(path);
  return is_read;
}

static bool write_file(const char* path, const float* values, size_t count) {
  FILE* file = fopen(path, "wb");
  const bool is_written = file && fwrite(values, sizeof *values, count, file) == count;
  // Writing the buffered rest may fail only now.
  const bool is_closed = file && fclose(file) == 0;
  return (is_written && is_closed) || fail("%s: cannot be written: %s", path, strerror(errno));
}

// ---- JSON ----

// A position in program.json. Once one is bad, *ok is false and no other is reported; further reads give 0,
// "" or no item. So readers go on without asking, except where they would index by what they read.
typedef struct {
  const cJSON* json;
  char name[64];
  bool* ok;
} Node;

static void bad(const Node* node, const char* format, ...) {
  if (*node->ok) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "run_program: program.json: %s ", node->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
  }
  *node->ok = false;
}

static bool has(const Node* object, const char* key) {
  return cJSON_GetObjectItemCaseSensitive(object->json, key) != NULL;
}

static Node member(const Node* object, const char* key) {
  Node node = {.json = cJSON_GetObjectItemCaseSensitive(object->json, key), .ok = object->ok};
  snprintf(node.name, sizeof node.name, "%.40s%s%.20s", object->name, object->name[0] != '\0' ? "." : "",
           key);
  if (!node.json) bad(&node, "is missing");
  return node;
}

// Takes the digits at the front of a text. False if there are none, or too many.
static bool take_number(const char** rest, int64_t* value) {
  const char* begin = *rest;
  *value = 0;
  for (; isdigit((unsigned char)**rest); ++*rest) {
    *value = *value * 10 + (**rest - '0');
    if (*value > MAX_ELEMENTS) return false;
  }
  return *rest != begin;
}

static int64_t number_of(const Node* node, int64_t most) {
  if (cJSON_IsString(node->json)) {
    // Kernels have their numbers as text.
    const char* rest = node->json->valuestring;
    int64_t digits = 0;
    if (take_number(&rest, &digits) && *rest == '\0' && digits <= most) return digits;
    bad(node, "is the expression \"%s\"; only numbers are supported", node->json->valuestring);
  }
  const double value = cJSON_IsNumber(node->json) ? node->json->valuedouble : -1;
  // A double that is too large must not be converted.
  if (value >= 0 && value <= (double)most && (double)(int64_t)value == value) return (int64_t)value;
  bad(node, "must be a whole number from 0 to %" PRId64, most);
  return 0;
}

static int64_t number(const Node* object, const char* key, int64_t most) {
  const Node node = member(object, key);
  return number_of(&node, most);
}

// An index into a list of `count` items. It is one only while *ok holds.
static size_t index_of(const Node* node, size_t count) {
  const int64_t index = number_of(node, MAX_ELEMENTS);
  if ((uint64_t)index >= count) bad(node, "is %" PRId64 ", but there are %zu", index, count);
  return (size_t)index;
}

static const char* text(const Node* object, const char* key) {
  const Node node = member(object, key);
  if (cJSON_IsString(node.json)) return node.json->valuestring;
  bad(&node, "must be text");
  return "";
}

static Node list(const Node* object, const char* key) {
  Node node = member(object, key);
  if (!cJSON_IsArray(node.json)) {
    bad(&node, "must be a list");
    node.json = NULL;
  }
  return node;
}

// To iterate over a list: the i-th item, which is `json`.
static Node item_of(const Node* whole, const cJSON* json, size_t i) {
  Node node = {.json = json, .ok = whole->ok};
  snprintf(node.name, sizeof node.name, "%.40s[%zu]", whole->name, i);
  return node;
}

// The numbers of a list, at most `room`. Returns how many there are.
static size_t read_numbers(const Node* object, const char* key, size_t room, int64_t* numbers) {
  const Node node = list(object, key);
  const cJSON* json = NULL;
  size_t count = 0;
  cJSON_ArrayForEach(json, node.json) {
    const Node item = item_of(&node, json, count);
    if (count == room) {
      bad(&node, "has more than %zu numbers", room);
      break;
    }
    numbers[count++] = number_of(&item, MAX_ELEMENTS);
  }
  return count;
}

static void read_three(const Node* object, const char* key, size_t numbers[3]) {
  int64_t found[3] = {0, 0, 0};
  if (read_numbers(object, key, 3, found) != 3) bad(object, "needs three numbers as \"%s\"", key);
  for (size_t d = 0; d < 3; ++d) numbers[d] = (size_t)found[d];
}

typedef void ReadItem(Program* program, const Node* node, void* item);

// Calls read() with each item and its zeroed room. The caller frees the items, also once *ok is false.
static void* read_items(Program* program, const Node* object, const char* key, size_t item_bytes,
                        size_t* count, ReadItem* read) {
  const Node node = list(object, key);
  const cJSON* json = NULL;
  char* items = allocate((size_t)cJSON_GetArraySize(node.json), item_bytes);
  if (!items) *node.ok = false;
  cJSON_ArrayForEach(json, node.json) {
    if (!*node.ok) break;
    const Node item = item_of(&node, json, *count);
    read(program, &item, items + (*count)++ * item_bytes);
  }
  return items;
}

// ---- Layouts; include/tensordsl/layout.h explains the notation ----

static bool take(const char** rest, char c) {
  if (**rest != c) return false;
  ++*rest;
  return true;
}

// "d0", "d0/4", "d0%4", and with free elements "8+d0%4+8"
static bool take_term(const char** rest, Term* term) {
  int64_t dim = 0;
  *term = (Term){.part = kWhole, .factor = 1};
  if (isdigit((unsigned char)**rest) && !(take_number(rest, &term->lead) && take(rest, '+'))) return false;
  if (!take(rest, 'd') || !take_number(rest, &dim)) return false;
  if (take(rest, '/')) term->part = kQuotient;
  if (term->part == kWhole && take(rest, '%')) term->part = kRemainder;
  if (term->part != kWhole && !(take_number(rest, &term->factor) && term->factor > 0)) return false;
  if (take(rest, '+') && !take_number(rest, &term->gap)) return false;
  term->dim = (size_t)dim;
  return **rest == ' ' || **rest == '\0';
}

static bool take_terms(const char* rest, Layout* layout) {
  for (;;) {
    // "|" parts the coordinates of an image, and means nothing to a buffer.
    rest += strspn(rest, " |");
    if (*rest == '\0') return true;
    if (layout->terms == kMaxTerms || !take_term(&rest, &layout->term[layout->terms])) return false;
    if (layout->term[layout->terms++].dim >= layout->rank) return false;
  }
}

// Every dimension is there once: whole, or as one quotient and one remainder of the same factor.
static bool covers_dimensions(const Layout* layout) {
  for (size_t d = 0; d < layout->rank; ++d) {
    size_t parts[3] = {0, 0, 0};
    int64_t factors[3] = {0, 0, 0};
    for (size_t t = 0; t < layout->terms; ++t) {
      const Term* term = &layout->term[t];
      if (term->dim != d) continue;
      ++parts[term->part];
      factors[term->part] = term->factor;
    }
    const bool is_whole = parts[kWhole] == 1 && parts[kQuotient] == 0 && parts[kRemainder] == 0;
    const bool is_cut = parts[kWhole] == 0 && parts[kQuotient] == 1 && parts[kRemainder] == 1;
    if (!is_whole && !(is_cut && factors[kQuotient] == factors[kRemainder])) return false;
  }
  return true;
}

// Returns the term's part of an index, or of an extent minus 1.
static int64_t part_of(const Term* term, int64_t index) {
  if (term->part == kQuotient) return index / term->factor;
  return term->part == kRemainder ? index % term->factor : index;
}

// The elements in memory, with those that are free; 0 if they are too many.
static int64_t set_stored_extents(Layout* layout) {
  int64_t elements = 1;
  for (size_t t = 0; t < layout->terms; ++t) {
    Term* term = &layout->term[t];
    const int64_t used =
        term->part == kRemainder ? term->factor : part_of(term, layout->extents[term->dim] - 1) + 1;
    term->extent = term->lead + used + term->gap;
    if (term->extent > MAX_ELEMENTS / elements) return 0;
    elements *= term->extent;
  }
  return elements;
}

static void read_layout(const Node* node, Layout* layout) {
  const char* notation = text(node, "layout");
  layout->rank = read_numbers(node, "extents", kMaxRank, layout->extents);
  layout->elements = 1;
  for (size_t d = 0; d < layout->rank; ++d) {
    if (layout->extents[d] == 0 || layout->extents[d] > MAX_ELEMENTS / layout->elements) {
      bad(node, "is empty or too large");
      return;
    }
    layout->elements *= layout->extents[d];
  }
  if (strchr(notation, '^')) bad(node, "has the layout \"%s\"; swizzles are not supported", notation);
  if (!take_terms(notation, layout) || !covers_dimensions(layout)) {
    bad(node, "has \"%s\", which is not a layout of %zu dimensions", notation, layout->rank);
    return;
  }
  const int64_t stored = set_stored_extents(layout), elements = number(node, "elements", MAX_ELEMENTS);
  if (stored != elements)
    bad(node, "has %" PRId64 " elements, but its layout has %" PRId64, elements, stored);
}

// Where the element with this row-major number lies in memory.
static size_t position(const Layout* layout, int64_t row_major) {
  int64_t index[kMaxRank], at = 0;
  for (size_t d = layout->rank; d-- > 0; row_major /= layout->extents[d])
    index[d] = row_major % layout->extents[d];
  for (size_t t = 0; t < layout->terms; ++t) {
    const Term* term = &layout->term[t];
    at = at * term->extent + term->lead + part_of(term, index[term->dim]);
  }
  return (size_t)at;
}

// ---- The program ----

// 0 if there is no such type.
static int64_t element_bytes(const char* type) {
  static const char* const names[] = {"bool", "i8",  "u8",  "i16", "u16", "f16",
                                      "i32",  "u32", "f32", "i64", "u64", "f64"};
  static const int64_t bytes[] = {1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(names[i], type) == 0) return bytes[i];
  }
  return 0;
}

static void read_slot(Program* program, const Node* node, void* item) {
  (void)program;
  *(Slot*)item = (Slot){.bytes = number_of(node, MAX_BYTES)};
}

static bool is_kind(const char* kind) {
  return strcmp(kind, "input") == 0 || strcmp(kind, "output") == 0 || strcmp(kind, "constant") == 0 ||
         strcmp(kind, "intermediate") == 0;
}

static void read_place(const Program* program, const Node* node, Tensor* tensor) {
  const char* kind = text(node, "kind");
  if (!is_kind(kind)) bad(node, "has the unknown kind \"%s\"", kind);
  const int64_t constants = (int64_t)program->constants.size;
  tensor->is_constant = strcmp(kind, "constant") == 0;
  if (tensor->is_constant || has(node, "offset")) tensor->offset = number(node, "offset", MAX_BYTES);
  if (tensor->is_constant) {
    if (tensor->offset > constants || tensor->bytes > constants - tensor->offset)
      bad(node, "has %" PRId64 " bytes from %" PRId64 " on, but all constants have %" PRId64, tensor->bytes,
          tensor->offset, constants);
  }
  if (!has(node, "slot")) return;
  // Other tensors live longer than a slot's content.
  if (strcmp(kind, "intermediate") != 0) bad(node, "has a slot, but is not an intermediate");
  const Node slot = member(node, "slot");
  const size_t index = index_of(&slot, program->slot_count);
  if (*node->ok && (tensor->offset > program->slots[index].bytes ||
                    tensor->bytes > program->slots[index].bytes - tensor->offset))
    bad(node, "exceeds its slot");
  tensor->slot = (int64_t)index;
  if (*node->ok && tensor->offset > 0) program->slots[index].has_parts = true;
}

static void read_tensor(Program* program, const Node* node, void* item) {
  Tensor* tensor = item;
  *tensor = (Tensor){.json = node->json,
                     .name = text(node, "name"),
                     .type = text(node, "type"),
                     .elements = number(node, "elements", MAX_ELEMENTS),
                     .slot = -1};
  if (has(node, "image")) bad(node, "is an image; only buffers are supported");
  const int64_t size = element_bytes(tensor->type);
  if (size == 0) bad(node, "has the unknown type \"%s\"", tensor->type);
  tensor->bytes = tensor->elements * size;
  if (tensor->bytes > MAX_BYTES) bad(node, "is too large");
  read_place(program, node, tensor);
}

static void read_argument(Program* program, const Node* node, void* item) {
  (void)program;
  Argument* argument = item;
  const char* kind = text(node, "kind");
  if (strcmp(kind, "buffer") != 0) bad(node, "is of the kind \"%s\"; only buffers are supported", kind);
  argument->type = text(node, "type");
  argument->elements = number(node, "elements", MAX_ELEMENTS);
  argument->alignment = number(node, "alignment", MAX_ELEMENTS);
}

static void read_kernel(Program* program, const Node* node, void* item) {
  Kernel* kernel = item;
  kernel->entry = text(node, "entry");
  kernel->options = text(node, "options");
  kernel->file = text(node, "file");
  read_three(node, "groups", kernel->groups);
  read_three(node, "group_size", kernel->group_size);
  for (size_t d = 0; d < 3; ++d) {
    if (kernel->group_size[d] == 0) bad(node, "has empty work-groups");
    if (kernel->group_size[d] > 0 && kernel->groups[d] > INT32_MAX / kernel->group_size[d])
      bad(node, "has more work-items than it can count");
  }
  // OpenCL 1.2 cannot ask whether the device has them of that size.
  if (number(node, "sub_group_size", MAX_ELEMENTS) != 0)
    bad(node, "needs sub-groups, which are not supported");
  kernel->arguments =
      read_items(program, node, "arguments", sizeof(Argument), &kernel->argument_count, read_argument);
}

static void read_tensor_index(Program* program, const Node* node, void* item) {
  const size_t index = index_of(node, program->tensor_count);
  if (*node->ok) *(const Tensor**)item = &program->tensors[index];
}

static void check_tensors(const Node* node, const Launch* launch) {
  const Kernel* kernel = launch->kernel;
  if (launch->tensor_count != kernel->argument_count)
    bad(node, "has %zu tensors, but %s takes %zu", launch->tensor_count, kernel->entry,
        kernel->argument_count);
  for (size_t a = 0; *node->ok && a < kernel->argument_count; ++a) {
    const Argument* argument = &kernel->arguments[a];
    const Tensor* tensor = launch->tensors[a];
    if (strcmp(argument->type, tensor->type) != 0 || argument->elements > tensor->elements)
      bad(node, "gives %s %" PRId64 " %s as argument %zu, which takes %" PRId64 " %s", kernel->entry,
          tensor->elements, tensor->type, a, argument->elements, argument->type);
  }
}

static void read_launch(Program* program, const Node* node, void* item) {
  Launch* launch = item;
  const Node kernel = member(node, "kernel");
  const size_t index = index_of(&kernel, program->kernel_count);
  launch->tensors =
      read_items(program, node, "tensors", sizeof(Tensor*), &launch->tensor_count, read_tensor_index);
  size_t groups[3];
  read_three(node, "groups", groups);
  if (!*node->ok) return;
  launch->kernel = &program->kernels[index];
  check_tensors(node, launch);
  // Without Params both are the same numbers.
  if (memcmp(groups, launch->kernel->groups, sizeof groups) != 0)
    bad(node, "has a different number of work-groups than its kernel");
}

static void read_value(Program* program, const Node* node, void* item) {
  Value* value = item;
  const char* type = text(node, "type");
  const Node tensor = member(node, "tensor");
  const size_t index = index_of(&tensor, program->tensor_count);
  value->name = text(node, "name");
  if (!*node->ok) return;
  value->tensor = &program->tensors[index];
  if (strcmp(type, "f32") != 0 || strcmp(value->tensor->type, "f32") != 0)
    bad(node, "is %s and stored as %s; only f32 stored as f32 is supported", type, value->tensor->type);
  Node stored = {.json = value->tensor->json, .ok = node->ok};
  snprintf(stored.name, sizeof stored.name, "tensors[%zu]", index);
  read_layout(&stored, &value->layout);
}

// Fails if the list `key` has entries, which would need work before a launch.
static void require_none(const Node* root, const char* key) {
  const Node node = list(root, key);
  if (cJSON_GetArraySize(node.json) > 0) bad(&node, "is not empty; programs with Params are not supported");
}

static void read_constants(Program* program, const Node* root) {
  const Node node = member(root, "constants");
  const int64_t bytes = number(&node, "bytes", MAX_BYTES);
  // Without constants there is no file.
  if (!*node.ok || bytes == 0) return;
  if (!read_file(program->folder, text(&node, "file"), &program->constants)) *node.ok = false;
  if ((uint64_t)bytes != program->constants.size)
    bad(&node, "have %" PRId64 " bytes, but the file has %zu", bytes, program->constants.size);
}

static void read_lists(Program* p, const Node* root) {
  p->slots = read_items(p, root, "slots", sizeof(Slot), &p->slot_count, read_slot);
  p->tensors = read_items(p, root, "tensors", sizeof(Tensor), &p->tensor_count, read_tensor);
  p->kernels = read_items(p, root, "kernels", sizeof(Kernel), &p->kernel_count, read_kernel);
  p->launches = read_items(p, root, "launches", sizeof(Launch), &p->launch_count, read_launch);
  p->inputs = read_items(p, root, "inputs", sizeof(Value), &p->input_count, read_value);
  const Node outputs = list(root, "outputs");
  const Node output = item_of(&outputs, cJSON_GetArrayItem(outputs.json, 0), 0);
  if (!output.json) bad(&output, "is missing");
  read_value(p, &output, &p->output);
}

static bool parse_json(Program* program) {
  Bytes file = {0};
  const bool is_read = read_file(program->folder, "program.json", &file);
  // The zero after it is parsed too, so that text after the JSON is an error.
  if (is_read) program->json = cJSON_ParseWithLengthOpts(file.data, file.size + 1, NULL, true);
  free(file.data);
  return is_read && (cJSON_IsObject(program->json) || fail("program.json: it is not a JSON object"));
}

static bool read_program(Program* program) {
  bool ok = true;
  if (!parse_json(program)) return false;
  const Node root = {.json = program->json, .ok = &ok};
  const Node version = member(&root, "version");
  const int64_t number = number_of(&version, MAX_ELEMENTS);
  if (number == 2 || has(&root, "counts") || has(&root, "host_steps"))
    bad(&version, "is %" PRId64 ": programs with counts or host steps are not supported", number);
  else if (number != 1 && number != 3)
    bad(&version, "must be 1 or 3");
  require_none(&root, "params");
  require_none(&root, "requirements");
  require_none(&root, "factors");
  read_constants(program, &root);
  read_lists(program, &root);
  return ok;
}

// ---- The device ----

static bool equals_ignoring_case(const char* a, const char* b, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
  }
  return true;
}

static bool contains_ignoring_case(const char* whole, const char* part) {
  const size_t length = strlen(part);
  for (; strlen(whole) >= length; ++whole) {
    if (equals_ignoring_case(whole, part, length)) return true;
  }
  return false;
}

// `number` is PLATFORM:DEVICE. Who wants nothing special wants a GPU.
static bool is_wanted(cl_device_id id, const char* number, const char* wanted) {
  cl_device_type type = 0;
  char name[1024] = "";
  // A device that cannot say what it is must not hide the others.
  if (clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
      clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL) != CL_SUCCESS)
    return false;
  if (wanted[0] == '\0' || equals_ignoring_case(wanted, "gpu", 4)) return (type & CL_DEVICE_TYPE_GPU) != 0;
  if (equals_ignoring_case(wanted, "cpu", 4)) return (type & CL_DEVICE_TYPE_CPU) != 0;
  return strcmp(number, wanted) == 0 || contains_ignoring_case(name, wanted);
}

// Sets *found to the first device that is wanted; until there is one, to the first of all.
static void find_device_of(cl_platform_id platform, unsigned platform_number, const char* wanted,
                           bool* is_found, cl_device_id* found) {
  cl_device_id ids[kMaxListed];
  cl_uint count = 0;
  // A platform may be without devices, or broken; there are others.
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, kMaxListed, ids, &count) != CL_SUCCESS) return;
  for (unsigned d = 0; d < count && d < kMaxListed && !*is_found; ++d) {
    char number[32];
    snprintf(number, sizeof number, "%u:%u", platform_number, d);
    *is_found = is_wanted(ids[d], number, wanted);
    if (*is_found || !*found) *found = ids[d];
  }
}

static bool find_device(const char* wanted, cl_device_id* found) {
  cl_platform_id platforms[kMaxListed];
  cl_uint count = 0;
  bool is_found = false;
  if (!check(clGetPlatformIDs(kMaxListed, platforms, &count), "clGetPlatformIDs",
             "is there an OpenCL driver?"))
    return false;
  for (unsigned p = 0; p < count && p < kMaxListed && !is_found; ++p)
    find_device_of(platforms[p], p, wanted, &is_found, found);
  if (wanted[0] != '\0') return is_found || fail("no device matches TENSORDSL_DEVICE=\"%s\"", wanted);
  return *found || fail("no OpenCL device found");
}

static bool open_device(Device* device) {
  const char* wanted = getenv("TENSORDSL_DEVICE");
  cl_int status = CL_SUCCESS;
  if (!find_device(wanted ? wanted : "", &device->id)) return false;
  device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &status);
  if (!check(status, "clCreateContext", "the device")) return false;
  device->queue = clCreateCommandQueue(device->context, device->id, 0, &status);
  return check(status, "clCreateCommandQueue", "the device");
}

// ---- Memory ----

static bool create_buffer(const Device* device, int64_t bytes, const char* what, cl_mem* memory) {
  cl_int status = CL_SUCCESS;
  // OpenCL has no empty buffers, but a tensor may be empty.
  *memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes > 0 ? (size_t)bytes : 1, NULL, &status);
  return check(status, "clCreateBuffer", what);
}

static bool write_tensor(const Device* device, const Tensor* tensor, const void* data) {
  if (tensor->bytes == 0) return true;
  const cl_int status = clEnqueueWriteBuffer(device->queue, tensor->memory, CL_TRUE, 0, (size_t)tensor->bytes,
                                             data, 0, NULL, NULL);
  return check(status, "clEnqueueWriteBuffer", tensor->name);
}

// A kernel may read and write the same part of a slot, which then must be the same object.
static bool find_same_part(const Program* program, Tensor* tensor) {
  for (const Tensor* other = program->tensors; other < tensor; ++other) {
    if (other->slot != tensor->slot || other->offset != tensor->offset || other->bytes != tensor->bytes)
      continue;
    tensor->memory = other->memory;
    return true;
  }
  return false;
}

static bool create_part(const Program* program, const Device* device, Tensor* tensor) {
  const Slot* slot = &program->slots[tensor->slot];
  cl_int status = CL_SUCCESS;
  if (find_same_part(program, tensor)) {
    status = clRetainMemObject(tensor->memory);
    return check(status, "clRetainMemObject", tensor->name);
  }
  if (!slot->has_parts) {
    tensor->memory = slot->memory;
    status = clRetainMemObject(tensor->memory);
    return check(status, "clRetainMemObject", tensor->name);
  }
  // There are no empty parts either.
  if (tensor->bytes == 0) return create_buffer(device, 0, tensor->name, &tensor->memory);
  const cl_buffer_region region = {(size_t)tensor->offset, (size_t)tensor->bytes};
  tensor->memory =
      clCreateSubBuffer(slot->memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  return check(status, "clCreateSubBuffer", tensor->name);
}

static bool create_memory(Program* program, const Device* device) {
  for (size_t i = 0; i < program->slot_count; ++i) {
    if (!create_buffer(device, program->slots[i].bytes, "a slot", &program->slots[i].memory)) return false;
  }
  for (size_t i = 0; i < program->tensor_count; ++i) {
    Tensor* tensor = &program->tensors[i];
    if (tensor->slot >= 0) {
      if (!create_part(program, device, tensor)) return false;
      continue;
    }
    if (!create_buffer(device, tensor->bytes, tensor->name, &tensor->memory)) return false;
    // Constants are stored in their layouts already.
    if (tensor->is_constant && !write_tensor(device, tensor, program->constants.data + tensor->offset))
      return false;
  }
  return true;
}

// The FNV-1a hash of "input:NAME".
static uint64_t seed_of(const char* name) {
  const char* parts[] = {"input:", name};
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < 2; ++i) {
    for (const char* c = parts[i]; *c != '\0'; ++c)
      hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
  }
  return hash;
}

// 24 bits of the counter-th number of the splitmix64 sequence that starts at `seed`, as a float in [-1, 1).
// Nothing is rounded, and so every machine gets the same.
static float uniform(uint64_t seed, uint64_t counter) {
  uint64_t z = counter * UINT64_C(0x9E3779B97F4A7C15) + seed;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  return (float)(z >> 40) / 8388608.0F - 1.0F;
}

static bool write_input(const Device* device, const Value* input) {
  // Zeros stay where the layout leaves elements free.
  float* stored = allocate((size_t)input->tensor->elements, sizeof *stored);
  if (!stored) return false;
  const uint64_t seed = seed_of(input->name);
  for (int64_t i = 0; i < input->layout.elements; ++i)
    stored[position(&input->layout, i)] = uniform(seed, (uint64_t)i + 1);
  const bool is_written = write_tensor(device, input->tensor, stored);
  free(stored);
  return is_written;
}

static bool write_inputs(const Program* program, const Device* device) {
  for (size_t i = 0; i < program->input_count; ++i) {
    if (!write_input(device, &program->inputs[i])) return false;
  }
  return true;
}

// ---- Kernels ----

static void print_build_log(cl_program program, const Device* device, const Kernel* kernel) {
  size_t size = 0;
  cl_int status = clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  if (!check(status, "clGetProgramBuildInfo", kernel->entry)) return;
  char* log = allocate(size + 1, 1);
  if (!log) return;
  status = clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  if (check(status, "clGetProgramBuildInfo", kernel->entry)) fprintf(stderr, "%s: %s\n", kernel->file, log);
  free(log);
}

// Checks that it is the kernel that program.json describes, and that the device can give it its buffers.
static bool check_kernel(const Device* device, const Kernel* kernel) {
  cl_uint count = 0, alignment = 0;
  cl_int status = clGetKernelInfo(kernel->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  if (!check(status, "clGetKernelInfo", kernel->entry)) return false;
  status = clGetDeviceInfo(device->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, NULL);
  if (!check(status, "clGetDeviceInfo", kernel->entry)) return false;
  if (count != kernel->argument_count)
    return fail("%s: %s has %u arguments, but program.json lists %zu", kernel->file, kernel->entry,
                (unsigned)count, kernel->argument_count);
  for (size_t a = 0; a < kernel->argument_count; ++a) {
    // The device tells bits.
    if (kernel->arguments[a].alignment > (int64_t)alignment / 8)
      return fail("%s: %s needs buffers aligned to %" PRId64 " bytes; the device aligns to %u", kernel->file,
                  kernel->entry, kernel->arguments[a].alignment, (unsigned)alignment / 8);
  }
  return true;
}

static bool build_kernel(const Device* device, const Bytes* source, Kernel* kernel) {
  const char* begin = source->data;
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(device->context, 1, &begin, &source->size, &status);
  if (!check(status, "clCreateProgramWithSource", kernel->entry)) return false;
  status = clBuildProgram(program, 1, &device->id, kernel->options, NULL, NULL);
  const bool is_built = check(status, "clBuildProgram", kernel->entry);
  if (!is_built) print_build_log(program, device, kernel);
  if (is_built) kernel->kernel = clCreateKernel(program, kernel->entry, &status);
  const bool is_created = is_built && check(status, "clCreateKernel", kernel->entry);
  // The kernel keeps what it needs of its program.
  status = clReleaseProgram(program);
  return is_created && check(status, "clReleaseProgram", kernel->entry) && check_kernel(device, kernel);
}

static bool build_kernels(Program* program, const Device* device) {
  for (size_t i = 0; i < program->kernel_count; ++i) {
    Kernel* kernel = &program->kernels[i];
    Bytes source = {0};
    const bool is_built =
        read_file(program->folder, kernel->file, &source) && build_kernel(device, &source, kernel);
    free(source.data);
    if (!is_built) return false;
  }
  return true;
}

static bool enqueue(const Device* device, const Launch* launch) {
  const Kernel* kernel = launch->kernel;
  size_t global[3];
  for (size_t d = 0; d < 3; ++d) {
    // OpenCL 1.2 refuses a launch of nothing.
    if (kernel->groups[d] == 0) return true;
    global[d] = kernel->groups[d] * kernel->group_size[d];
  }
  // An earlier launch of the kernel keeps the arguments that it was enqueued with.
  for (size_t a = 0; a < launch->tensor_count; ++a) {
    const cl_mem memory = launch->tensors[a]->memory;
    const cl_int status = clSetKernelArg(kernel->kernel, (cl_uint)a, sizeof memory, &memory);
    if (!check(status, "clSetKernelArg", kernel->entry)) return false;
  }
  const cl_int status = clEnqueueNDRangeKernel(device->queue, kernel->kernel, 3, NULL, global,
                                               kernel->group_size, 0, NULL, NULL);
  return check(status, "clEnqueueNDRangeKernel", kernel->entry);
}

static bool run(const Program* program, const Device* device) {
  for (size_t i = 0; i < program->launch_count; ++i) {
    if (!enqueue(device, &program->launches[i])) return false;
  }
  // An error during execution is known only to be of one of the launched kernels.
  return check(clFinish(device->queue), "clFinish", "one of the kernels");
}

// ---- The output ----

// Each pass finds the largest of the values that sort after the last one. NaN is left out.
static void print_largest(const float* values, size_t count) {
  size_t last = count;
  for (int line = 0; line < 5; ++line) {
    size_t best = count;
    for (size_t i = 0; i < count; ++i) {
      const bool is_behind =
          last == count || values[i] < values[last] || (values[i] == values[last] && i > last);
      if (is_behind && values[i] == values[i] && (best == count || values[i] > values[best])) best = i;
    }
    if (best == count) return;
    printf("%6d  %.6f\n", (int)best, (double)values[best]);
    last = best;
  }
}

// Reads the tensor's memory into `stored`, and that in row-major order into `values`.
static bool read_output(const Device* device, const Value* output, float* stored, float* values) {
  const Tensor* tensor = output->tensor;
  const cl_int status = clEnqueueReadBuffer(device->queue, tensor->memory, CL_TRUE, 0, (size_t)tensor->bytes,
                                            stored, 0, NULL, NULL);
  if (!check(status, "clEnqueueReadBuffer", tensor->name)) return false;
  for (int64_t i = 0; i < output->layout.elements; ++i) values[i] = stored[position(&output->layout, i)];
  return true;
}

static bool report_output(const Device* device, const Value* output, const char* path) {
  const size_t count = (size_t)output->layout.elements;
  float* stored = allocate((size_t)output->tensor->elements, sizeof *stored);
  float* values = allocate(count, sizeof *values);
  const bool is_read = stored && values && read_output(device, output, stored, values);
  if (is_read) print_largest(values, count);
  const bool is_written = is_read && (!path || write_file(path, values, count));
  free(values);
  free(stored);
  return is_written;
}

// ---- All of it ----

// Failures are ignored: there is no remedy for a release that fails.
static void release_device_objects(const Program* program, const Device* device) {
  // Not every driver keeps memory alive for a kernel that is queued.
  if (device->queue) clFinish(device->queue);
  for (size_t i = 0; i < program->kernel_count; ++i) {
    if (program->kernels[i].kernel) clReleaseKernel(program->kernels[i].kernel);
  }
  for (size_t i = 0; i < program->tensor_count; ++i) {
    const Tensor* tensor = &program->tensors[i];
    if (tensor->memory) clReleaseMemObject(tensor->memory);
  }
  for (size_t i = 0; i < program->slot_count; ++i) {
    if (program->slots[i].memory) clReleaseMemObject(program->slots[i].memory);
  }
  if (device->queue) clReleaseCommandQueue(device->queue);
  if (device->context) clReleaseContext(device->context);
}

static void free_program(Program* program) {
  for (size_t i = 0; i < program->launch_count; ++i) free(program->launches[i].tensors);
  for (size_t i = 0; i < program->kernel_count; ++i) free(program->kernels[i].arguments);
  free(program->slots);
  free(program->tensors);
  free(program->kernels);
  free(program->launches);
  free(program->inputs);
  free(program->constants.data);
  cJSON_Delete(program->json);
}

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fail("usage: run_program DIR [OUTPUT.bin]");
    return 2;
  }
  Program program = {.folder = argv[1]};
  Device device = {0};
  const bool is_done = read_program(&program) && open_device(&device) && create_memory(&program, &device) &&
                       build_kernels(&program, &device) && write_inputs(&program, &device) &&
                       run(&program, &device) &&
                       report_output(&device, &program.output, argc == 3 ? argv[2] : NULL);
  release_device_objects(&program, &device);
  free_program(&program);
  return is_done ? 0 : 2;
}
