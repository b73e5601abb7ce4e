# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_jadoube_global_optspecs
    string join \n h/help V/version
end

function __fish_jadoube_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_jadoube_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_jadoube_using_subcommand
    set -l cmd (__fish_jadoube_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c jadoube -n "__fish_jadoube_needs_command" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_needs_command" -s V -l version -d 'Print version'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "run" -d 'The daemon: every board, live'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "replay" -d 'Process recorded captures as the daemon would'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "record" -d 'Record one port to a capture, without tracking and rules'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "import" -d 'Turn a dump of \'socat -x -v\' into a capture'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "emulate" -d 'Virtual boards on pseudo terminals, played by simulated people'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "demo" -d 'An emulated hall and the daemon in one process; nothing to install or plug in'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "hub" -d 'One desk for many halls, over the topics of a broker'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "watch" -d 'The alert log in a terminal'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "tables" -d 'Which board is which table: the list, a walk through the hall, labels'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "boards" -d 'Table of boards: serial, port, link, clock, game, ply, open alerts'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "rules" -d 'The rule table: code, article, what it needs, what it proposes'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "arbiter" -d 'Make, list and revoke the tokens with which arbiters sign in at the desk'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "certificate" -d 'Make a certificate with which the desk speaks HTTPS, of a local authority'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "audit" -d 'Whether the list of orders is as it was written'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "open" -d 'Open the desk to the phones in the hall, and say where they find it'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "doctor" -d 'Look for what keeps boards, clocks and phones from working, and say what to do'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "bundle" -d 'Pack captures, logs, configuration and findings into one file to send, without names'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "notify" -d 'Whether notifications arrive'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "check" -d 'Check the configuration: errors, and settings that are unlikely'
complete -c jadoube -n "__fish_jadoube_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand run" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand run" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand run" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l format -d 'Format of the output: every event, one line per alert, or the game' -r -f -a "jsonl\t'JSON Lines, every event'
text\t'One line per alert, for people'
pgn\t'The games'"
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l rules -d 'Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023 [default: 2023]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l control -d 'Which part of the Laws applies: standard, rapid, blitz [default: standard]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l fen -d 'The game starts from this position, side to move and castling rights included' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l config -d 'Configuration file; without it the defaults apply, whatever this machine\'s daemon uses' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l until -d 'Stop at this time of the capture' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -l supervised -d 'Rapid or blitz under full supervision: the Competition Rules apply'
complete -c jadoube -n "__fish_jadoube_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jadoube -n "__fish_jadoube_using_subcommand record" -l port -d 'Device, or tcp://host:port' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand record" -s o -l output -d 'Capture to write, - for standard output' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand record" -l baud -d 'Baud rate; boards with a USB connector of their own ignore it' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand record" -l note -d 'A remark for the header, e.g. which board and what happened' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand record" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand import" -s o -l output -d 'Capture to write, - for standard output' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand import" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l boards -d 'How many boards' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l first-serial -d 'Serial number of the first board; the others have the next ones' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l pgn -d 'Games to be played, PGN, - for standard input [default: two dozen that come with the program]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l speed -d 'Speed of players and clocks; the lines keep their rate' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l incident -d 'What goes wrong, \'all\' for everything; shared out among the boards; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l ruling -d 'What becomes of offences [default: both in turn]' -r -f -a "arbiter\t'An arbiter has the position put right, and adds time'
stands\t'Nobody intervenes, and play goes on'"
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l time -d 'Time control, e.g. 15+10 or 40/5400+30:1800+30' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l handling -d 'How the players move pieces' -r -f -a "plain\t'Every move in the usual order of hand movements'
blitz\t'As measured in blitz'
classical\t'As in classical games: captured pieces go first, pieces are adjusted'
scramble\t'As in a time scramble'
clumsy\t'As in a time scramble, with pieces shoved and knocked over'
wild\t'Every legal order of hand movements, with frequent irregularities'"
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l seed -d 'Seed of the random numbers' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l fault -d 'Faults of the lines, e.g. drop=0.001 or hang=0.0001:3 (share of bytes or reads, seconds): drop, flip, insert, duplicate, delay, cut, hang, lose-updates; \'commands.\' before a name applies it to what the host sends. Or a broken or hostile board, e.g. flood, flood:3 or flood:3@60 (number of the board, seconds until it begins; without a number the last boards): random-bytes, full-board, sixty-kings, flicker, clock-garbage, press-every-scan, serial-text, serial-changing, silent, reopening, flood, hang, reset. May be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l dir -d 'Directory of links to the boards [default: jadoube-boards in the directory for temporary files]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l tcp -d 'Serve the boards on TCP ports from this one on, instead of pseudo terminals' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l captures -d 'Write a capture of one game for each board with the true moves and offences beside it, and end' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l noisy -d 'Noisy lines'
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -l bus -d 'All boards on one line, in bus mode'
complete -c jadoube -n "__fish_jadoube_using_subcommand emulate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jadoube -n "__fish_jadoube_using_subcommand demo" -l seconds -d 'How long [default: 900 at a terminal, otherwise 60]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand demo" -l boards -d 'How many boards; twenty show all incidents at once' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand demo" -l seed -d 'Seed of the random numbers' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand demo" -l listen -d 'Address of the arbiter\'s desk; another port if this one is taken' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand demo" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand hub" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand hub" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand hub" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l url -d 'Ask the daemon there, such as 127.0.0.1:8080' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l token-file -d 'File with the arbiter\'s token, for a daemon on another machine or one that delays games' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l table -d 'Only this table; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l board -d 'Only this board; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l code -d 'Only this code, e.g. illegal-move; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l severity -d 'Only what is at least this urgent, as at the desk: act, look (with equipment), info' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l json -d 'One JSON object a line'
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -l once -d 'Show the last alerts and end'
complete -c jadoube -n "__fish_jadoube_using_subcommand watch" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -f -a "walk" -d 'Walk through the hall: lift a king on each table, and its board is known; the daemon has to run'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -f -a "labels" -d 'Labels to print for the boards: number, serial number, and a QR code that opens the table in the desk'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and not __fish_seen_subcommand_from walk labels help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from walk" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from walk" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from walk" -l from -d 'First table' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from walk" -l to -d 'Last table [default: until q]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from walk" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from labels" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from labels" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from labels" -s o -l output -d 'Page to write, to be printed by any browser, - for standard output' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from labels" -l url -d 'Where phones find the desk [default: http.url]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from labels" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from help" -f -a "walk" -d 'Walk through the hall: lift a king on each table, and its board is known; the daemon has to run'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from help" -f -a "labels" -d 'Labels to print for the boards: number, serial number, and a QR code that opens the table in the desk'
complete -c jadoube -n "__fish_jadoube_using_subcommand tables; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -l url -d 'Ask the daemon there, such as 127.0.0.1:8080' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -l token-file -d 'File with the arbiter\'s token, for a daemon on another machine or one that delays games' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -l json -d 'One JSON object a line instead of a table'
complete -c jadoube -n "__fish_jadoube_using_subcommand boards" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand rules" -l edition -d 'Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023, or a file of rules (TOML)' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand rules" -l language -d 'Language of the texts: en, de, fr, es, it' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand rules" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -f -a "add" -d 'Make a token, and show it once as a link and a QR code'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -f -a "link" -d 'Make a further link for one more device of somebody who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -f -a "list" -d 'List who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -f -a "revoke" -d 'Make a token invalid; whoever uses it is signed out at once'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and not __fish_seen_subcommand_from add link list revoke help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l tables -d 'Tables that the arbiter looks after, such as 1-20,25, or hall-a:1-20 at a hub [default: those of [[arbiter]], otherwise all]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l role -d 'What the arbiter may do: chief, sector, tables, screen [default: that of [[arbiter]], otherwise sector]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l language -d 'Language of the desk for this arbiter: en, de, fr, es, it' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l url -d 'Where phones find the desk [default: http.url, http.hosts or the address of this machine]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from link" -l url -d 'Where phones find the desk [default: http.url, http.hosts or the address of this machine]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from link" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from link" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from link" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from list" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from list" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from revoke" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from revoke" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from revoke" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from help" -f -a "add" -d 'Make a token, and show it once as a link and a QR code'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from help" -f -a "link" -d 'Make a further link for one more device of somebody who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from help" -f -a "list" -d 'List who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from help" -f -a "revoke" -d 'Make a token invalid; whoever uses it is signed out at once'
complete -c jadoube -n "__fish_jadoube_using_subcommand arbiter; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand certificate" -l name -d 'A further name or address of this machine; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand certificate" -l dir -d 'Directory of the files [default: tls in the state directory]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand certificate" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand certificate" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand certificate" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand audit" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand audit" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand audit" -l last -d 'An entry that has to be there, by its hash: what the journal or the report of a round names as the last one' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand audit" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand open" -l config -d 'Configuration file [default: as of all commands]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand open" -l root -d 'Change the units below this directory, for tests' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand open" -l close -d 'Close it again: only this machine reaches the desk'
complete -c jadoube -n "__fish_jadoube_using_subcommand open" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -l seconds -d 'How long each line is listened to while no daemon runs' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -l root -d 'Look at the system files below this directory, for tests' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -l json -d 'One JSON object a line for each finding: check, level, subject, text, remedy'
complete -c jadoube -n "__fish_jadoube_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -s o -l output -d 'File to write [default: jadoube-bundle-TIME.tar.gz in the current directory]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l since -d 'From when on: a time such as 2026-11-23T14:00Z, or a duration before now such as 3h' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l until -d 'Until when, likewise [default: now]' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l seconds -d 'How long each line is listened to for the findings, if no daemon runs; 0 leaves the boards alone' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -l replace-names -d 'Replace each name by the same \'Player 7\' everywhere instead of removing it'
complete -c jadoube -n "__fish_jadoube_using_subcommand bundle" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and not __fish_seen_subcommand_from test help" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and not __fish_seen_subcommand_from test help" -f -a "test" -d 'Send a test message every way that is configured, and say what came of it'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and not __fish_seen_subcommand_from test help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and __fish_seen_subcommand_from test" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and __fish_seen_subcommand_from test" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and __fish_seen_subcommand_from help" -f -a "test" -d 'Send a test message every way that is configured, and say what came of it'
complete -c jadoube -n "__fish_jadoube_using_subcommand notify; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand check" -l config -d 'Configuration file, - for standard input [default: jadoube/jadoube.toml in the user\'s directory of configurations, or else /etc/jadoube/jadoube.toml, if there is one]' -r -F
complete -c jadoube -n "__fish_jadoube_using_subcommand check" -l set -d 'Any configuration key, e.g. `board.scan_ms=100`; may be given several times' -r
complete -c jadoube -n "__fish_jadoube_using_subcommand check" -l network -d 'Try the desk as a phone would, too, and the broker'
complete -c jadoube -n "__fish_jadoube_using_subcommand check" -l all -d 'Show every key with its value, not only those that are not defaults'
complete -c jadoube -n "__fish_jadoube_using_subcommand check" -s h -l help -d 'Print help'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "run" -d 'The daemon: every board, live'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "replay" -d 'Process recorded captures as the daemon would'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "record" -d 'Record one port to a capture, without tracking and rules'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "import" -d 'Turn a dump of \'socat -x -v\' into a capture'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "emulate" -d 'Virtual boards on pseudo terminals, played by simulated people'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "demo" -d 'An emulated hall and the daemon in one process; nothing to install or plug in'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "hub" -d 'One desk for many halls, over the topics of a broker'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "watch" -d 'The alert log in a terminal'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "tables" -d 'Which board is which table: the list, a walk through the hall, labels'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "boards" -d 'Table of boards: serial, port, link, clock, game, ply, open alerts'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "rules" -d 'The rule table: code, article, what it needs, what it proposes'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "arbiter" -d 'Make, list and revoke the tokens with which arbiters sign in at the desk'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "certificate" -d 'Make a certificate with which the desk speaks HTTPS, of a local authority'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "audit" -d 'Whether the list of orders is as it was written'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "open" -d 'Open the desk to the phones in the hall, and say where they find it'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "doctor" -d 'Look for what keeps boards, clocks and phones from working, and say what to do'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "bundle" -d 'Pack captures, logs, configuration and findings into one file to send, without names'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "notify" -d 'Whether notifications arrive'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "check" -d 'Check the configuration: errors, and settings that are unlikely'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and not __fish_seen_subcommand_from run replay record import emulate demo hub watch tables boards rules arbiter certificate audit open doctor bundle notify check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from tables" -f -a "walk" -d 'Walk through the hall: lift a king on each table, and its board is known; the daemon has to run'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from tables" -f -a "labels" -d 'Labels to print for the boards: number, serial number, and a QR code that opens the table in the desk'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from arbiter" -f -a "add" -d 'Make a token, and show it once as a link and a QR code'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from arbiter" -f -a "link" -d 'Make a further link for one more device of somebody who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from arbiter" -f -a "list" -d 'List who has a token'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from arbiter" -f -a "revoke" -d 'Make a token invalid; whoever uses it is signed out at once'
complete -c jadoube -n "__fish_jadoube_using_subcommand help; and __fish_seen_subcommand_from notify" -f -a "test" -d 'Send a test message every way that is configured, and say what came of it'
