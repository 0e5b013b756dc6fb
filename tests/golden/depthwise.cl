__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict in, __global const float* restrict weights, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  float8 sum_0;
  float8 sum_1;
  sum_0 = (float8)(0.0f);
  sum_1 = (float8)(0.0f);
  for (int sum_1_r_0 = 0; sum_1_r_0 < 3; ++sum_1_r_0) {
    sum_0 = sum_0 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 && 1 <= block0 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 104)) : (float8)(0.0f)) * vload8(0, weights + sum_1_r_0 * 24);
    sum_1 = sum_1 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 88)) : (float8)(0.0f)) * vload8(0, weights + sum_1_r_0 * 24);
    sum_0 = sum_0 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 96)) : (float8)(0.0f)) * vload8(0, weights + (sum_1_r_0 * 24 + 8));
    sum_1 = sum_1 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 80)) : (float8)(0.0f)) * vload8(0, weights + (sum_1_r_0 * 24 + 8));
    sum_0 = sum_0 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 88)) : (float8)(0.0f)) * vload8(0, weights + (sum_1_r_0 * 24 + 16));
    sum_1 = sum_1 + (1 <= block1 * 2 + sum_1_r_0 && block1 * 2 + sum_1_r_0 < 10 ? vload8(0, in + (block1 * 192 + sum_1_r_0 * 96 + block0 * 32 - 72)) : (float8)(0.0f)) * vload8(0, weights + (sum_1_r_0 * 24 + 16));
  }
  vstore8(fmin(fmax(sum_0, (float8)(0.0f)), (float8)(6.0f)), 0, out + (block1 * 48 + block0 * 16));
  vstore8(fmin(fmax(sum_1, (float8)(0.0f)), (float8)(6.0f)), 0, out + (block1 * 48 + block0 * 16 + 8));
}
