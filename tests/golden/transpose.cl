__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block0 * 160 + block1 * 4;
  const int a_1 = block1 * 96 + block0 * 4;
  const float4 t_0 = *(__global const float4*)(in + a_0);
  const float4 t_1 = ((__global const float4*)(in + a_0))[10];
  const float4 t_2 = ((__global const float4*)(in + a_0))[20];
  const float4 t_3 = ((__global const float4*)(in + a_0))[30];
  *(__global float4*)(out + a_1) = (float4)(t_0.s0, t_1.s0, t_2.s0, t_3.s0);
  ((__global float4*)(out + a_1))[6] = (float4)(t_0.s1, t_1.s1, t_2.s1, t_3.s1);
  ((__global float4*)(out + a_1))[12] = (float4)(t_0.s2, t_1.s2, t_2.s2, t_3.s2);
  ((__global float4*)(out + a_1))[18] = (float4)(t_0.s3, t_1.s3, t_2.s3, t_3.s3);
}
