__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void in_padded_kernel(__constant float* restrict in, __global float* restrict in_padded) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 72;
  const int a_1 = block0 * 60;
  if (1 <= block0 && block0 < 8) {
    for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
      in_padded[a_0 + in_padded_b1] = 0.0f;
    }
    for (int in_padded_b3 = 0; in_padded_b3 < 10; ++in_padded_b3) {
      const int a_2 = in_padded_b3 * 6 + a_1;
      const int a_3 = in_padded_b3 * 6 + a_0;
      for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
        in_padded[a_3 + in_padded_b1 + 6] = in[a_2 + in_padded_b1 - 60];
      }
    }
    for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
      in_padded[a_0 + in_padded_b1 + 66] = 0.0f;
    }
  } else {
    for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
      in_padded[a_0 + in_padded_b1] = 0.0f;
    }
    for (int in_padded_b3 = 0; in_padded_b3 < 10; ++in_padded_b3) {
      const int a_4 = in_padded_b3 * 6 + a_0;
      for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
        in_padded[a_4 + in_padded_b1 + 6] = 0.0f;
      }
    }
    for (int in_padded_b1 = 0; in_padded_b1 < 6; ++in_padded_b1) {
      in_padded[a_0 + in_padded_b1 + 66] = 0.0f;
    }
  }
}

#if defined(__x86_64__) || defined(__aarch64__)
#define read_ahead(address, level) __builtin_prefetch(address, 0, level)
#else
#define read_ahead(address, level)
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict weights, __global const float* restrict in_padded, __constant float* restrict bias, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int block2 = get_group_id(2);
  const int a_0 = block2 * 432;
  const int a_1 = min(block0 * 4, 6);
  const int a_2 = block1 * 72 + a_1 * 6;
  const int a_3 = block1 * 160 + a_1 * 16 + block2 * 8;
  float8 conv_0;
  float8 conv_1;
  float8 conv_2;
  float8 conv_3;
  conv_0 = (float8)(0.0f);
  conv_1 = (float8)(0.0f);
  conv_2 = (float8)(0.0f);
  conv_3 = (float8)(0.0f);
  for (int conv_1_r_0 = 0; conv_1_r_0 < 3; ++conv_1_r_0) {
    const int a_4 = conv_1_r_0 * 144 + a_0;
    const int a_5 = conv_1_r_0 * 72 + a_2;
    for (int conv_1_r_1 = 0; conv_1_r_1 < 3; ++conv_1_r_1) {
      const int a_6 = conv_1_r_1 * 48 + a_4;
      const int a_7 = conv_1_r_1 * 6 + a_5;
      for (int conv_1_r_2 = 0; conv_1_r_2 < 6; ++conv_1_r_2) {
        read_ahead(in_padded + (conv_1_r_2 * 4 + a_7 + 24), 2);
        const int a_8 = a_7 + conv_1_r_2;
        const float8 t_0 = *(__global const float8*)(weights + (conv_1_r_2 * 8 + a_6));
        const float8 v_0 = (float8)(in_padded[a_8]);
        conv_0 = conv_0 + v_0 * t_0;
        const float8 v_1 = (float8)(in_padded[a_8 + 6]);
        conv_1 = conv_1 + v_1 * t_0;
        const float8 v_2 = (float8)(in_padded[a_8 + 12]);
        conv_2 = conv_2 + v_2 * t_0;
        const float8 v_3 = (float8)(in_padded[a_8 + 18]);
        conv_3 = conv_3 + v_3 * t_0;
      }
    }
  }
  const float8 t_1 = *(__constant float8*)(bias + block2 * 8);
  *(__global float8*)(out + a_3) = fmax(conv_0 + t_1, (float8)(0.0f));
  ((__global float8*)(out + a_3))[2] = fmax(conv_1 + t_1, (float8)(0.0f));
  ((__global float8*)(out + a_3))[4] = fmax(conv_2 + t_1, (float8)(0.0f));
  ((__global float8*)(out + a_3))[6] = fmax(conv_3 + t_1, (float8)(0.0f));
}
