__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void first_kernel(__global const float* restrict a, __global float* restrict first, const int m, const int n, const int out_extent_0, const int out_extent_1) {
  for (int first_y = 0; first_y < out_extent_0; ++first_y) {
    const int a_0 = first_y * m;
    const int a_1 = first_y * (out_extent_1 + 1);
    for (int first_x = 0; first_x < out_extent_1 + 1; ++first_x) {
      first[a_1 + first_x] = a[a_0 + first_x] * 2.0f;
    }
  }
}
