# From the events of a test run: scripts by their paths, other tests by their names, and what was under way at a crash.
cat >events <<'END'
{"kind":"test","payload":{"id":"M.S/`a law`()/S.swift:1:2"}}
{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/S.swift:1:1"}}
{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/`a law`()/S.swift:1:2"}}
{"kind":"event","payload":{"kind":"issueRecorded","testID":"M.S/`a law`()/S.swift:1:2","issue":{"isKnown":false},"messages":[{"text":"1 is not\n2"}]}}
{"kind":"event","payload":{"kind":"testEnded","testID":"M.S/`a law`()/S.swift:1:2"}}
{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/`all right`()/S.swift:9:2"}}
{"kind":"event","payload":{"kind":"testEnded","testID":"M.S/`all right`()/S.swift:9:2"}}
{"kind":"event","payload":{"kind":"testStarted","testID":"C.ScriptTests/`the command`(_:)/T.swift:9:2"}}
{"kind":"event","payload":{"kind":"issueRecorded","testID":"C.ScriptTests/`the command`(_:)/T.swift:9:2","issue":{"isKnown":false},"messages":[{"text":"Tests/CommandTests/Scripts/a/b.sh: b failed\ntimed out"}]}}
{"kind":"event","payload":{"kind":"testEnded","testID":"C.ScriptTests/`the command`(_:)/T.swift:9:2"}}
{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/`crashes`()/S.swift:5:2"}}
{"kind":"event","payl
END
"$ROOT/scripts/failed-tests" events >found
cat >wanted <<'END'
M.S/`crashes`()	it was under way when the tests' process ended
M.S/`a law`()	1 is not 2
Tests/CommandTests/Scripts/a/b.sh	Tests/CommandTests/Scripts/a/b.sh: b failed timed out
END
same found wanted
