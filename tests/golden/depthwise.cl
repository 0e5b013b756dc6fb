__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant float* restrict weights, __global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = 0 - block1 * 2;
  const int a_1 = max(a_0 + 1, 0);
  const int a_2 = min(a_0 + 10, 3);
  const int a_3 = block1 * 192 + block0 * 32;
  const int a_4 = block1 * 48 + block0 * 16;
  const int a_5 = block1 * 192;
  const int a_6 = block1 * 48;
  if (1 <= block0) {
    float8 sum_0;
    float8 sum_1;
    sum_0 = (float8)(0.0f);
    sum_1 = (float8)(0.0f);
    const int sum_1_r_0_first0 = a_1;
    const int sum_1_r_0_end0 = a_2;
    for (int sum_1_r_0 = 0; sum_1_r_0 < sum_1_r_0_first0; ++sum_1_r_0) {
      const float8 t_0 = *(__constant float8*)weights;
      sum_0 = sum_0 + (float8)(0.0f) * t_0;
      sum_1 = sum_1 + (float8)(0.0f) * t_0;
      const float8 t_1 = *(__constant float8*)(weights + 8);
      sum_0 = sum_0 + (float8)(0.0f) * t_1;
      sum_1 = sum_1 + (float8)(0.0f) * t_1;
      const float8 t_2 = *(__constant float8*)(weights + 16);
      sum_0 = sum_0 + (float8)(0.0f) * t_2;
      sum_1 = sum_1 + (float8)(0.0f) * t_2;
    }
    for (int sum_1_r_0 = sum_1_r_0_first0; sum_1_r_0 < sum_1_r_0_end0; ++sum_1_r_0) {
      const int a_7 = sum_1_r_0 * 24;
      const int a_8 = sum_1_r_0 * 96 + a_3;
      const float8 t_3 = *(__constant float8*)(weights + a_7);
      sum_0 = sum_0 + *(__global const float8*)(in + (a_8 - 104)) * t_3;
      const float8 t_4 = *(__global const float8*)(in + (a_8 - 88));
      sum_1 = sum_1 + t_4 * t_3;
      const float8 t_5 = *(__constant float8*)(weights + (a_7 + 8));
      sum_0 = sum_0 + *(__global const float8*)(in + (a_8 - 96)) * t_5;
      sum_1 = sum_1 + *(__global const float8*)(in + (a_8 - 80)) * t_5;
      const float8 t_6 = *(__constant float8*)(weights + (a_7 + 16));
      sum_0 = sum_0 + t_4 * t_6;
      sum_1 = sum_1 + *(__global const float8*)(in + (a_8 - 72)) * t_6;
    }
    for (int sum_1_r_0 = sum_1_r_0_end0; sum_1_r_0 < 3; ++sum_1_r_0) {
      const float8 t_7 = *(__constant float8*)(weights + 48);
      sum_0 = sum_0 + (float8)(0.0f) * t_7;
      sum_1 = sum_1 + (float8)(0.0f) * t_7;
      const float8 t_8 = *(__constant float8*)(weights + 56);
      sum_0 = sum_0 + (float8)(0.0f) * t_8;
      sum_1 = sum_1 + (float8)(0.0f) * t_8;
      const float8 t_9 = *(__constant float8*)(weights + 64);
      sum_0 = sum_0 + (float8)(0.0f) * t_9;
      sum_1 = sum_1 + (float8)(0.0f) * t_9;
    }
    *(__global float8*)(out + a_4) = fmin(fmax(sum_0, (float8)(0.0f)), (float8)(6.0f));
    ((__global float8*)(out + a_4))[1] = fmin(fmax(sum_1, (float8)(0.0f)), (float8)(6.0f));
  } else {
    float8 sum_2;
    float8 sum_3;
    sum_2 = (float8)(0.0f);
    sum_3 = (float8)(0.0f);
    const int sum_1_r_0_first1 = a_1;
    const int sum_1_r_0_end1 = a_2;
    for (int sum_1_r_0 = 0; sum_1_r_0 < sum_1_r_0_first1; ++sum_1_r_0) {
      const float8 t_10 = *(__constant float8*)weights;
      sum_2 = sum_2 + (float8)(0.0f) * t_10;
      sum_3 = sum_3 + (float8)(0.0f) * t_10;
      const float8 t_11 = *(__constant float8*)(weights + 8);
      sum_2 = sum_2 + (float8)(0.0f) * t_11;
      sum_3 = sum_3 + (float8)(0.0f) * t_11;
      const float8 t_12 = *(__constant float8*)(weights + 16);
      sum_2 = sum_2 + (float8)(0.0f) * t_12;
      sum_3 = sum_3 + (float8)(0.0f) * t_12;
    }
    for (int sum_1_r_0 = sum_1_r_0_first1; sum_1_r_0 < sum_1_r_0_end1; ++sum_1_r_0) {
      const int a_9 = sum_1_r_0 * 24;
      const int a_10 = sum_1_r_0 * 96 + a_5;
      const float8 t_13 = *(__constant float8*)(weights + a_9);
      sum_2 = sum_2 + (float8)(0.0f) * t_13;
      const float8 t_14 = *(__global const float8*)(in + (a_10 - 88));
      sum_3 = sum_3 + t_14 * t_13;
      const float8 t_15 = *(__constant float8*)(weights + (a_9 + 8));
      sum_2 = sum_2 + *(__global const float8*)(in + (a_10 - 96)) * t_15;
      sum_3 = sum_3 + *(__global const float8*)(in + (a_10 - 80)) * t_15;
      const float8 t_16 = *(__constant float8*)(weights + (a_9 + 16));
      sum_2 = sum_2 + t_14 * t_16;
      sum_3 = sum_3 + *(__global const float8*)(in + (a_10 - 72)) * t_16;
    }
    for (int sum_1_r_0 = sum_1_r_0_end1; sum_1_r_0 < 3; ++sum_1_r_0) {
      const float8 t_17 = *(__constant float8*)(weights + 48);
      sum_2 = sum_2 + (float8)(0.0f) * t_17;
      sum_3 = sum_3 + (float8)(0.0f) * t_17;
      const float8 t_18 = *(__constant float8*)(weights + 56);
      sum_2 = sum_2 + (float8)(0.0f) * t_18;
      sum_3 = sum_3 + (float8)(0.0f) * t_18;
      const float8 t_19 = *(__constant float8*)(weights + 64);
      sum_2 = sum_2 + (float8)(0.0f) * t_19;
      sum_3 = sum_3 + (float8)(0.0f) * t_19;
    }
    *(__global float8*)(out + a_6) = fmin(fmax(sum_2, (float8)(0.0f)), (float8)(6.0f));
    ((__global float8*)(out + a_6))[1] = fmin(fmax(sum_3, (float8)(0.0f)), (float8)(6.0f));
  }
}
