/* Runs a package on a picture, or with inputs of ones, and prints the beginning of each output and its
 * largest element:
 *
 *     run_package model.tdsl [PICTURE.ppm] [DEVICE]    (DEVICE: gpu, cpu, 0:0 or a part of an OpenCL device's name)
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

static void refuse_picture(const char* picture, const char* why) {
  fprintf(stderr, "run_package: %s: %s\n", picture, why);
  exit(1);
}

/* A PPM file has rows of pixels of three bytes; the model takes planes of floats, [1, 3, rows, columns]. */
// [read_picture]
static void read_picture(const char* picture, const tdsl_tensor* tensor, float* values) {
  const size_t plane = (size_t)(tensor->shape[2] * tensor->shape[3]);
  unsigned char pixel[3];
  long columns, rows;
  size_t i, channel;
  FILE* file = fopen(picture, "rb");
  if (!file) refuse_picture(picture, "cannot be opened");
  if (fscanf(file, "P6 %ld %ld 255", &columns, &rows) != 2) refuse_picture(picture, "is not a PPM of bytes");
  if (rows != tensor->shape[2] || columns != tensor->shape[3]) refuse_picture(picture, "has another size");
  fgetc(file); /* the end of the header's line */
  for (i = 0; i < plane; ++i) {
    if (fread(pixel, 1, 3, file) != 3) refuse_picture(picture, "is cut short");
    for (channel = 0; channel < 3; ++channel) values[channel * plane + i] = pixel[channel] / 255.0f;
  }
  fclose(file);
}
// [end]

static int takes_picture(const tdsl_tensor* tensor) {
  return tensor->type == TDSL_F32 && tensor->rank == 4 && tensor->shape[0] == 1 && tensor->shape[1] == 3;
}

/* The picture if there is one and the input takes it; else of floats a 1, of other types all bytes 1. */
static void fill(const char* picture, const tdsl_tensor* tensor, void* memory) {
  const float one = 1;
  size_t i;
  if (picture && takes_picture(tensor)) {
    read_picture(picture, tensor, memory);
    return;
  }
  memset(memory, 1, (size_t)tensor->bytes);
  if (tensor->type != TDSL_F32) return;
  for (i = 0; i < tensor->bytes; i += sizeof one) memcpy((char*)memory + i, &one, sizeof one);
}

static void print(const tdsl_tensor* tensor, const void* memory) {
  const float* values = memory;
  const size_t count = (size_t)tensor->bytes / sizeof *values;
  size_t i, largest = 0;
  printf("%s, %lu bytes:", tensor->name, (unsigned long)tensor->bytes);
  if (tensor->type == TDSL_F32) {
    for (i = 0; i < count && i < 5; ++i) printf(" %g", values[i]);
    for (i = 1; i < count; ++i) largest = values[i] > values[largest] ? i : largest;
    if (count > 0) printf(" .., largest: %g at %lu", values[largest], (unsigned long)largest);
  }
  printf("\n");
}

static int is_picture(const char* argument) {
  const size_t length = strlen(argument);
  return length > 4 && strcmp(argument + length - 4, ".ppm") == 0;
}

int main(int argc, char** argv) {
  tdsl_package* package = NULL;
  tdsl_device* device = NULL;
  tdsl_instance* instance = NULL;
  tdsl_tensor tensor;
  size_t i;
  int argument;
  const char *picture = NULL, *device_name = NULL;
  if (argc < 2) {
    fprintf(stderr, "usage: run_package PACKAGE [PICTURE.ppm] [DEVICE]\n");
    return 2;
  }
  for (argument = 2; argument < argc; ++argument) {
    if (is_picture(argv[argument])) {
      picture = argv[argument];
    } else {
      device_name = argv[argument];
    }
  }
  // [open_package]
  check(tdsl_package_open(argv[1], &package));
  check(tdsl_device_open(device_name, &device)); /* NULL: the first GPU, else the first device */
  check(tdsl_instance_create(package, device, NULL, 0, &instance));
  // [end]
  printf("%s on %s\n", argv[1], tdsl_device_name(device));

  // [write_inputs]
  for (i = 0; i < tdsl_package_input_count(package); ++i) {
    void* memory;
    check(tdsl_input(instance, i, &tensor)); /* its name, type, shape and bytes */
    memory = malloc((size_t)tensor.bytes);
    fill(picture, &tensor, memory);
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
