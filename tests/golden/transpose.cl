__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block0 * 160 + block1 * 4;
  const int a_1 = block1 * 96 + block0 * 4;
  *(__global float4*)(out + a_1) = (float4)(in[a_0], in[a_0 + 40], in[a_0 + 80], in[a_0 + 120]);
  *(__global float4*)(out + (a_1 + 24)) = (float4)(in[a_0 + 1], in[a_0 + 41], in[a_0 + 81], in[a_0 + 121]);
  *(__global float4*)(out + (a_1 + 48)) = (float4)(in[a_0 + 2], in[a_0 + 42], in[a_0 + 82], in[a_0 + 122]);
  *(__global float4*)(out + (a_1 + 72)) = (float4)(in[a_0 + 3], in[a_0 + 43], in[a_0 + 83], in[a_0 + 123]);
}
