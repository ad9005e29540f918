export const usage = `threadsmith: a workbench for an agent whose every step is on record

  run "<goal>" [--project DIR] [--model NAME] [--skill NAME] [--max-steps N] [--budget-usd N] [--approve ask|none|all]
  thread list [--state S] [--limit N] [--before ID]
  thread show <id> [--events] [--messages]
  thread stop | resume <id>
  thread fork <id> --step N [--edit TEXT]
  approval list
  approval approve <id> [--reason T] [--scope once|thread|project|always] [--no-run]
  approval deny <id> [--reason T] [--stop] [--no-run]
  orchestrator versions
  orchestrator show [N]
  orchestrator propose FILE --reason T
  orchestrator activate N
  orchestrator rollback [--to N]
  trace issues <thread id>
  model list
  model probe [NAME]
  model replay <stream.json…> [--chunk N] [--cut N]
  provider list
  provider add openai|anthropic|google|openrouter|ollama|openai-compatible [--url U] [--title T]
  provider key <id>
  provider remove <id>
  integration list
  integration connect | test | disconnect <skill> [<credential>]
  integration address <skill> <host> [--url U]
  doc list [--type T] [--limit N] [--before NUMBER]
  doc show <id|title> [--version N]
  doc search "<words>" [--limit N]
  doc export <id|title|--all> [--out DIR]
  http check <url> [--dns "A,B|C"] [--redirect URL=ADDR]
  secrets scan <file…>
  mission list [--project DIR]
  mission add FILE
  mission edit <name> [FILE]
  mission show | pause <name>
  mission resume <name> [--version N]
  mission run <name> [--rehearse]
  mission tick [--now ISO]
  mission firings <name> [--from ISO] [--to ISO]
  cron "<expr>" [--tz ZONE] [--from ISO] [-n|--count N]
  skill list
  skill show <name> [--version N]
  skill select "<goal>" [--project DIR]
  skill approve | reject | quarantine <candidate> [--reason T]
  skill rollback <name> --to N [--reason T]
  skill import <folder or zip> [--dry-run]
  skill export <name> <folder or .zip> [--version N]
  skill sources
  skill follow | unfollow <url>
  skill validate <SKILL.md or folder…>
  learn status
  learn list
  learn approve | reject | undo <id> [--reason T]
  doctor

run --approve: ask here (on a terminal), none (wait; the default elsewhere), all (allow this thread every ordinary action).
thread fork: a new chat that goes on from step N, as \`thread show\` counts them (the first is 0); nothing of it runs again.
approval: an id may be cut short as long as one request begins with it. A thread whose request is decided goes on here to its
next rest, unless the app is open and goes on with it; --no-run leaves it for later. --stop ends the thread as denied.
model probe: one small request; without NAME to the models of this computer and of the tiers only, as others may cost money.
provider key, integration connect: the key is typed without an echo, or is the first line of standard input; never an argument. While
the app is open it keeps the key; else the command line keeps it in a file that only the passphrase in THREADSMITH_KEY opens.
What belongs to a project: doc and mission commands take --project DIR too.
mission resume: one that an agent proposed is started by the version that was read with \`mission show\`. mission run --rehearse: it may
use all that a thread of yours may; approve with --scope mission what later firings may do as well.
mission run, tick: while the app is open it carries them out; else the command does, to the next rest. --now needs --data.
Everywhere: --json for programs, --data DIR for another data folder (else THREADSMITH_HOME).
Exit: 0 done, 1 failed or refused, 2 usage, 130 after Ctrl-C. run: 0 answered or waiting, 1 every other outcome.`
