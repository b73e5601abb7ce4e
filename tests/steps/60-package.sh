# The Debian package: made, installed in a Debian of its own, started there by systemd, used, and removed again.
#
# The tree comes from Debian's mirror once and is kept in the cache; nothing of the machine is touched. What happens inside
# is in tests/systemd/in-a-tree.
source "$(dirname "$0")/../lib.sh"
cargo_with "$CARGO_DEB"
binary

check "cargo deb makes a package" cargo deb --no-build --quiet --output "$WORK/jadoube.deb"
[[ -s $WORK/jadoube.deb ]] || exit 1
dpkg-deb --info "$WORK/jadoube.deb" >&2
dpkg-deb --contents "$WORK/jadoube.deb" >"$WORK/contents"
cat "$WORK/contents" >&2
for file in usr/bin/jadoube usr/lib/systemd/system/jadoube.service usr/lib/udev/rules.d/70-jadoube.rules \
	etc/jadoube/jadoube.toml usr/share/doc/jadoube/copyright usr/share/doc/jadoube/README.md \
	usr/share/man/man1/jadoube-doctor.1.gz usr/share/man/man5/jadoube.toml.5.gz usr/share/man/man8/jadoube-run.8.gz usr/share/bash-completion/completions/jadoube \
	usr/share/zsh/vendor-completions/_jadoube usr/share/fish/vendor_completions.d/jadoube.fish \
	usr/share/doc/jadoube/systemd/README.md usr/share/doc/jadoube/src/core/words/en/help.md; do
	check "the package holds $file" grep -q " \./$file\$" "$WORK/contents"
done
check "the configuration is one that an update keeps" bash -c 'dpkg-deb --info "$1" conffiles | grep -q jadoube.toml' _ "$WORK/jadoube.deb"
check "what the program links to is declared" bash -c 'dpkg-deb --field "$1" Depends | grep -q libc6' _ "$WORK/jadoube.deb"

check "one command makes package, archive and checksums" .ci/package --no-build
check "the checksums are right" bash -c 'cd "$1/dist" && sha256sum --check --quiet SHA256SUMS && ls ./*.tar.gz' _ "$CARGO_TARGET_DIR"

mkdir "$WORK/archive"
tar -C "$WORK/archive" -xzf "$CARGO_TARGET_DIR"/dist/*.tar.gz --strip-components=1
check "the script in the archive says what it would do" bash -c '"$1"/install | grep -x "  /usr/bin/jadoube"' _ "$WORK/archive"
check "a zip for Windows is made" bash -c '
	exe=$1/x86_64-pc-windows-gnu/release/jadoube.exe
	mkdir -p "${exe%/*}" && { [[ -e $exe ]] || cp "$2" "$exe"; }
	.ci/package --no-build --target x86_64-pc-windows-gnu && cd "$1/dist/x86_64-pc-windows-gnu" && sha256sum --check --quiet SHA256SUMS &&
	python3 -m zipfile -l ./*.zip | grep -E "jadoube[^ ]*/jadoube.exe "' _ "$CARGO_TARGET_DIR" "$JADOUBE"

check "the Debian changelog has its version" bash -c \
	'head -n 1 systemd/debian/changelog | grep -qF "($(dpkg-deb --field "$1" Version))"' _ "$WORK/jadoube.deb"
# In a subshell, as without lintian only this check is skipped.
if (need lintian); then
	check "lintian finds nothing that is not explained in systemd/debian/lintian-overrides" \
		bash -c 'lintian --allow-root --fail-on error,warning "$1"/dist/*.deb' _ "$CARGO_TARGET_DIR"
fi

# What earlier versions have left, each as it was, is read by the packaged program, and what was logged stays.
dpkg-deb --extract "$WORK/jadoube.deb" "$WORK/unpacked"
goes_on() {
	local dir=$WORK/upgrade-${1##*/} status=0
	cp -r "$1" "$dir"
	# Which git does not keep: secrets that others could read count for nothing.
	chmod -R go= "$dir"
	cp "$dir/log/events.jsonl" "$dir/before"
	cat >"$dir/jadoube.toml" <<-END
		state_dir = "$dir/state"
		log_dir = "$dir/log"
		[ports]
		scan = []
		[[port]]
		path = "tcp://127.0.0.1:47301"
		[[port]]
		path = "tcp://127.0.0.1:47302"
	END
	"$WORK/unpacked/usr/bin/jadoube" run --config "$dir/jadoube.toml" >"$dir/messages" 2>&1 &
	eventually "$PATIENCE" grep -q ready "$dir/messages"
	kill $!
	wait $! || status=$?
	cat "$dir/messages"
	((status == 0)) && cmp --bytes="$(stat -c %s "$dir/before")" "$dir/before" "$dir/log/events.jsonl" &&
		"$WORK/unpacked/usr/bin/jadoube" boards --config "$dir/jadoube.toml" | grep -q 01025
}
for kept in tests/state/*; do
	check "the packaged program goes on with the state of ${kept##*/}" goes_on "$kept"
done

((EUID == 0)) || skip "only root can install the package in a tree"
need mmdebstrap systemd-container

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
# What is in it is part of its name.
base=$CACHE/debian-$release-2.tar
if [[ ! -s $base ]]; then
	say "  making a tree of Debian $release"
	mmdebstrap --quiet --format=tar --variant=minbase --include=systemd,systemd-sysv,udev,dbus,logrotate,iproute2 "$release" "$base.new" >&2 ||
		skip "no tree of Debian $release can be made"
	mv "$base.new" "$base"
fi
# Without the package: the archive, by its script.
plain=$WORK/plain
mkdir "$plain"
tar -C "$plain" -xf "$base"
cp -r "$WORK/archive" "$plain/root/archive"
check "the archive installs in a Debian without the package" bash -c '
	chroot "$1" /root/archive/install --yes && chroot "$1" jadoube check && echo "# mine" >>"$1/etc/jadoube/jadoube.toml" &&
	chroot "$1" /root/archive/install --yes && grep -qx "# mine" "$1/etc/jadoube/jadoube.toml" &&
	[[ $(chroot "$1" stat -c "%a %U %G" /etc/jadoube/token) == "640 root jadoube" ]]' _ "$plain"
rm -rf "$plain"
tree=$WORK/tree
mkdir "$tree"
tar -C "$tree" -xf "$base"
cp "$WORK/jadoube.deb" tests/systemd/in-a-tree "$tree/root/"
cat >"$tree/etc/systemd/system/in-a-tree.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/bash /root/in-a-tree
StandardOutput=file:/root/output
StandardError=file:/root/output
TimeoutStartSec=900
ExecStopPost=/bin/systemctl poweroff --no-block
[Install]
WantedBy=default.target
END
mkdir -p "$tree/etc/systemd/system/default.target.wants"
ln -s ../in-a-tree.service "$tree/etc/systemd/system/default.target.wants/"
timeout --kill-after=10 1000 systemd-nspawn --quiet --directory="$tree" --register=no --keep-unit --private-network --boot \
	</dev/null >"$WORK/boot" 2>&1 || say "  systemd-nspawn ended with exit status $?"
if [[ ! -e $tree/root/output ]]; then
	tail -n 20 "$WORK/boot" >&2
	skip "systemd cannot be booted in a tree here"
fi
cat "$tree/root/output" >&2
# Every line of the form 'ok WHAT' or 'bad WHAT' is a check made inside.
while read -r word what; do
	case $word in
	ok) passed 1 "$what" ;;
	bad) failed "$what" ;;
	esac
done <"$tree/root/output"
check "the checks inside came to their end" grep -q '^done$' "$tree/root/output"
