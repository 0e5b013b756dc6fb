__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void vstore4_kernel(__constant float* restrict float4_2, __global float* restrict vstore4_2) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 4;
  *(__global float4*)(vstore4_2 + a_0) = *(__constant float4*)(float4_2 + a_0) * (float4)(4.0f);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void convert_int4_kernel(__global const float* restrict vstore4_2, __global int* restrict convert_int4_2, const int vload4_2) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 4;
  *(__global int4*)(convert_int4_2 + a_0) = convert_int4_sat_rtz(*(__global const float4*)(vstore4_2 + a_0)) + (int4)(vload4_2);
}
