__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  vstore4((float4)(in[block0 * 160 + block1 * 4], in[block0 * 160 + block1 * 4 + 40], in[block0 * 160 + block1 * 4 + 80], in[block0 * 160 + block1 * 4 + 120]), 0, out + (block1 * 96 + block0 * 4));
  vstore4((float4)(in[block0 * 160 + block1 * 4 + 1], in[block0 * 160 + block1 * 4 + 41], in[block0 * 160 + block1 * 4 + 81], in[block0 * 160 + block1 * 4 + 121]), 0, out + (block1 * 96 + block0 * 4 + 24));
  vstore4((float4)(in[block0 * 160 + block1 * 4 + 2], in[block0 * 160 + block1 * 4 + 42], in[block0 * 160 + block1 * 4 + 82], in[block0 * 160 + block1 * 4 + 122]), 0, out + (block1 * 96 + block0 * 4 + 48));
  vstore4((float4)(in[block0 * 160 + block1 * 4 + 3], in[block0 * 160 + block1 * 4 + 43], in[block0 * 160 + block1 * 4 + 83], in[block0 * 160 + block1 * 4 + 123]), 0, out + (block1 * 96 + block0 * 4 + 72));
}
