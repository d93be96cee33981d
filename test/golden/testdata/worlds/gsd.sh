# A plan in the format of the tool before.
git init -q -b main
