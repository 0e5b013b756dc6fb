__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant float* restrict weights, __global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = 0 - block1 * 2;
  const bool a_1 = 1 <= block1;
  const bool a_2 = 1 <= block0;
  const bool a_3 = a_1 && a_2;
  const int a_4 = block1 * 192 + block0 * 32;
  const bool a_5 = block1 < 4;
  const bool a_6 = a_5 && a_2;
  const int a_7 = block1 * 48 + block0 * 16;
  float8 sum_0;
  float8 sum_1;
  sum_0 = (float8)(0.0f);
  sum_1 = (float8)(0.0f);
  const int sum_1_r_0_first0 = max(a_0 + 1, 0);
  const int sum_1_r_0_end0 = min(a_0 + 10, 3);
  for (int sum_1_r_0 = 0; sum_1_r_0 < sum_1_r_0_first0; ++sum_1_r_0) {
    const float8 t_0 = *(__constant float8*)weights;
    sum_0 = sum_0 + (a_3 ? *(__global const float8*)(in + (a_4 - 104)) : (float8)(0.0f)) * t_0;
    sum_1 = sum_1 + (a_1 ? *(__global const float8*)(in + (a_4 - 88)) : (float8)(0.0f)) * t_0;
    const float8 t_1 = *(__constant float8*)(weights + 8);
    sum_0 = sum_0 + (a_1 ? *(__global const float8*)(in + (a_4 - 96)) : (float8)(0.0f)) * t_1;
    sum_1 = sum_1 + (a_1 ? *(__global const float8*)(in + (a_4 - 80)) : (float8)(0.0f)) * t_1;
    const float8 t_2 = *(__constant float8*)(weights + 16);
    sum_0 = sum_0 + (a_1 ? *(__global const float8*)(in + (a_4 - 88)) : (float8)(0.0f)) * t_2;
    sum_1 = sum_1 + (a_1 ? *(__global const float8*)(in + (a_4 - 72)) : (float8)(0.0f)) * t_2;
  }
  for (int sum_1_r_0 = sum_1_r_0_first0; sum_1_r_0 < sum_1_r_0_end0; ++sum_1_r_0) {
    const int a_8 = sum_1_r_0 * 24;
    const int a_9 = sum_1_r_0 * 96 + a_4;
    const float8 t_3 = *(__constant float8*)(weights + a_8);
    sum_0 = sum_0 + (a_2 ? *(__global const float8*)(in + (a_9 - 104)) : (float8)(0.0f)) * t_3;
    const float8 t_4 = *(__global const float8*)(in + (a_9 - 88));
    sum_1 = sum_1 + t_4 * t_3;
    const float8 t_5 = *(__constant float8*)(weights + (a_8 + 8));
    sum_0 = sum_0 + *(__global const float8*)(in + (a_9 - 96)) * t_5;
    sum_1 = sum_1 + *(__global const float8*)(in + (a_9 - 80)) * t_5;
    const float8 t_6 = *(__constant float8*)(weights + (a_8 + 16));
    sum_0 = sum_0 + t_4 * t_6;
    sum_1 = sum_1 + *(__global const float8*)(in + (a_9 - 72)) * t_6;
  }
  for (int sum_1_r_0 = sum_1_r_0_end0; sum_1_r_0 < 3; ++sum_1_r_0) {
    const float8 t_7 = *(__constant float8*)(weights + 48);
    sum_0 = sum_0 + (a_6 ? *(__global const float8*)(in + (a_4 + 88)) : (float8)(0.0f)) * t_7;
    sum_1 = sum_1 + (a_5 ? *(__global const float8*)(in + (a_4 + 104)) : (float8)(0.0f)) * t_7;
    const float8 t_8 = *(__constant float8*)(weights + 56);
    sum_0 = sum_0 + (a_5 ? *(__global const float8*)(in + (a_4 + 96)) : (float8)(0.0f)) * t_8;
    sum_1 = sum_1 + (a_5 ? *(__global const float8*)(in + (a_4 + 112)) : (float8)(0.0f)) * t_8;
    const float8 t_9 = *(__constant float8*)(weights + 64);
    sum_0 = sum_0 + (a_5 ? *(__global const float8*)(in + (a_4 + 104)) : (float8)(0.0f)) * t_9;
    sum_1 = sum_1 + (a_5 ? *(__global const float8*)(in + (a_4 + 120)) : (float8)(0.0f)) * t_9;
  }
  *(__global float8*)(out + a_7) = fmin(fmax(sum_0, (float8)(0.0f)), (float8)(6.0f));
  *(__global float8*)(out + (a_7 + 8)) = fmin(fmax(sum_1, (float8)(0.0f)), (float8)(6.0f));
}
