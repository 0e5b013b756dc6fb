# The last lines of configure name what this configuration does not build though a user may expect it, each with its remedy.

# tensordsl_leave_out(WHAT REMEDY)
function(tensordsl_leave_out what remedy)
  get_property(left_out GLOBAL PROPERTY tensordsl_left_out)
  list(APPEND left_out "  ${what}: ${remedy}")
  list(REMOVE_DUPLICATES left_out)
  set_property(GLOBAL PROPERTY tensordsl_left_out "${left_out}")
endfunction()

function(tensordsl_print_left_out)
  get_property(left_out GLOBAL PROPERTY tensordsl_left_out)
  if(left_out)
    list(JOIN left_out "\n" lines)
    message(NOTICE "tensordsl: these will not be built; what brings each:\n${lines}\n  Then configure again")
  endif()
endfunction()
