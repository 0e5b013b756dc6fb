__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__read_only image2d_t first, __write_only image2d_t out) {
  for (int out_y = 0; out_y < 8; ++out_y) {
    for (int out_x_o = 0; out_x_o < 4; ++out_x_o) {
      write_imagef(out, (int2)(out_x_o, out_y), read_imagef(first, (int2)(out_x_o, out_y)) * (float4)(2.0f));
    }
  }
}
