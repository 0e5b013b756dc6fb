__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void first_kernel(__read_only image2d_t a, __write_only image2d_t first) {
  for (int first_y = 0; first_y < 8; ++first_y) {
    for (int first_x_o = 0; first_x_o < 4; ++first_x_o) {
      write_imagef(first, (int2)(first_x_o, first_y), read_imagef(a, (int2)(first_x_o, first_y)) + (float4)(1.0f));
    }
  }
}
