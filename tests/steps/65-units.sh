# Units, sockets and udev rules, checked by the programs that read them.
source "$(dirname "$0")/../lib.sh"
need systemd udev

# Warnings count as well; the program itself need not be installed here.
check "the unit and its sockets are fine" bash -c '
	out=$(systemd-analyze verify --man=no systemd/*.service systemd/*.socket 2>&1 | grep -i jadoube |
		grep -v "Command /usr/bin/jadoube is not executable: No such file")
	echo "$out"; [[ -z $out ]]'

# 10 is open to everything, 0 to nothing.
limit=1.5
for unit in systemd/*.service; do
	exposure=$(systemd-analyze security --offline=true --no-pager "$unit" | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
	check "exposure $exposure of ${unit##*/} is at most $limit" awk -v it="$exposure" -v limit="$limit" 'BEGIN { exit !(it != "" && it <= limit) }'
done

for unit in systemd/*.service; do
	check "${unit##*/} is started again however often it ends" bash -c 'grep -qx StartLimitIntervalSec=0 "$1" && grep -qx Restart=on-failure "$1"' _ "$unit"
	check "and bounds its memory" grep -qx 'MemoryMax=50%' "$unit"
done

check "the user can be made" systemd-sysusers --dry-run "$ROOT/systemd/jadoube.sysusers"
check "tmpfiles are understood" bash -c '
	mkdir -p "$1/etc"; systemd-sysusers --root="$1" "$PWD/systemd/jadoube.sysusers" && systemd-tmpfiles --root="$1" --create "$PWD/systemd/jadoube.tmpfiles"' \
	_ "$WORK/root"
check "the catalogue can be read" bash -c '
	mkdir -p "$1/usr/lib/systemd/catalog" "$1/var/lib/systemd/catalog"
	cp systemd/jadoube.catalog "$1/usr/lib/systemd/catalog/"
	journalctl --root="$1" --update-catalog && journalctl --root="$1" --list-catalog | grep -c jadoube | grep -qx 2' _ "$WORK/root"

# There are no devices to test the rules with: udevadm checks their syntax.
if udevadm verify --help >/dev/null 2>&1; then
	check "the rules for devices are fine" udevadm verify systemd/70-jadoube.rules
else
	# Older versions report syntax errors only when they test a device.
	install -D -m 644 systemd/70-jadoube.rules "$WORK/rules/70-jadoube.rules"
	check "the rules for devices are whole" bash -c '! grep -vE "^#|^$" "$1" | grep -vE "^([A-Z]+(\{[A-Za-z_]+\})?(==|\+=|=)\"[^\"]*\"(, |\$))+\$"' \
		_ systemd/70-jadoube.rules
fi
for text in 'ATTR{latency_timer}="1"' 'ENV{ID_MM_DEVICE_IGNORE}="1"' 'SYMLINK+="dgt/'; do
	check "the rules hold $text" grep -qF "$text" systemd/70-jadoube.rules
done
check "drivers are loaded before the service starts" bash -c '
	for module in $(grep -v "^#" systemd/jadoube.conf); do
		grep -q "^After=.*modprobe@$module.service" systemd/jadoube.service && grep -q "^Wants=.*modprobe@$module.service" systemd/jadoube.service || exit 1
	done'
check "everything in systemd/ is in the package" bash -c '
	for file in systemd/*; do grep -q "\"$file[\"/]" Cargo.toml || { echo "$file"; exit 1; }; done'
binary
for config in systemd/*.toml; do
	check "the example ${config##*/} is fine" "$JADOUBE" check --config "$config"
done
