#if defined(__x86_64__) || defined(__aarch64__)
#define read_ahead(address, level) __builtin_prefetch(address, 0, level)
#else
#define read_ahead(address, level)
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict lhs, __global const float* restrict rhs, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block1 * 192;
  const int a_1 = block0 * 16;
  const int a_2 = block1 * 256 + block0 * 16;
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
    read_ahead(lhs + (product_1_r_0 * 4 + a_0 + 192), 2);
    const int a_3 = a_0 + product_1_r_0;
    const int a_4 = product_1_r_0 * 64 + a_1;
    const float t_0 = lhs[a_3];
    const float8 v_0 = (float8)(t_0);
    const float8 t_1 = *(__global const float8*)(rhs + a_4);
    product_0 = product_0 + v_0 * t_1;
    const float8 t_2 = ((__global const float8*)(rhs + a_4))[1];
    product_1 = product_1 + v_0 * t_2;
    const float t_3 = lhs[a_3 + 48];
    const float8 v_1 = (float8)(t_3);
    product_2 = product_2 + v_1 * t_1;
    product_3 = product_3 + v_1 * t_2;
    const float t_4 = lhs[a_3 + 96];
    const float8 v_2 = (float8)(t_4);
    product_4 = product_4 + v_2 * t_1;
    product_5 = product_5 + v_2 * t_2;
    const float t_5 = lhs[a_3 + 144];
    const float8 v_3 = (float8)(t_5);
    product_6 = product_6 + v_3 * t_1;
    product_7 = product_7 + v_3 * t_2;
  }
  *(__global float8*)(out + a_2) = product_0;
  ((__global float8*)(out + a_2))[1] = product_1;
  ((__global float8*)(out + a_2))[8] = product_2;
  ((__global float8*)(out + a_2))[9] = product_3;
  ((__global float8*)(out + a_2))[16] = product_4;
  ((__global float8*)(out + a_2))[17] = product_5;
  ((__global float8*)(out + a_2))[24] = product_6;
  ((__global float8*)(out + a_2))[25] = product_7;
}
