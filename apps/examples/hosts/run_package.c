/* Runs a package with inputs of ones, and prints the beginning of each output:
 *
 *     run_package model.tdsl [DEVICE]    (gpu, cpu, 0:0 or a part of an OpenCL device's name)
 *
 * It needs tensordsl/runtime.h and libtensordsl_rt, and nothing else of tensordsl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordsl/runtime.h"

static void check(tdsl_status status) {
  if (status == TDSL_OK) return;
  fprintf(stderr, "run_package: %s\n", tdsl_error_text());
  exit(1);
}

/* Of floats a 1, of other types all bytes 1. */
static void fill(const tdsl_tensor* tensor, void* memory) {
  const float one = 1;
  size_t i;
  memset(memory, 1, (size_t)tensor->bytes);
  if (tensor->type != TDSL_F32) return;
  for (i = 0; i < tensor->bytes; i += sizeof one) memcpy((char*)memory + i, &one, sizeof one);
}

static void print(const tdsl_tensor* tensor, const void* memory) {
  const float* values = memory;
  const size_t count = (size_t)tensor->bytes / sizeof *values;
  size_t i;
  printf("%s, %lu bytes:", tensor->name, (unsigned long)tensor->bytes);
  if (tensor->type == TDSL_F32) {
    for (i = 0; i < count && i < 5; ++i) printf(" %g", values[i]);
  }
  printf("\n");
}

int main(int argc, char** argv) {
  tdsl_package* package = NULL;
  tdsl_device* device = NULL;
  tdsl_instance* instance = NULL;
  tdsl_tensor tensor;
  size_t i;
  if (argc < 2) {
    fprintf(stderr, "usage: run_package PACKAGE [DEVICE]\n");
    return 2;
  }
  // [open_package]
  check(tdsl_package_open(argv[1], &package));
  check(
      tdsl_device_open(argc > 2 ? argv[2] : NULL, &device)); /* NULL: the first GPU, else the first device */
  check(tdsl_instance_create(package, device, NULL, 0, &instance));
  // [end]
  printf("%s on %s\n", argv[1], tdsl_device_name(device));

  // [write_inputs]
  for (i = 0; i < tdsl_package_input_count(package); ++i) {
    void* memory;
    check(tdsl_input(instance, i, &tensor)); /* its name, type, shape and bytes */
    memory = malloc((size_t)tensor.bytes);
    fill(&tensor, memory);
    check(tdsl_write(instance, tensor.name, memory, (size_t)tensor.bytes));
    free(memory);
  }
  check(tdsl_run(instance));
  // [end]

  // [read_outputs]
  for (i = 0; i < tdsl_package_output_count(package); ++i) {
    void* memory;
    check(tdsl_output(instance, i, &tensor));
    memory = malloc((size_t)tensor.bytes);
    check(tdsl_read(instance, tensor.name, memory, (size_t)tensor.bytes));
    print(&tensor, memory);
    free(memory);
  }
  // [end]

  tdsl_instance_close(instance);
  tdsl_device_close(device);
  tdsl_package_close(package);
  return 0;
}
