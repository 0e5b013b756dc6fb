#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant half* restrict in, __constant half* restrict weights, __global half* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block1 * 36 + block0 * 4;
  float4 sum_0;
  sum_0 = (float4)(0.0f);
  const half4 t_0 = *(__constant half4*)(in + a_0);
  const half2 t_2 = *(__constant half2*)weights;
  const half4 v_0 = (half4)(t_2.s0);
  sum_0 = sum_0 + convert_float4(t_0 * v_0);
  const half2 t_1 = *(__constant half2*)(in + (a_0 + 4));
  const half4 v_1 = (half4)(t_2.s1);
  sum_0 = sum_0 + convert_float4((half4)(t_0.s123, t_1.s0) * v_1);
  const half4 v_2 = (half4)(weights[2]);
  sum_0 = sum_0 + convert_float4((half4)(t_0.s23, t_1) * v_2);
  *(__global half4*)(out + (block1 * 32 + block0 * 4)) = select(t_0 + (half4)((half)0.25f), t_0 * (half4)((half)0.5f), convert_short4(convert_float4(t_0) < (float4)(0.0f))) * (half4)((half)0.25f) + convert_half4(sum_0);
}
