# This becomes one line in the file that Claude Code puts before each command: an
# error of the shell then names the line that it names without us. A comment is
# left out. Bash 3.2 and zsh; also under set -eu, in POSIX mode, and when
# cairn is gone. Variables are not exported.
: '>>> cairn >>>'; if [ -x @BIN@ ] && [ -z "${CAIRN_RAW-}${CAIRN_SCRIPT-}" ]; then
  # The command may change HOME and the directory.
  CAIRN_BIN=@BIN@ CAIRN_DIR=@DIR@ CAIRN_PWD=$PWD;
  CAIRN_SCRIPT=${BASH_EXECUTION_STRING-${ZSH_EXECUTION_STRING-}};
  # What stdout is now, before the command can redirect it: GNU, BSD, BusyBox.
  { CAIRN_OUT=$(command stat -Lc %d:%i - <&3 2>/dev/null || command stat -Lf %d:%i <&3 2>/dev/null || command stat -Lc %d:%i /dev/fd/3 2>/dev/null) || CAIRN_OUT=; } 3>&1;
  # The script goes by stdin: it can be too long for an argument or a variable.
  # It has our stdout as 3: a DEBUG trap of the command's own may print.
  function cairn_end { {
    local cairn_status=$?;
    if [ "$cairn_status" != 0 ] && [ -n "${CAIRN_OUT-}" ] && [ -x "${CAIRN_BIN-}" ]; then
      CAIRN_OUT=$CAIRN_OUT CAIRN_DIR=${CAIRN_DIR-} CAIRN_PWD=${CAIRN_PWD-} "$CAIRN_BIN" shell-exit "$cairn_status" <<<"${CAIRN_SCRIPT-}" >&3 3>&- || :;
      CAIRN_OUT=;
    fi;
    return "$cairn_status"; } 2>/dev/null;
  };
  # The first line of a compacted output names `cairn compact show`.
  command -v cairn >/dev/null 2>&1 || function cairn { "$CAIRN_BIN" "$@"; };
  trap '{ { cairn_end || :; } 3>&1 >/dev/null; } 2>/dev/null' EXIT;
  # Claude Code ends our line with a line feed, and bash counts it. So the rest of
  # the script runs from here, on line 1. It is also how we come before an
  # EXIT trap of the command's own. A trace would show the eval.
  CAIRN_SCRIPT=${CAIRN_SCRIPT#*$'# <<< cairn <<<\n'};
  case $CAIRN_SCRIPT in
    ''|"${BASH_EXECUTION_STRING-${ZSH_EXECUTION_STRING-}}"|*DEBUG*|*xtrace*|*'set -x'*|*'set -'?x*|*'set -'??x*|*'set -'???x*) ;;
    *) eval "$CAIRN_SCRIPT" || { { { cairn_end; } 3>&1 >/dev/null; } 2>/dev/null || exit; }; exit ;;
  esac;
fi # <<< cairn <<<
