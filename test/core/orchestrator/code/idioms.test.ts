import { describe, expect, test } from 'vitest'
import { codeRunner } from './code-host.ts'

const { run } = codeRunner()

const idioms: [name: string, source: string, expected: object][] = [
  ['a last expression', 'x = 2\nx * 3', { value: 6 }],
  ['a last tuple', '1, 2', { value: [1, 2] }],
  ['a last expression after a semicolon', 'x = 2; x + 1  # three', { value: 3 }],
  ['no last expression', 'x = 2', { value: null }],
  ['a last expression over several lines', 'x = 2\n(x +\n  3)', { value: 5 }],
  [
    'a value that is no plain data',
    'from datetime import date\ndate(2024, 1, 2)',
    { value: 'datetime.date(2024, 1, 2)' },
  ],
  ['a function as the value', 'lambda x: x', { value: expect.stringContaining('function') }],
  ['state', 'state["a"] = state.get("a", 0) + 1', { saved: { a: 1 } }],
  ['state assigned anew', 'state = {"b": [1]}\n5', { saved: { b: [1] }, value: 5 }],
  ['return at the top', 'state["a"] = 1\nif True:\n    return 5\nstate["a"] = 2', { value: 5, saved: { a: 1 } }],
  ['a bare return at the top', 'state["a"] = 1\nreturn\nstate["a"] = 2', { value: null, saved: { a: 1 } }],
  ['FINAL', 'FINAL("done")', { finals: ['done'], calls: ['FINAL["done"]{}'], value: null }],
  ['await FINAL', 'await FINAL("done")', { finals: ['done'] }],
  ['await', 'r = await count(n=2)\nr', { value: 4 }],
  ['await in an expression', '1 + (await count(2)) * 2', { value: 9 }],
  ['await in an f-string', "f\"{await count(2)} {(await read_file(path='a'))['text']}\"", { value: '4 text of a' }],
  ['await in a comprehension', '[await count(x) for x in [1, 2]]', { value: [2, 4] }],
  ['async main', 'import asyncio\nasync def main():\n    return await count(2)\nasyncio.run(main())', { value: 4 }],
  ['await main', 'async def main():\n    return await count(2)\nawait main()', { value: 4 }],
  ['__main__', 'def main():\n    print("hi")\nif __name__ == "__main__":\n    main()', { printed: 'hi\n' }],
  [
    'gather of calls',
    'import asyncio\nr = await asyncio.gather(count(1), count(n=2))\nr',
    { value: [2, 4], calls: ['__parallel__[[["count",[1],{}],["count",[],{"n":2}]]]{}'] },
  ],
  [
    'gather of a list',
    'import asyncio\nawait asyncio.gather(*[count(x) for x in [1, 2]])',
    { value: [2, 4], calls: ['__parallel__[[["count",[1],{}],["count",[2],{}]]]{}'] },
  ],
  [
    'gather of a generator',
    'import asyncio\nawait asyncio.gather(*(count(n=x) for x in [1, 2] if x > 1))',
    { value: [4] },
  ],
  ['gather unpacked', 'import asyncio\na, b = await asyncio.gather(\n    count(1),\n    count(2),\n)\nb', { value: 4 }],
  [
    'gather by its name',
    'from asyncio import gather, run\nasync def main():\n    return await gather(count(1), count(2))\nrun(main())',
    { value: [2, 4] },
  ],
  ['gather under another name', 'import asyncio as aio\nawait aio.gather(count(1))', { value: [2] }],
  [
    'gather of tasks made before',
    'import asyncio\ntasks = [count(x) for x in [1, 2]]\nawait asyncio.gather(*tasks)',
    { value: [2, 4], calls: ['count[1]{}', 'count[2]{}'] },
  ],
  [
    'gather of own coroutines',
    'import asyncio\nasync def one(x):\n    return (await count(x)) + 1\nawait asyncio.gather(*[one(x) for x in [1, 2]])',
    { value: [3, 5] },
  ],
  [
    'gather that keeps exceptions',
    'import asyncio\nawait asyncio.gather(count(1), fail(), return_exceptions=True)',
    { value: [2, 'Error: the file is missing'] },
  ],
  [
    'gather with ** and *',
    'import asyncio\na = [1]\nk = {"n": 2}\nawait asyncio.gather(count(*a), count(**k))',
    { value: [2, 4] },
  ],
  [
    'parallel of calls',
    'parallel(count(1), count(2))',
    { value: [2, 4], calls: [expect.stringContaining('__parallel__')] },
  ],
  [
    'parallel of a list',
    'parallel([count(1), count(2)])',
    { value: [2, 4], calls: [expect.stringContaining('__parallel__')] },
  ],
  [
    'parallel of a comprehension',
    'parallel([count(n=x) for x in [1, 2]])',
    { value: [2, 4], calls: [expect.stringContaining('__parallel__')] },
  ],
  [
    'parallel of awaited calls',
    'await parallel(await count(1), count(2))',
    { value: [2, 4], calls: [expect.stringContaining('__parallel__')] },
  ],
  [
    'gather with options first',
    'import asyncio\nr = [count(1)]\nawait asyncio.gather(return_exceptions=True, *r)',
    { value: [2] },
  ],
  ['parallel of results', 'r = [count(1)]\nparallel(r)', { value: [2], calls: ['count[1]{}'] }],
  ['create_task', 'import asyncio\nt = asyncio.create_task(count(1))\nawait t', { value: 2 }],
  ['wait_for', 'import asyncio\nawait asyncio.wait_for(count(1), timeout=5)', { value: 2 }],
  ['to_thread', 'import asyncio\nawait asyncio.to_thread(count, 1)', { value: 2 }],
  ['sleep', 'import asyncio\nawait asyncio.sleep(1)\nasyncio.sleep(2)\n3', { value: 3 }],
  ['llm_query', 'llm_query("x")', { value: 'said x' }],
  [
    'an action in a loop',
    'total = 0\nfor i, n in enumerate([3, 4], start=1):\n    total += count(n) * i\ntotal',
    { value: 22 },
  ],
  ['an action in a dict', '{str(n): count(n) for n in [1, 2]}', { value: { 1: 2, 2: 4 } }],
  [
    'an action in any, all and sum',
    'any(count(n) > 3 for n in [1, 2]), all(count(n) for n in [1]), sum(count(n) for n in [1, 2])',
    { value: [true, true, 6] },
  ],
  ['an action in join', '",".join(str(count(n)) for n in [1, 2])', { value: '2,4' }],
  [
    'an action in a nested function',
    'def outer():\n    def inner(n):\n        return count(n)\n    return inner(2)\nouter()',
    { value: 4 },
  ],
  ['an action in a condition', 'if (n := count(2)) > 3 and count(1):\n    print(n)', { printed: '4\n' }],
  ['an action whose name becomes a variable', 'table = table(path="a")\ntable["text"]', { value: 'text of a' }],
  [
    'try around a call',
    'try:\n    fail()\nexcept Exception as e:\n    print("no:", e)\nfinally:\n    print("end")',
    { printed: 'no: the file is missing\nend\n' },
  ],
  [
    'a function that is defined later',
    'def main():\n    return helper(2)\ndef helper(x):\n    return x + 1\nmain()',
    { value: 3 },
  ],
  ['a global that is set later', 'def show():\n    return limit\nlimit = 4\nshow()', { value: 4 }],
  [
    'mutual recursion',
    'def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n != 0 and even(n - 1)\neven(10)',
    { value: true },
  ],
  [
    'defaults, *args, **kwargs',
    'def f(a, b=2, *rest, c=3, **more):\n    return [a, b, list(rest), c, more]\nf(1, 2, 3, d=4)',
    { value: [1, 2, [3], 3, { d: 4 }] },
  ],
  [
    'closures',
    'def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n    return step\nc = counter()\nc()\nc()',
    { value: 2 },
  ],
  ['print with sep and end', 'import sys\nprint(1, 2, sep="-", end="!\\n", file=sys.stderr)', { printed: '1-2!\n' }],
  ['f-string formats', 'f"{1.5:.2f}|{\'a\':>3}|{7:03d}|{0.256:.1%}|{[1]!r}"', { value: '1.50|  a|007|25.6%|[1]' }],
  [
    'thousands',
    'n = 1234567.891\nf"{n:,.2f} {1234:,} {-1234567:>12,d} {12:,}"',
    { value: '1,234,567.89 1,234   -1,234,567 12' },
  ],
  [
    'slices and unpacking',
    'a, *b = [1, 2, 3, 4]\nb[::-1], b[1:]',
    {
      value: [
        [4, 3, 2],
        [3, 4],
      ],
    },
  ],
  [
    'sorting',
    'sorted(["b", "A"], key=str.lower), sorted([{"n": 2}, {"n": 1}], key=lambda r: r["n"], reverse=True)[0]["n"]',
    { value: [['A', 'b'], 2] },
  ],
  [
    'zip, dict, min, max',
    'd = dict(zip(["a", "b"], [1, 2]))\n[max(d, key=d.get), min(d.values()), sum(d.values()), list(map(d.get, ["a"]))]',
    { value: ['b', 1, 3, [1]] },
  ],
  ['del', 'd = {"a": 1, "b": 2}\ndel d["a"]\nx = 1\ndel x\nd', { value: { b: 2 } }],
  [
    're',
    'import re\nre.findall(r"\\d+", "a1b22"), re.sub(r"\\s+", " ", "a  b"), re.search(r"(?P<n>\\d)", "a1").group("n")',
    { value: [['1', '22'], 'a b', '1'] },
  ],
  ['json', 'import json\njson.loads(json.dumps({"a": [1, None]}))["a"]', { value: [1, null] }],
  [
    'dates',
    'from datetime import datetime, timedelta\n(datetime.strptime("2024-01-31", "%Y-%m-%d") + timedelta(days=1)).strftime("%d.%m.")',
    { value: '01.02.' },
  ],
  [
    'math and typing',
    'from __future__ import annotations\nimport math\nfrom typing import List\nx: List[int] = [math.ceil(1.2)]\nx',
    { value: [2] },
  ],
  [
    'pathlib',
    'from pathlib import Path\nstr(Path("a") / "b.txt"), Path("a/b.txt").suffix',
    { value: ['a/b.txt', '.txt'] },
  ],
  [
    'while, break, else',
    'n = 0\nwhile True:\n    n += 1\n    if n > 3: break\nfor x in []: pass\nelse:\n    n += 10\nn',
    { value: 14 },
  ],
  ['a program in CRLF with a tab', 'if True:\r\n\tx = 1\r\nx', { value: 1 }],
  ['nothing but a comment', '# nothing', { value: null, saved: {} }],
]

describe('what models write runs', () => {
  test.each(idioms)('%s', async (_name, source, expected) => {
    expect(await run(source)).toMatchObject({ failure: null, ...expected })
  })

  test.each(idioms.filter(([, source]) => !/^ *return( 5)?$/m.test(source)))(
    '%s keeps its lines',
    async (_name, source) => {
      const { failure } = await run(`${source}\n1 / 0`)
      expect(failure).toMatchObject({
        line: source.split('\n').length + 1,
        text: expect.stringContaining('ZeroDivisionError'),
      })
    },
  )
})

describe('what cannot run says what to write', () => {
  test.each<[source: string, category: string, line: number | null, text: string]>([
    ['x = 1\nclass A:\n    pass', 'syntax_error', 2, 'classes do not exist here: use dicts and functions'],
    ['from dataclasses import dataclass', 'name_lookup', 1, 'use a dict'],
    ['def g():\n    yield 1', 'syntax_error', 2, 'append to a list and return it'],
    ['match 1:\n    case 1: pass', 'syntax_error', 1, 'use if / elif'],
    ['@cache\ndef f(): pass', 'syntax_error', 1, 'decorators do nothing here'],
    ['with open("a") as f:\n    f.read()', 'os_denied', 1, 'the action is read_file(…)'],
    ['with lock:\n    pass', 'syntax_error', 1, 'with does not exist here'],
    ['open("a").read()', 'os_denied', 1, 'the action is read_file(…)'],
    ['import os\nos.listdir(".")', 'os_denied', 2, 'os.listdir does not exist here'],
    ['import os.path', 'name_lookup', 1, 'from pathlib import Path'],
    ['import os\nos.path.join("a", "b")', 'name_lookup', 2, 'from pathlib import Path'],
    ['import requests', 'os_denied', 1, 'there is no network here'],
    ['import subprocess', 'os_denied', 1, 'no process can be started here'],
    ['from collections import Counter', 'name_lookup', 1, 'd.get(k, 0) + 1'],
    ['import numpy as np', 'name_lookup', 1, 'the action is table(…)'],
    ['import wonderful', 'name_lookup', 1, 'there is no module wonderful here, only datetime'],
    ['from math import *', 'syntax_error', 1, 'name what you import'],
    ['"{}".format(1)', 'syntax_error', 1, 'write an f-string'],
    ['"%d" % 1', 'syntax_error', 1, 'write an f-string'],
    ['list(map(read_file, ["a"]))', 'runtime_error', 1, 'write [read_file(x) for x in xs]'],
    ['list(filter(lambda x: count(x), [1]))', 'runtime_error', 1, '[x for x in xs if count(x)]'],
    ['sorted([1, 2], key=count)', 'runtime_error', 1, 'scores = [count(x) for x in xs]'],
    [
      'def score(x):\n    return count(x)\nmax([1], key=score)',
      'runtime_error',
      3,
      'count cannot be called inside max()',
    ],
    ['[1].sort(key=lambda x: count(x))', 'runtime_error', 1, 'count cannot be called inside sort()'],
    ['f = count\nf(1)', 'name_lookup', 1, 'count can only be called, as count(…)'],
    ['import asyncio\nasync with asyncio.Semaphore(2): pass', 'syntax_error', 2, 'with does not exist here'],
    ['import asyncio\nasyncio.as_completed([])', 'syntax_error', 2, 'write parallel(a(…), b(…))'],
    ['eval("1")', 'os_denied', 1, 'code cannot make code here'],
    ['__import__("os")', 'os_denied', 1, 'code cannot make code here'],
    ['input("?")', 'name_lookup', 1, 'end with FINAL(question)'],
    ['__save_state__({})', 'name_lookup', 1, 'is a name of the engine’s own'.replace('’', "'")],
    ['x = 1\nif x\n    y', 'syntax_error', 2, 'Expected `:`'],
    ['x = [1,', 'syntax_error', 1, 'unexpected EOF'],
    ['x = 1\nraed_file(path="a")', 'name_lookup', 2, 'Did you mean read_file?'],
    ['fileRead(path="a")', 'name_lookup', 1, 'Did you mean read_file?'],
    ['json.loads("1")', 'name_lookup', 1, 'Write import json first'],
    ['print(helper_of_before)', 'name_lookup', 1, 'Names of earlier blocks are gone'],
    ['x = 1\n\nfail()', 'tool_error', 3, 'the file is missing'],
    ['1 / 0', 'runtime_error', 1, 'ZeroDivisionError: division by zero\n  1 | 1 / 0'],
    ['d = {"a": 1} | {"b": 2}', 'runtime_error', 1, 'Write {**a, **b}'],
    ['x = [1, 2]\nx[0:1] = [3]', 'runtime_error', 2, 'A slice cannot be assigned to'],
    ['x = [1, 2]\nx[0], x[1] = x[1], x[0]', 'syntax_error', 2, 'Unpack into plain names first'],
    ['import re\nre.sub("a", lambda m: "b", "a")', 'runtime_error', 2, 'Loop over re.findall'],
    ['from datetime import datetime\ndatetime.now()', 'os_denied', 2, 'Nothing outside is reached but by actions'],
    ['def f(n):\n    return f(n + 1)\nf(0)', 'resource_limit', 2, 'Write a loop with a list'],
    [
      'from datetime import date\nstate["d"] = date(2024, 1, 2)',
      'runtime_error',
      null,
      'in `state`\nOnly None, bool, int, float, str, list and dict with str keys can leave the code',
    ],
    [
      'def score(x):\n    return count(x)\nscored = score\nsorted([1, 2], key=scored)',
      'runtime_error',
      4,
      'write a for loop',
    ],
  ])('%s', async (source, category, line, text) => {
    const ran = await run(source)
    expect(ran.failure).toMatchObject({ category, line, text: expect.stringContaining(text) })
    expect(ran.saved).toBeUndefined()
  })
})
