__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict lhs, __global const float* restrict rhs, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  float8 product_0;
  float8 product_1;
  float8 product_2;
  float8 product_3;
  float8 product_4;
  float8 product_5;
  float8 product_6;
  float8 product_7;
  product_0 = (float8)(0.0f);
  product_1 = (float8)(0.0f);
  product_2 = (float8)(0.0f);
  product_3 = (float8)(0.0f);
  product_4 = (float8)(0.0f);
  product_5 = (float8)(0.0f);
  product_6 = (float8)(0.0f);
  product_7 = (float8)(0.0f);
  for (int product_1_r_0 = 0; product_1_r_0 < 48; ++product_1_r_0) {
    product_0 = product_0 + (float8)(lhs[block1 * 192 + product_1_r_0]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16));
    product_1 = product_1 + (float8)(lhs[block1 * 192 + product_1_r_0]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16 + 8));
    product_2 = product_2 + (float8)(lhs[block1 * 192 + product_1_r_0 + 48]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16));
    product_3 = product_3 + (float8)(lhs[block1 * 192 + product_1_r_0 + 48]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16 + 8));
    product_4 = product_4 + (float8)(lhs[block1 * 192 + product_1_r_0 + 96]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16));
    product_5 = product_5 + (float8)(lhs[block1 * 192 + product_1_r_0 + 96]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16 + 8));
    product_6 = product_6 + (float8)(lhs[block1 * 192 + product_1_r_0 + 144]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16));
    product_7 = product_7 + (float8)(lhs[block1 * 192 + product_1_r_0 + 144]) * vload8(0, rhs + (product_1_r_0 * 64 + block0 * 16 + 8));
  }
  vstore8(product_0, 0, out + (block1 * 256 + block0 * 16));
  vstore8(product_1, 0, out + (block1 * 256 + block0 * 16 + 8));
  vstore8(product_2, 0, out + (block1 * 256 + block0 * 16 + 64));
  vstore8(product_3, 0, out + (block1 * 256 + block0 * 16 + 72));
  vstore8(product_4, 0, out + (block1 * 256 + block0 * 16 + 128));
  vstore8(product_5, 0, out + (block1 * 256 + block0 * 16 + 136));
  vstore8(product_6, 0, out + (block1 * 256 + block0 * 16 + 192));
  vstore8(product_7, 0, out + (block1 * 256 + block0 * 16 + 200));
}
