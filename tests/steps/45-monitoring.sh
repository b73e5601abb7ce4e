# The metrics of the daemon and the example rules, checked by Prometheus.
source "$(dirname "$0")/../lib.sh"
need prometheus curl
binary

check "the example rules are valid" promtool check rules tests/monitoring/rules.yml
check "the example rules raise the expected alerts" promtool test rules tests/monitoring/rules-test.yml

reserve_port port
"$JADOUBE" demo --boards 4 --seconds $((2 * PATIENCE)) --listen "127.0.0.1:$port" >"$WORK/demo" 2>&1 &
figures() { curl -fsS "http://127.0.0.1:$port/metrics" >"$WORK/metrics"; }
playing() { figures && grep -qE '^dgt_game_plies\{[^}]*\} [1-9]' "$WORK/metrics" && grep -q '^dgt_alerts_total{' "$WORK/metrics"; }
check "there are metrics while games are played" eventually "$PATIENCE" playing
check "promtool accepts the metrics" promtool check metrics <"$WORK/metrics"
for name in dgt_build_info dgt_board_up dgt_board_last_message_timestamp_seconds dgt_board_reconnects_total \
	dgt_game_plies dgt_clock_remaining_seconds dgt_alerts_open dgt_alerts_total dgt_ws_clients dgt_hub_sequence \
	dgt_board_frames_total dgt_board_frame_errors_total dgt_board_noise_bytes_total dgt_export_missed_total \
	process_cpu_seconds_total process_resident_memory_bytes; do
	check "$name is there" grep -qE "^$name(\{| )" "$WORK/metrics"
done
check "no player is named" bash -c "! grep -q Ahlgren '$WORK/metrics'"
check "the service is healthy" curl -fsS "http://127.0.0.1:$port/healthz"
