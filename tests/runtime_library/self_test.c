/* Checks that the runtime works on this machine: it makes a small package and does with it all that a program
 * does. It needs the library alone, so that it can be copied to a phone and run there:
 *
 *     self_test [DEVICE]
 *
 * Without an OpenCL library it tests the functions that need no device, and the error. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordsl/runtime.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ELEMENTS = 1000, WEIGHTS = 16, THREADS = 8, RUNS = 200 };

static const char kKernel[] =
    "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "__kernel void copy(__global const float* restrict x, __global float* restrict y) {\n"
    "  const int i = get_global_id(0);\n"
    "  if (i < 1000) y[i] = x[i];\n"
    "}\n";

static const char kProgram[] =
    "{\"version\": 1, \"name\": \"copy\", \"params\": [],"
    " \"inputs\": [{\"name\": \"x\", \"type\": \"f32\", \"shape\": [10, 100], \"tensor\": 0}],"
    " \"outputs\": [{\"name\": \"y\", \"type\": \"f32\", \"shape\": [1000], \"tensor\": 1},"
    "               {\"name\": \"w\", \"type\": \"f32\", \"shape\": [16], \"tensor\": 2}],"
    " \"kernels\": [{\"entry\": \"copy\", \"options\": \"-cl-std=CL1.2\", \"arguments\": ["
    "    {\"kind\": \"buffer\", \"name\": \"x\", \"type\": \"f32\", \"access\": \"read_only\", \"elements\": "
    "\"1000\", \"alignment\": 4},"
    "    {\"kind\": \"buffer\", \"name\": \"y\", \"type\": \"f32\", \"access\": \"write_only\", "
    "\"elements\": \"1000\", \"alignment\": 4}],"
    "   \"groups\": [\"16\", \"1\", \"1\"], \"group_size\": [64, 1, 1], \"sub_group_size\": 0, "
    "\"local_bytes\": 0,"
    "   \"private_bytes\": 0, \"register_bytes\": 0, \"live_registers\": 1, \"flops\": 0, \"file\": "
    "\"copy.cl\"}],"
    " \"tensors\": [{\"kind\": \"input\", \"name\": \"x\", \"type\": \"f32\", \"extents\": [1000], "
    "\"layout\": \"d0\", \"elements\": 1000},"
    "               {\"kind\": \"output\", \"name\": \"y\", \"type\": \"f32\", \"extents\": [1000], "
    "\"layout\": \"d0\", \"elements\": 1000},"
    "               {\"kind\": \"constant\", \"name\": \"w\", \"type\": \"f32\", \"extents\": [16], "
    "\"layout\": \"d0\", \"elements\": 16,"
    "                \"offset\": 0}],"
    " \"slots\": [], \"constants\": {\"file\": \"constants.bin\", \"bytes\": 64},"
    " \"launches\": [{\"kernel\": 0, \"tensors\": [0, 1], \"groups\": [16, 1, 1], \"label\": \"copy\", "
    "\"flops\": 0}],"
    " \"requirements\": [], \"factors\": [], \"warnings\": []}";

static void fail(const char* where, int line, const char* what) {
  fprintf(stderr, "self_test: %s:%d: %s\n  last error: %s\n", where, line, what, tdsl_error_text());
  exit(1);
}

#define CHECK(condition)                                    \
  do {                                                      \
    if (!(condition)) fail(__FILE__, __LINE__, #condition); \
  } while (0)

#define CHECK_FAILS(call, status, part)                          \
  do {                                                           \
    CHECK((call) == (status));                                   \
    if (strstr(tdsl_error_text(), (part)) == NULL)               \
      fail(__FILE__, __LINE__, "the error has no \"" part "\""); \
  } while (0)

static void put(unsigned char* to, unsigned long long value, int bytes) {
  int i;
  for (i = 0; i < bytes; ++i) to[i] = (unsigned char)(value >> (8 * i));
}

static void checksum(const void* bytes, size_t size, unsigned char to[16]) {
  XXH128_canonicalFromHash((XXH128_canonical_t*)to, XXH3_128bits(bytes, size));
}

static void append_entry(char* index, const char* name, size_t offset, const void* bytes, size_t size) {
  unsigned char sum[16];
  int i;
  checksum(bytes, size, sum);
  sprintf(index + strlen(index), "{\"name\": \"%s\", \"offset\": %zu, \"bytes\": %zu, \"checksum\": \"", name,
          offset, size);
  for (i = 0; i < 16; ++i) sprintf(index + strlen(index), "%02x", sum[i]);
  strcat(index, "\"}");
}

/* docs/PACKAGE.md, by hand. */
static size_t make_package(unsigned char* to) {
  const size_t kernel_at = 2048, program_at = 4096, weights_at = 8192;
  float weights[WEIGHTS];
  char index[2000] =
      "{\"version\": 1, \"made_from\": \"self_test\", \"compiled_for\": \"any device\", \"files\": [";
  int i;
  for (i = 0; i < WEIGHTS; ++i) weights[i] = (float)i / 4;
  append_entry(index, "copy.cl", kernel_at, kKernel, sizeof kKernel - 1);
  strcat(index, ", ");
  append_entry(index, "program.json", program_at, kProgram, sizeof kProgram - 1);
  strcat(index, ", ");
  append_entry(index, "constants.bin", weights_at, weights, sizeof weights);
  strcat(index, "]}");
  memset(to, 0, weights_at);
  memcpy(to, "\x8dTDSL\r\n\x1a", 8);
  put(to + 8, 1, 4);
  put(to + 16, strlen(index), 8);
  checksum(index, strlen(index), to + 24);
  memcpy(to + 64, index, strlen(index));
  memcpy(to + kernel_at, kKernel, sizeof kKernel - 1);
  memcpy(to + program_at, kProgram, sizeof kProgram - 1);
  memcpy(to + weights_at, weights, sizeof weights);
  return weights_at + sizeof weights;
}

/* Bytes between the files are of no file. */
static int is_covered(const unsigned char* bytes, size_t i) {
  const size_t index_end = 64 + bytes[16] + ((size_t)bytes[17] << 8);
  return i < index_end || (i >= 2048 && i < 2048 + sizeof kKernel - 1) ||
         (i >= 4096 && i < 4096 + sizeof kProgram - 1) || i >= 8192;
}

static void test_package(const unsigned char* bytes, size_t size) {
  tdsl_package* package = NULL;
  tdsl_tensor tensor;
  CHECK(tdsl_package_open_memory(bytes, size, &package) == TDSL_OK);
  CHECK(tdsl_package_input_count(package) == 1 && tdsl_package_output_count(package) == 2);
  CHECK(tdsl_package_input(package, 0, &tensor) == TDSL_OK);
  CHECK(strcmp(tensor.name, "x") == 0 && tensor.type == TDSL_F32 && tensor.rank == 2);
  CHECK(tensor.shape[0] == 10 && tensor.shape[1] == 100 && tensor.bytes == 4 * ELEMENTS);
  CHECK(tdsl_package_param_count(package) == 0 && tdsl_package_param_name(package, 0) == NULL);
  CHECK_FAILS(tdsl_package_input(package, 1, &tensor), TDSL_INVALID_ARGUMENT,
              "tdsl_package_input: index 1 is out of range; it must be less than 1");
  tdsl_package_close(package);
  CHECK_FAILS(tdsl_package_open("/nonexistent/a.tdsl", &package), TDSL_INVALID_PACKAGE,
              "/nonexistent/a.tdsl: cannot be read");
  CHECK(package == NULL);
  CHECK_FAILS(tdsl_package_open(NULL, &package), TDSL_INVALID_ARGUMENT, "tdsl_package_open: path is NULL");
  CHECK_FAILS(tdsl_package_open("", &package), TDSL_INVALID_PACKAGE, "cannot be read");
}

/* Every byte that means something. */
static void test_damage(const unsigned char* bytes, size_t size) {
  unsigned char* damaged = malloc(size);
  tdsl_package* package = NULL;
  size_t i;
  for (i = 0; i < size; ++i) {
    if (!is_covered(bytes, i)) continue;
    memcpy(damaged, bytes, size);
    damaged[i] ^= (unsigned char)(1 << (i % 8));
    if (tdsl_package_open_memory(damaged, size, &package) == TDSL_OK) {
      fprintf(stderr, "byte %zu\n", i);
      fail(__FILE__, __LINE__, "a damaged package was taken");
    }
    tdsl_package_close(package);
  }
  for (i = 0; i < size; i += 1 + i / 16)
    CHECK(tdsl_package_open_memory(bytes, i, &package) == TDSL_INVALID_PACKAGE);
  free(damaged);
}

static void test_file(const unsigned char* bytes, size_t size) {
  static const char path[] = "self_test.tdsl";
  tdsl_package* package = NULL;
  FILE* file = fopen(path, "wb");
  if (file == NULL) return; /* a folder where nothing can be written */
  CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
  CHECK(tdsl_package_open(path, &package) == TDSL_OK);
  remove(path); /* it is mapped */
  CHECK(tdsl_package_output_count(package) == 2);
  tdsl_package_close(package);
}

static void fill(float* x, int seed) {
  int i;
  for (i = 0; i < ELEMENTS; ++i) x[i] = (float)(i * 7 + seed);
}

static void test_instance(tdsl_package* package, tdsl_device* device) {
  static float x[ELEMENTS], y[ELEMENTS], w[WEIGHTS];
  tdsl_instance* instance = NULL;
  tdsl_tensor tensor;
  const tdsl_param wrong = {"n", 3};
  struct _cl_event* done = NULL;
  CHECK_FAILS(tdsl_instance_create(package, device, &wrong, 1, &instance), TDSL_INVALID_ARGUMENT,
              "the program has no Param \"n\"; it has none");
  CHECK(instance == NULL);
  CHECK(tdsl_instance_create(package, device, NULL, 0, &instance) == TDSL_OK);
  CHECK(tdsl_output(instance, 0, &tensor) == TDSL_OK && tensor.bytes == 4 * ELEMENTS);
  CHECK_FAILS(tdsl_run(instance), TDSL_INVALID_ARGUMENT, "the input \"x\" has no value");
  CHECK_FAILS(tdsl_write(instance, "z", x, sizeof x), TDSL_INVALID_ARGUMENT,
              "the program has no input \"z\"");
  CHECK_FAILS(tdsl_write(instance, "x", x, 12), TDSL_INVALID_SHAPE,
              "4000 bytes, but the given memory has 12");
  CHECK_FAILS(tdsl_write(instance, "x", NULL, 4000), TDSL_INVALID_ARGUMENT, "tdsl_write: data is NULL");
  CHECK_FAILS(tdsl_read(instance, "x", x, sizeof x), TDSL_INVALID_ARGUMENT,
              "the program has no output \"x\"");
  CHECK_FAILS(tdsl_bind_host(instance, "z", x, sizeof x), TDSL_INVALID_ARGUMENT,
              "\"z\" is not an input or output");
  CHECK_FAILS(tdsl_bind_host(instance, "x", x, 5), TDSL_INVALID_SHAPE,
              "4000 bytes, but the given memory has 5");
  CHECK_FAILS(tdsl_read(instance, "y", y, sizeof y), TDSL_INVALID_ARGUMENT,
              "tdsl_read: the instance has not run yet; call tdsl_run first");
  CHECK_FAILS(tdsl_bind_buffer(instance, "x", NULL), TDSL_INVALID_ARGUMENT,
              "tdsl_bind_buffer: buffer is NULL");

  fill(x, 1);
  CHECK(tdsl_write(instance, "x", x, sizeof x) == TDSL_OK);
  CHECK(tdsl_run(instance) == TDSL_OK);
  CHECK(tdsl_read(instance, "y", y, sizeof y) == TDSL_OK && memcmp(x, y, sizeof x) == 0);
  CHECK(tdsl_read(instance, "w", w, sizeof w) == TDSL_OK && w[0] == 0 && w[WEIGHTS - 1] == 3.75F);

  CHECK(tdsl_bind_host(instance, "x", x, sizeof x) == TDSL_OK &&
        tdsl_bind_host(instance, "y", y, sizeof y) == TDSL_OK);
  fill(x, 2);
  CHECK(tdsl_run(instance) == TDSL_OK && memcmp(x, y, sizeof x) == 0);
  fill(x, 3);
  CHECK(tdsl_start(instance, NULL, 0, &done) == TDSL_OK && done != NULL);
  CHECK(tdsl_start(instance, &done, 1, NULL) == TDSL_OK); /* after itself */
  CHECK(tdsl_wait(instance) == TDSL_OK && memcmp(x, y, sizeof x) == 0);
  CHECK(tdsl_bind_host(instance, "x", NULL, 0) == TDSL_OK);
  fill(y, 4);
  CHECK(tdsl_run(instance) == TDSL_OK && memcmp(x, y, sizeof x) == 0);
  CHECK(tdsl_clear_states(instance) == TDSL_OK);
  tdsl_instance_close(instance);
}

struct Work {
  tdsl_package* package;
  tdsl_device* device;
  int number;
  int wrong;
};

static void* run_often(void* user) {
  struct Work* work = user;
  float x[ELEMENTS], y[ELEMENTS];
  tdsl_instance* instance = NULL;
  int i;
  work->wrong = tdsl_instance_create(work->package, work->device, NULL, 0, &instance) != TDSL_OK;
  for (i = 0; i < RUNS && !work->wrong; ++i) {
    fill(x, work->number * RUNS + i);
    work->wrong = tdsl_write(instance, "x", x, sizeof x) != TDSL_OK || tdsl_run(instance) != TDSL_OK ||
                  tdsl_read(instance, "y", y, sizeof y) != TDSL_OK || memcmp(x, y, sizeof x) != 0;
  }
  if (work->wrong) fprintf(stderr, "self_test: thread %d, run %d: %s\n", work->number, i, tdsl_error_text());
  tdsl_instance_close(instance);
  return NULL;
}

static void test_threads(tdsl_package* package, tdsl_device* device) {
  pthread_t threads[THREADS];
  struct Work work[THREADS];
  int i;
  for (i = 0; i < THREADS; ++i) {
    work[i] = (struct Work){package, device, i, 0};
    CHECK(pthread_create(&threads[i], NULL, run_often, &work[i]) == 0);
  }
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(!work[i].wrong);
  }
}

static void test_nothing(void) {
  tdsl_package_close(NULL);
  tdsl_device_close(NULL);
  tdsl_instance_close(NULL);
  CHECK(tdsl_package_input_count(NULL) == 0 && tdsl_package_output_count(NULL) == 0 &&
        tdsl_package_param_count(NULL) == 0);
  CHECK(strcmp(tdsl_device_name(NULL), "") == 0);
  CHECK_FAILS(tdsl_run(NULL), TDSL_INVALID_ARGUMENT, "tdsl_run: instance is NULL");
  CHECK_FAILS(tdsl_device_open(NULL, NULL), TDSL_INVALID_ARGUMENT, "tdsl_device_open: device is NULL");
}

/* The tool's device "host" compiles kernels with LLVM; the runtime has no compiler. */
static void test_host(void) {
  tdsl_device* device = NULL;
  CHECK_FAILS(tdsl_device_open("host", &device), TDSL_DEVICE_ERROR,
              "tdsl_device_open: \"host\" is no device of the runtime library, which runs kernels through "
              "OpenCL; name one by gpu, cpu, PLATFORM:DEVICE or a part of its name");
  CHECK(device == NULL);
}

static void print_device(const char* spec, const char* name, void* user) {
  (void)user;
  printf("device %s: %s\n", spec, name);
}

int main(int argc, char** argv) {
  static unsigned char bytes[16384];
  const size_t size = make_package(bytes);
  tdsl_package* package = NULL;
  tdsl_device* device = NULL;
  tdsl_status status;
  test_nothing();
  test_package(bytes, size);
  test_damage(bytes, size);
  test_file(bytes, size);
  status = tdsl_device_open(argc > 1 ? argv[1] : NULL, &device);
  if (status == TDSL_NO_OPENCL) {
    CHECK(strlen(tdsl_error_text()) > 0 && device == NULL);
    CHECK(tdsl_list_devices(print_device, NULL) == TDSL_NO_OPENCL ||
          strstr(tdsl_error_text(), "no OpenCL device found") != NULL);
    printf("self-test of libtensordsl_rt %s passed, without a device: %s\n", tdsl_version(),
           tdsl_error_text());
    return 0;
  }
  CHECK(status == TDSL_OK);
  CHECK(tdsl_list_devices(print_device, NULL) == TDSL_OK);
  test_host();
  CHECK(tdsl_package_open_memory(bytes, size, &package) == TDSL_OK);
  test_instance(package, device);
  test_threads(package, device);
  printf("self-test of libtensordsl_rt %s passed on %s\n", tdsl_version(), tdsl_device_name(device));
  tdsl_package_close(package);
  tdsl_device_close(device);
  return 0;
}
