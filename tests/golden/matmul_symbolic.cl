__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict lhs, __global const float* restrict rhs, __global float* restrict out, const int k, const int m, const int n) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block1 * 2;
  const bool a_1 = a_0 < m;
  const int a_2 = (min(n - block0 * 4, 4) + 3) >> 2;
  const int a_3 = block0 * 4;
  const bool a_4 = a_3 + 3 < n;
  const bool a_5 = a_3 < n;
  const bool a_6 = a_3 + 1 < n;
  const bool a_7 = a_3 + 2 < n;
  const bool a_8 = a_0 + 1 < m;
  const int a_9 = block1 * k * 2;
  const int a_10 = k * (a_0 + 1);
  const int a_11 = block0 * 4 + block1 * n * 2;
  const int a_12 = block0 * 4 + n * (a_0 + 1);
  float product_0 = 0.0f;
  float product_1 = 0.0f;
  float product_2 = 0.0f;
  float product_3 = 0.0f;
  float product_4 = 0.0f;
  float product_5 = 0.0f;
  float product_6 = 0.0f;
  float product_7 = 0.0f;
  if (a_1) {
    for (int product_x_o = 0; product_x_o < a_2; ++product_x_o) {
      if (a_4) {
        product_0 = 0.0f;
        product_1 = 0.0f;
        product_2 = 0.0f;
        product_3 = 0.0f;
      } else {
        if (a_5) {
          product_0 = 0.0f;
        }
        if (a_6) {
          product_1 = 0.0f;
        }
        if (a_7) {
          product_2 = 0.0f;
        }
      }
    }
  }
  if (a_8) {
    for (int product_x_o = 0; product_x_o < a_2; ++product_x_o) {
      if (a_4) {
        product_4 = 0.0f;
        product_5 = 0.0f;
        product_6 = 0.0f;
        product_7 = 0.0f;
      } else {
        if (a_5) {
          product_4 = 0.0f;
        }
        if (a_6) {
          product_5 = 0.0f;
        }
        if (a_7) {
          product_6 = 0.0f;
        }
      }
    }
  }
  for (int product_1_r_0 = 0; product_1_r_0 < k; ++product_1_r_0) {
    const int a_13 = a_9 + product_1_r_0;
    const int a_14 = n * product_1_r_0 + a_3;
    const int a_15 = a_10 + product_1_r_0;
    if (a_1) {
      for (int product_1_x_o = 0; product_1_x_o < a_2; ++product_1_x_o) {
        if (a_4) {
          const float4 v_0 = (float4)(lhs[a_13]);
          const float4 product_value = (float4)(product_0, product_1, product_2, product_3) + v_0 * vload4(0, rhs + a_14);
          product_0 = product_value.s0;
          product_1 = product_value.s1;
          product_2 = product_value.s2;
          product_3 = product_value.s3;
        } else {
          if (a_5) {
            product_0 = product_0 + lhs[a_13] * rhs[a_14];
          }
          if (a_6) {
            product_1 = product_1 + lhs[a_13] * rhs[a_14 + 1];
          }
          if (a_7) {
            product_2 = product_2 + lhs[a_13] * rhs[a_14 + 2];
          }
        }
      }
    }
    if (a_8) {
      for (int product_1_x_o = 0; product_1_x_o < a_2; ++product_1_x_o) {
        if (a_4) {
          const float4 v_1 = (float4)(lhs[a_15]);
          const float4 product_value = (float4)(product_4, product_5, product_6, product_7) + v_1 * vload4(0, rhs + a_14);
          product_4 = product_value.s0;
          product_5 = product_value.s1;
          product_6 = product_value.s2;
          product_7 = product_value.s3;
        } else {
          if (a_5) {
            product_4 = product_4 + lhs[a_15] * rhs[a_14];
          }
          if (a_6) {
            product_5 = product_5 + lhs[a_15] * rhs[a_14 + 1];
          }
          if (a_7) {
            product_6 = product_6 + lhs[a_15] * rhs[a_14 + 2];
          }
        }
      }
    }
  }
  if (a_1) {
    if (a_4) {
      vstore4((float4)(product_0, product_1, product_2, product_3), 0, out + a_11);
    } else {
      if (a_5) {
        out[a_11] = product_0;
      }
      if (a_6) {
        out[a_11 + 1] = product_1;
      }
      if (a_7) {
        out[a_11 + 2] = product_2;
      }
    }
  }
  if (a_8) {
    if (a_4) {
      vstore4((float4)(product_4, product_5, product_6, product_7), 0, out + a_12);
    } else {
      if (a_5) {
        out[a_12] = product_4;
      }
      if (a_6) {
        out[a_12 + 1] = product_5;
      }
      if (a_7) {
        out[a_12 + 2] = product_6;
      }
    }
  }
}
