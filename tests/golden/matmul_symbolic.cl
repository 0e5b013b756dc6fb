__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict lhs, __global const float* restrict rhs, __global float* restrict out, const int k, const int m, const int n) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  float product_0;
  float product_1;
  float product_2;
  float product_3;
  float product_4;
  float product_5;
  float product_6;
  float product_7;
  if (block1 * 2 < m) {
    for (int product_x_o = 0; product_x_o < (min(n - block0 * 4, 4) + 3) >> 2; ++product_x_o) {
      if (block0 * 4 + 3 < n) {
        product_0 = 0.0f;
        product_1 = 0.0f;
        product_2 = 0.0f;
        product_3 = 0.0f;
      } else {
        if (block0 * 4 < n) {
          product_0 = 0.0f;
        }
        if (block0 * 4 + 1 < n) {
          product_1 = 0.0f;
        }
        if (block0 * 4 + 2 < n) {
          product_2 = 0.0f;
        }
      }
    }
  }
  if (block1 * 2 + 1 < m) {
    for (int product_x_o = 0; product_x_o < (min(n - block0 * 4, 4) + 3) >> 2; ++product_x_o) {
      if (block0 * 4 + 3 < n) {
        product_4 = 0.0f;
        product_5 = 0.0f;
        product_6 = 0.0f;
        product_7 = 0.0f;
      } else {
        if (block0 * 4 < n) {
          product_4 = 0.0f;
        }
        if (block0 * 4 + 1 < n) {
          product_5 = 0.0f;
        }
        if (block0 * 4 + 2 < n) {
          product_6 = 0.0f;
        }
      }
    }
  }
  for (int product_1_r_0 = 0; product_1_r_0 < k; ++product_1_r_0) {
    if (block1 * 2 < m) {
      for (int product_1_x_o = 0; product_1_x_o < (min(n - block0 * 4, 4) + 3) >> 2; ++product_1_x_o) {
        if (block0 * 4 + 3 < n) {
          const float4 product_value = (float4)(product_0, product_1, product_2, product_3) + (float4)(lhs[block1 * k * 2 + product_1_r_0]) * vload4(0, rhs + (block0 * 4 + n * product_1_r_0));
          product_0 = product_value.s0;
          product_1 = product_value.s1;
          product_2 = product_value.s2;
          product_3 = product_value.s3;
        } else {
          if (block0 * 4 < n) {
            product_0 = product_0 + lhs[block1 * k * 2 + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0];
          }
          if (block0 * 4 + 1 < n) {
            product_1 = product_1 + lhs[block1 * k * 2 + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0 + 1];
          }
          if (block0 * 4 + 2 < n) {
            product_2 = product_2 + lhs[block1 * k * 2 + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0 + 2];
          }
        }
      }
    }
    if (block1 * 2 + 1 < m) {
      for (int product_1_x_o = 0; product_1_x_o < (min(n - block0 * 4, 4) + 3) >> 2; ++product_1_x_o) {
        if (block0 * 4 + 3 < n) {
          const float4 product_value = (float4)(product_4, product_5, product_6, product_7) + (float4)(lhs[k * (block1 * 2 + 1) + product_1_r_0]) * vload4(0, rhs + (block0 * 4 + n * product_1_r_0));
          product_4 = product_value.s0;
          product_5 = product_value.s1;
          product_6 = product_value.s2;
          product_7 = product_value.s3;
        } else {
          if (block0 * 4 < n) {
            product_4 = product_4 + lhs[k * (block1 * 2 + 1) + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0];
          }
          if (block0 * 4 + 1 < n) {
            product_5 = product_5 + lhs[k * (block1 * 2 + 1) + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0 + 1];
          }
          if (block0 * 4 + 2 < n) {
            product_6 = product_6 + lhs[k * (block1 * 2 + 1) + product_1_r_0] * rhs[block0 * 4 + n * product_1_r_0 + 2];
          }
        }
      }
    }
  }
  if (block1 * 2 < m) {
    if (block0 * 4 + 3 < n) {
      vstore4((float4)(product_0, product_1, product_2, product_3), 0, out + (block0 * 4 + block1 * n * 2));
    } else {
      if (block0 * 4 < n) {
        out[block0 * 4 + block1 * n * 2] = product_0;
      }
      if (block0 * 4 + 1 < n) {
        out[block0 * 4 + block1 * n * 2 + 1] = product_1;
      }
      if (block0 * 4 + 2 < n) {
        out[block0 * 4 + block1 * n * 2 + 2] = product_2;
      }
    }
  }
  if (block1 * 2 + 1 < m) {
    if (block0 * 4 + 3 < n) {
      vstore4((float4)(product_4, product_5, product_6, product_7), 0, out + (block0 * 4 + n * (block1 * 2 + 1)));
    } else {
      if (block0 * 4 < n) {
        out[block0 * 4 + n * (block1 * 2 + 1)] = product_4;
      }
      if (block0 * 4 + 1 < n) {
        out[block0 * 4 + n * (block1 * 2 + 1) + 1] = product_5;
      }
      if (block0 * 4 + 2 < n) {
        out[block0 * 4 + n * (block1 * 2 + 1) + 2] = product_6;
      }
    }
  }
}
