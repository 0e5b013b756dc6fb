__kernel __attribute__((reqd_work_group_size(1, 64, 1)))
void conv_kernel(__global const float* restrict x0, __constant float* restrict x1, __global float* restrict conv) {
  const int thread1 = get_local_id(1);
  const int a_0 = thread1 * 4;
  if (thread1 < 36) {
    float4 conv_sum_0;
    conv_sum_0 = (float4)(0.0f);
    float4 x0_in_conv_sum_0;
    x0_in_conv_sum_0 = *(__global const float4*)(x0 + a_0);
    const float4 v_0 = (float4)(x0_in_conv_sum_0.s0);
    conv_sum_0 = conv_sum_0 + v_0 * *(__constant float4*)x1;
    const float4 v_1 = (float4)(x0_in_conv_sum_0.s1);
    conv_sum_0 = conv_sum_0 + v_1 * *(__constant float4*)(x1 + 4);
    const float4 v_2 = (float4)(x0_in_conv_sum_0.s2);
    conv_sum_0 = conv_sum_0 + v_2 * *(__constant float4*)(x1 + 8);
    const float4 v_3 = (float4)(x0_in_conv_sum_0.s3);
    conv_sum_0 = conv_sum_0 + v_3 * *(__constant float4*)(x1 + 12);
    *(__global float4*)(conv + a_0) = conv_sum_0;
  }
}
