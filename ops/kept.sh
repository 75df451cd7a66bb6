#!/usr/bin/env bash
# Keeps what update cycles make on a branch of its own, for machines that forget everything between two runs (CI),
# and as a copy elsewhere for those that do not.
#
#   ops/kept.sh restore    puts what the branch holds back into the project's folder; before a cycle
#   ops/kept.sh store      adds a commit with what is there now, and pushes it; after a cycle, failed ones too
#
# SIIQ_KEPT_REMOTE (origin) and SIIQ_KEPT_BRANCH (kept) name another place. The branch is only ever added to: a push is
# never forced, and a ledger that does not begin with the one kept before is refused. No file of the project's own
# branch is touched, nor its index.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remote=${SIIQ_KEPT_REMOTE:-origin}
branch=${SIIQ_KEPT_BRANCH:-kept}
ledger=data/ledger.jsonl
paths=("$ledger" data/live data/snapshots data/releases data/archive _build/html)
mark=refs/siiq/kept   # the commit that was restored, or stored last: the next one's parent

refuse() {
  echo "kept: refused: $1 Remedy: $2" >&2
  exit 1
}

# Whether the ledger in the folder begins with the whole lines of a commit's (one that holds none is a beginning of any).
goes_on_from() {
  local lines
  git cat-file -e "$1:$ledger" 2>/dev/null || return 0
  lines=$(git cat-file blob "$1:$ledger" | wc -l)
  [ -f "$ledger" ] && cmp -s <(git cat-file blob "$1:$ledger" | head -n "$lines") <(head -n "$lines" "$ledger")
}

restore() {
  local found=0
  git ls-remote --exit-code --heads "$remote" "refs/heads/$branch" >/dev/null || found=$?
  if [ "$found" = 2 ]; then
    git update-ref -d "$mark"
    echo "kept: $remote has no branch $branch yet; the first store makes it"
    return
  fi
  [ "$found" = 0 ] || refuse "$remote cannot be asked for its branches." "look at the network and the rights; nothing was changed"
  git fetch --quiet --depth 1 "$remote" "+refs/heads/$branch:$mark"
  if [ -s "$ledger" ] && ! git cat-file blob "$mark:$ledger" | cmp -s - "$ledger"; then
    refuse "$ledger is here already, and is another one than that of $branch." "move it away if the kept one is right"
  fi
  git archive --format=tar "$mark" | tar -xf -
  echo "kept: restored $(git rev-parse --short "$mark") of $branch"
}

store() {
  local there=() path parent="" tree commit
  for path in "${paths[@]}"; do [ ! -e "$path" ] || there+=("$path"); done
  [ ${#there[@]} -gt 0 ] || { echo "kept: nothing to keep"; return; }
  if git rev-parse --quiet --verify "$mark" >/dev/null; then
    parent=$(git rev-parse "$mark")
    goes_on_from "$parent" || refuse "$ledger does not begin with the ledger kept before." "look at both; nothing was stored"
  fi

  export GIT_INDEX_FILE
  GIT_INDEX_FILE=$(git rev-parse --absolute-git-dir)/siiq-kept-index
  rm -f "$GIT_INDEX_FILE"
  git -c core.autocrlf=false add --force -- "${there[@]}" ':(exclude,glob)**/*.lock' ':(exclude,glob)**/*.aside'
  tree=$(git write-tree)
  rm -f "$GIT_INDEX_FILE"
  unset GIT_INDEX_FILE
  if [ -n "$parent" ] && [ "$tree" = "$(git rev-parse "$parent^{tree}")" ]; then
    echo "kept: nothing new"
    return
  fi
  commit=$(git -c user.name="SI-IQ update" -c user.email="siiq-update@users.noreply.github.com" \
    commit-tree "$tree" ${parent:+-p "$parent"} -m "Update cycle")
  git push --quiet "$remote" "$commit:refs/heads/$branch" ||
    refuse "$branch was not pushed." "if another run stored meanwhile, restore and run the cycle again; what this one made is still here"
  git update-ref "$mark" "$commit"
  echo "kept: stored $(git rev-parse --short "$commit") on $branch"
}

case ${1:-} in
  restore | store) "$1" ;;
  *) echo "usage: ops/kept.sh restore|store" >&2; exit 2 ;;
esac
