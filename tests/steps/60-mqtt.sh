# The daemon and Debian's mosquitto, which is killed, started again, refuses and lets others write.
. "$(dirname "$0")/../lib.sh"
need mosquitto mosquitto-clients openssl
counted "broker" cargo nextest run --locked --cargo-quiet -E 'test(/^(mqtt|hub)::/)'
