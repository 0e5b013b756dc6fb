__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict first, __global float* restrict out, const int out_extent_0, const int out_extent_1) {
  for (int out_y = 0; out_y < out_extent_0; ++out_y) {
    const int a_0 = out_y * (out_extent_1 + 1);
    const int a_1 = out_y * out_extent_1;
    for (int out_x = 0; out_x < out_extent_1; ++out_x) {
      const float2 t_0 = vload2(0, first + (a_0 + out_x));
      out[a_1 + out_x] = t_0.s0 + t_0.s1;
    }
  }
}
