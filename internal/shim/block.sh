# >>> cairn >>>
# Noisy tools go through cairn when their output reaches the agent directly.
# The text of a command does not change; a pipe or a redirect gets the tool's
# own output. Bash 3.2 and zsh; safe under set -eu. In bash's POSIX mode a
# function is no stand-in for a program, and such names as ours end the shell.
CAIRN_BIN=@BIN@
if [ -x "$CAIRN_BIN" ] && [ -z "${CAIRN_RAW-}${POSIXLY_CORRECT+posix}" ]; then
  # The command may change HOME.
  CAIRN_DIR=@DIR@
  # What stdout is now, before the command can redirect it.
  { CAIRN_OUT=$(command stat -Lc %d:%i - <&3 2>/dev/null || command stat -Lf %d:%i <&3 2>/dev/null) || CAIRN_OUT=; } 3>&1
  function cairn_shim {
    # The shell itself says that a tool is not there (bash || zsh looks it up).
    if [ ! -x "${CAIRN_BIN-}" ] || ! { type -P "$1" || whence -p "$1"; } >/dev/null 2>&1; then
      command "$@"
      return
    fi
    # Too long for the environment of a process: the shim then steps aside.
    local -x CAIRN_CALL="${BASH_EXECUTION_STRING-${ZSH_EXECUTION_STRING-}}"
    [ ${#CAIRN_CALL} -lt 32000 ] || CAIRN_CALL= # characters, of up to four bytes
    local -x CAIRN_OUT="${CAIRN_OUT-}" CAIRN_DIR="${CAIRN_DIR-}" CAIRN_SHELL=$$
    "$CAIRN_BIN" shim "$@"
  }
  for cairn_tool in @TOOLS@; do
    # A function of the user's own stays.
    # set -x is to show the command, not what is in ours.
    typeset -f "$cairn_tool" >/dev/null 2>&1 || eval "function $cairn_tool {
      { local cairn_flags=\$- cairn_status=0; set +x; } 2>/dev/null
      cairn_shim $cairn_tool \"\$@\" || cairn_status=\$?
      { case \$cairn_flags in *x*) set -x ;; esac; return \$cairn_status; } 2>/dev/null
    }"
  done
  unset cairn_tool
  # The first line of a compacted output names `cairn compact show`.
  command -v cairn >/dev/null 2>&1 || eval 'function cairn { "$CAIRN_BIN" "$@"; }'
fi
# <<< cairn <<<
