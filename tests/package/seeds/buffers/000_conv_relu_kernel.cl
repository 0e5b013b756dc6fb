__kernel __attribute__((reqd_work_group_size(1, 8, 1)))
void conv_relu_kernel(__global const float* restrict x1, __global const float* restrict x0, __global float* restrict conv_relu) {
  const int block1 = get_group_id(1);
  const int thread1 = get_local_id(1);
  const int a_0 = 0 - block1;
  const int a_1 = 0 - thread1;
  const int a_2 = max(a_1 + 1, 0);
  const int a_3 = min(a_1 + 7, 3);
  const int a_4 = block1 * 24 + thread1 * 4;
  if (thread1 < 6) {
    float4 conv_sum_0;
    conv_sum_0 = (float4)(0.0f);
    const int conv_sum_1_r_0_first0 = max(a_0 + 1, 0);
    const int conv_sum_1_r_0_end0 = min(a_0 + 7, 3);
    for (int conv_sum_1_r_0 = 0; conv_sum_1_r_0 < conv_sum_1_r_0_first0; ++conv_sum_1_r_0) {
      for (int conv_sum_1_r_1 = 0; conv_sum_1_r_1 < 3; ++conv_sum_1_r_1) {
        const int a_5 = conv_sum_1_r_1 * 16;
        float4 conv_padded_0;
        conv_padded_0 = (float4)(0.0f);
        const float4 v_0 = (float4)(conv_padded_0.s0);
        conv_sum_0 = conv_sum_0 + v_0 * *(__global const float4*)(x1 + a_5);
        const float4 v_1 = (float4)(conv_padded_0.s1);
        conv_sum_0 = conv_sum_0 + v_1 * ((__global const float4*)(x1 + a_5))[1];
        const float4 v_2 = (float4)(conv_padded_0.s2);
        conv_sum_0 = conv_sum_0 + v_2 * ((__global const float4*)(x1 + a_5))[2];
        const float4 v_3 = (float4)(conv_padded_0.s3);
        conv_sum_0 = conv_sum_0 + v_3 * ((__global const float4*)(x1 + a_5))[3];
      }
    }
    for (int conv_sum_1_r_0 = conv_sum_1_r_0_first0; conv_sum_1_r_0 < conv_sum_1_r_0_end0; ++conv_sum_1_r_0) {
      const int a_6 = conv_sum_1_r_0 * 48;
      const int a_7 = conv_sum_1_r_0 * 24 + a_4;
      const int conv_sum_1_r_1_first1 = a_2;
      const int conv_sum_1_r_1_end1 = a_3;
      for (int conv_sum_1_r_1 = 0; conv_sum_1_r_1 < conv_sum_1_r_1_first1; ++conv_sum_1_r_1) {
        float4 conv_padded_1;
        conv_padded_1 = (float4)(0.0f);
        const float4 v_4 = (float4)(conv_padded_1.s0);
        conv_sum_0 = conv_sum_0 + v_4 * *(__global const float4*)(x1 + a_6);
        const float4 v_5 = (float4)(conv_padded_1.s1);
        conv_sum_0 = conv_sum_0 + v_5 * ((__global const float4*)(x1 + a_6))[1];
        const float4 v_6 = (float4)(conv_padded_1.s2);
        conv_sum_0 = conv_sum_0 + v_6 * ((__global const float4*)(x1 + a_6))[2];
        const float4 v_7 = (float4)(conv_padded_1.s3);
        conv_sum_0 = conv_sum_0 + v_7 * ((__global const float4*)(x1 + a_6))[3];
      }
      for (int conv_sum_1_r_1 = conv_sum_1_r_1_first1; conv_sum_1_r_1 < conv_sum_1_r_1_end1; ++conv_sum_1_r_1) {
        const int a_8 = conv_sum_1_r_1 * 16 + a_6;
        float4 conv_padded_2;
        conv_padded_2 = *(__global const float4*)(x0 + (conv_sum_1_r_1 * 4 + a_7 - 28));
        const float4 v_8 = (float4)(conv_padded_2.s0);
        conv_sum_0 = conv_sum_0 + v_8 * *(__global const float4*)(x1 + a_8);
        const float4 v_9 = (float4)(conv_padded_2.s1);
        conv_sum_0 = conv_sum_0 + v_9 * ((__global const float4*)(x1 + a_8))[1];
        const float4 v_10 = (float4)(conv_padded_2.s2);
        conv_sum_0 = conv_sum_0 + v_10 * ((__global const float4*)(x1 + a_8))[2];
        const float4 v_11 = (float4)(conv_padded_2.s3);
        conv_sum_0 = conv_sum_0 + v_11 * ((__global const float4*)(x1 + a_8))[3];
      }
      for (int conv_sum_1_r_1 = conv_sum_1_r_1_end1; conv_sum_1_r_1 < 3; ++conv_sum_1_r_1) {
        float4 conv_padded_3;
        conv_padded_3 = (float4)(0.0f);
        const float4 v_12 = (float4)(conv_padded_3.s0);
        conv_sum_0 = conv_sum_0 + v_12 * ((__global const float4*)(x1 + a_6))[8];
        const float4 v_13 = (float4)(conv_padded_3.s1);
        conv_sum_0 = conv_sum_0 + v_13 * ((__global const float4*)(x1 + a_6))[9];
        const float4 v_14 = (float4)(conv_padded_3.s2);
        conv_sum_0 = conv_sum_0 + v_14 * ((__global const float4*)(x1 + a_6))[10];
        const float4 v_15 = (float4)(conv_padded_3.s3);
        conv_sum_0 = conv_sum_0 + v_15 * ((__global const float4*)(x1 + a_6))[11];
      }
    }
    for (int conv_sum_1_r_0 = conv_sum_1_r_0_end0; conv_sum_1_r_0 < 3; ++conv_sum_1_r_0) {
      for (int conv_sum_1_r_1 = 0; conv_sum_1_r_1 < 3; ++conv_sum_1_r_1) {
        const int a_9 = conv_sum_1_r_1 * 16;
        float4 conv_padded_4;
        conv_padded_4 = (float4)(0.0f);
        const float4 v_16 = (float4)(conv_padded_4.s0);
        conv_sum_0 = conv_sum_0 + v_16 * *(__global const float4*)(x1 + (a_9 + 96));
        const float4 v_17 = (float4)(conv_padded_4.s1);
        conv_sum_0 = conv_sum_0 + v_17 * *(__global const float4*)(x1 + (a_9 + 100));
        const float4 v_18 = (float4)(conv_padded_4.s2);
        conv_sum_0 = conv_sum_0 + v_18 * *(__global const float4*)(x1 + (a_9 + 104));
        const float4 v_19 = (float4)(conv_padded_4.s3);
        conv_sum_0 = conv_sum_0 + v_19 * *(__global const float4*)(x1 + (a_9 + 108));
      }
    }
    *(__global float4*)(conv_relu + a_4) = select(conv_sum_0, (float4)(0.0f), conv_sum_0 < (float4)(0.0f));
  }
}
