# The daemon with Debian's mosquitto, which is killed, restarted, and refuses logins and messages.
. "$(dirname "$0")/../lib.sh"
need mosquitto mosquitto-clients openssl
counted "broker" cargo nextest run --workspace --locked --cargo-quiet -E "$MQTT_TESTS"
