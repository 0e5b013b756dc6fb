__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void in_padded_kernel(__global const float* restrict in, __global float* restrict in_padded) {
  const int block0 = get_group_id(0);
  for (int in_padded_b3 = -1; in_padded_b3 < 11; ++in_padded_b3) {
    for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
      in_padded[block0 * 72 + in_padded_b3 * 6 + in_padded_b1 + 6] = 1 <= block0 && block0 < 8 && 0 <= in_padded_b3 && in_padded_b3 < 10 ? in[block0 * 60 + in_padded_b3 * 6 + in_padded_b1 - 60] : 0.0f;
    }
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict in_padded, __global const float* restrict weights, __global const float* restrict bias, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int block2 = get_group_id(2);
  float8 conv_0;
  float8 conv_1;
  float8 conv_2;
  float8 conv_3;
  conv_0 = (float8)(0.0f);
  conv_1 = (float8)(0.0f);
  conv_2 = (float8)(0.0f);
  conv_3 = (float8)(0.0f);
  for (int conv_1_r_0 = 0; conv_1_r_0 < 3; ++conv_1_r_0) {
    for (int conv_1_r_1 = 0; conv_1_r_1 < 3; ++conv_1_r_1) {
      for (int conv_1_r_2 = 0; conv_1_r_2 < 6; ++conv_1_r_2) {
        conv_0 = conv_0 + (float8)(in_padded[block1 * 72 + conv_1_r_0 * 72 + conv_1_r_1 * 6 + min(block0 * 4, 6) * 6 + conv_1_r_2]) * vload8(0, weights + (block2 * 432 + conv_1_r_0 * 144 + conv_1_r_1 * 48 + conv_1_r_2 * 8));
        conv_1 = conv_1 + (float8)(in_padded[block1 * 72 + conv_1_r_0 * 72 + conv_1_r_1 * 6 + min(block0 * 4, 6) * 6 + conv_1_r_2 + 6]) * vload8(0, weights + (block2 * 432 + conv_1_r_0 * 144 + conv_1_r_1 * 48 + conv_1_r_2 * 8));
        conv_2 = conv_2 + (float8)(in_padded[block1 * 72 + conv_1_r_0 * 72 + conv_1_r_1 * 6 + min(block0 * 4, 6) * 6 + conv_1_r_2 + 12]) * vload8(0, weights + (block2 * 432 + conv_1_r_0 * 144 + conv_1_r_1 * 48 + conv_1_r_2 * 8));
        conv_3 = conv_3 + (float8)(in_padded[block1 * 72 + conv_1_r_0 * 72 + conv_1_r_1 * 6 + min(block0 * 4, 6) * 6 + conv_1_r_2 + 18]) * vload8(0, weights + (block2 * 432 + conv_1_r_0 * 144 + conv_1_r_1 * 48 + conv_1_r_2 * 8));
      }
    }
  }
  vstore8(fmax(conv_0 + vload8(0, bias + block2 * 8), (float8)(0.0f)), 0, out + (block1 * 160 + min(block0 * 4, 6) * 16 + block2 * 8));
  vstore8(fmax(conv_1 + vload8(0, bias + block2 * 8), (float8)(0.0f)), 0, out + (block1 * 160 + min(block0 * 4, 6) * 16 + block2 * 8 + 16));
  vstore8(fmax(conv_2 + vload8(0, bias + block2 * 8), (float8)(0.0f)), 0, out + (block1 * 160 + min(block0 * 4, 6) * 16 + block2 * 8 + 32));
  vstore8(fmax(conv_3 + vload8(0, bias + block2 * 8), (float8)(0.0f)), 0, out + (block1 * 160 + min(block0 * 4, 6) * 16 + block2 * 8 + 48));
}
