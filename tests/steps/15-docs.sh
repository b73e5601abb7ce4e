# Documentation: the crates' builds without a warning, and all links in pages are valid.
source "$(dirname "$0")/../lib.sh"

check "documentation of the crates" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --examples --locked --quiet

# Prints the anchors of the headings of a page.
anchors() {
	sed -n 's/^#\{1,6\} *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^[:alnum:] _-]//g; s/ /-/g'
}

links() {
	local page target path anchor bad=0
	while IFS= read -r page; do
		while IFS= read -r target; do
			case $target in http://* | https://* | mailto:*) continue ;; esac
			path=${target%%#*} anchor=''
			if [[ $target == *'#'* ]]; then anchor=${target#*#}; fi
			if [[ -n $path ]]; then path=$(dirname "$page")/$path; else path=$page; fi
			if [[ ! -e $path ]]; then
				echo "$page: there is no $target"
				bad=1
			elif [[ -n $anchor && $path == *.md ]] && ! anchors "$path" | grep -qxF -- "$anchor"; then
				echo "$page: no heading $target"
				bad=1
			fi
		done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^) ]+' | cut -c3-)
	done < <(git ls-files -co --exclude-standard '*.md')
	return "$bad"
}
check "links in the pages" links
