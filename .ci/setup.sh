# What ./demo and ./test share; sourced by them in the root of the repository.

say() { printf '\n== %s\n' "$*"; }

# The packages of the file `packages` for the given purposes that are not installed.
missing_packages() {
  local purpose package
  while read -r purpose package; do
    case " $* " in *" $purpose "*) ;; *) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done < <(grep -v '^#' packages)
}

# install_packages PURPOSE...: through apt, asking nothing. Exit code 2, with the line to run by hand, where
# that is not possible.
install_packages() {
  command -v dpkg-query > /dev/null || {
    echo "This is not a Debian system: install what the file 'packages' lists, then run cmake --preset release."
    exit 2
  }
  local missing as_root=()
  missing=$(missing_packages "$@" | xargs)
  [ -n "$missing" ] || { echo "all there"; return; }
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  echo "installing: $missing"
  # shellcheck disable=SC2086
  if "${as_root[@]}" true 2> /dev/null &&
     "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -ec "
       apt-get -q update
       apt-get -q install -y --no-install-recommends $missing"; then
    return
  fi
  printf '\nThis needs packages that could not be installed from here. As root, run\n\n'
  printf '  apt-get update && apt-get install -y --no-install-recommends %s\n\nand then %s again.\n' \
    "$missing" "$0"
  exit 2
}

# quietly LOG COMMAND...: the output goes to LOG, and to the terminal only when the command fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" > "$log" 2>&1 || { local code=$?; cat "$log"; echo "failed: $*"; return "$code"; }
}
