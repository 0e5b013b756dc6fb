# The models of models/ against ONNX Runtime's results; source it in the root of the tree.

# Every model with its expected outputs, a line for each size of those that have symbolic dimensions:
# NAME EXPECTED [--param NAME=NUMBER]...
list_models() {
  local model expected size batch sequence past
  for model in models/*.onnx; do
    model=$(basename "$model" .onnx)
    if [[ -r models/$model.expected.npz ]]; then
      echo "$model $model.expected.npz"
      continue
    fi
    for expected in "models/${model}_"*x*.expected.npz; do
      size=$(basename "$expected" .expected.npz)
      IFS=x read -r batch sequence past <<<"${size#"${model}_"}"
      echo "$model $(basename "$expected") --param batch=$batch --param sequence=$sequence${past:+ --param past=$past}"
    done
  done
}

# check_models TENSORDSL "PRECISIONS" REPEAT [ARGUMENTS...]
# Prints a table, a line for each run as it ends, with the output that comes nearest to failing; gives 1 if one failed.
check_models() {
  local tensordsl=$1 precisions=$2 repeat=$3
  shift 3
  local output runs=0 failures=0 model expected sizes precision rtol code
  output=$(mktemp)
  printf '%-16s %-22s %-5s %-7s %-13s %-13s %9s\n' model size type check difference allowed 'ms/run'
  while read -r model expected sizes; do
    for precision in $precisions; do
      rtol=1e-3
      [[ $precision == fp16 ]] && rtol=2e-2
      code=0
      # shellcheck disable=SC2086
      "$tensordsl" run "models/$model.onnx" --random-weights --expect "models/$expected" --rtol "$rtol" $sizes \
        --precision "$precision" --repeat "$repeat" "$@" >"$output" 2>"$output.log" </dev/null || code=$?
      if ((code > 1)); then
        printf '%-16s %-22s %-5s error   %s\n' "$model" "${sizes//--param /}" "$precision" "$(tail -n 1 "$output.log")"
      else
        awk -v model="$model" -v sizes="${sizes//--param /}" -v precision="$precision" '
          /^time/  { ms = $2 }
          /^check/ { match($0, /difference\| [^,]*/); found = substr($0, RSTART + 12, RLENGTH - 12)
                     match($0, /allowed [^ ]*/); most = substr($0, RSTART + 8, RLENGTH - 8)
                     share = most > 0 ? found / most : found + 0
                     if (verdict == "" || ($NF != "ok" && verdict == "ok") || (($NF == "ok") == (verdict == "ok") && share > worst)) {
                       worst = share; verdict = $NF; difference = found; allowed = most
                     } }
          END      { printf "%-16s %-22s %-5s %-7s %-13s %-13s %9s\n", model, sizes, precision, verdict, difference, allowed, ms }
        ' "$output"
      fi
      runs=$((runs + 1))
      ((code == 0)) || failures=$((failures + 1))
      rm -f "$output.log"
    done
  done < <(list_models)
  rm -f "$output"
  if ((failures)); then
    echo "$failures of $runs runs failed" >&2
    return 1
  fi
}
