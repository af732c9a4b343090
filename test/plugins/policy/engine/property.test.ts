import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import picomatch from 'picomatch';
import {Engine, here, makeCall, makeLine, makeRule, world} from './make.js';
import {modes, tiers, type Rule} from '#plugins/policy/dist/rule.js';
import {compileRules, matchRule} from '#plugins/policy/dist/engine/compile-rule.js';
import {literalOfGlob, literalOfRegex} from '#plugins/policy/dist/engine/gram-index.js';
import {RuleIndex} from '#plugins/policy/dist/engine/rule-index.js';
import {toStableJSON} from '#plugins/policy/dist/engine/stable-json.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);
const strictness = {allow: 0, ask: 1, deny: 2};

const word = fc.constantFrom('git', 'log', 'rm', 'ls', 'push', '-f', 'a.txt', 'cat');
const words = fc.array(word, {minLength: 1, maxLength: 3}).map((all) => all.join(' '));
const tool = fc.constantFrom('read_file', 'write_file', 'run_shell_command', 'read_*', '*');
const path = fc.constantFrom('**/.env', 'src/**', '/work/a.txt', '*.ts', '**/{a,b}/**', '**');
const conditions = fc.record(
  {
    tools: fc.array(tool, {minLength: 1, maxLength: 2}),
    command: words.map((prefix) => ({prefix})),
    path: fc.array(path, {minLength: 1, maxLength: 2}),
    args: fc.constantFrom('"file_path":"/work/a', 'git', '"command":"rm', 'x+y'),
    modes: fc.uniqueArray(fc.constantFrom(...modes), {minLength: 1}),
    interactive: fc.boolean(),
    trusted: fc.boolean(),
    effect: fc.constant(['read' as const]),
    priority: fc.integer({min: 0, max: 999}),
    sensitive: fc.boolean(),
    allowRedirection: fc.boolean(),
  },
  {requiredKeys: ['tools', 'priority']},
);
const anyRule = fc
  .tuple(conditions, fc.constantFrom(...tiers), fc.constantFrom('allow', 'ask', 'deny'))
  .map(([parts, tier, decision]): Rule => makeRule({...(parts as Partial<Rule>), tier, decision: decision}));
const overlay = anyRule.map((rule): Rule => ({
  ...rule,
  source: {...rule.source, tier: rule.priority % 2 === 0 ? 'workspace' : 'extension'},
}));
const anyLine = fc
  .array(words, {minLength: 1, maxLength: 3})
  .chain((all) =>
    fc.constantFrom(
      all.join(' && '),
      all.join(' | '),
      `${all.join('; ')} > out.txt`,
      `bash -c '${all[0] ?? ''}'`,
      `$X ${all[0] ?? ''}`,
    ),
  );
const anyCall = fc.oneof(
  anyLine.map((line) => makeLine(line)),
  fc
    .tuple(
      fc.constantFrom('read_file', 'write_file'),
      fc.constantFrom('/work/a.txt', '/work/.env', '/work/src/a/x.ts', '/work/b.ts'),
    )
    .map(([name, touched]) => makeCall(name, [touched])),
);
const circumstances = fc
  .record({mode: fc.constantFrom(...modes), interactive: fc.boolean(), trusted: fc.boolean()})
  .map((some) => ({...here, ...some}));

describe('whatever the rules are', () => {
  test('one more from an extension or a project never makes any call more permitted [policy.tighten-only]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRule, {maxLength: 12}),
        fc.array(overlay, {minLength: 1, maxLength: 3}),
        anyCall,
        circumstances,
        async (rules, added, call, around) => {
          const before = await new Engine({rules}, world).judge(call, around);
          const after = await new Engine({rules: [...rules, ...added]}, world).judge(call, around);
          expect(strictness[after.decision]).toBeGreaterThanOrEqual(strictness[before.decision]);
        },
      ),
      {numRuns: RUNS},
    );
  });

  test('the index finds every rule that matches [policy.index]', () => {
    const texts = fc.constantFrom('/work/a.txt', '/work/.env', '/work/src/a/x.ts', '/work/a/b/c', '/other/b/x');
    fc.assert(
      fc.property(
        fc.array(anyRule, {minLength: 30, maxLength: 60}),
        texts,
        words,
        fc.boolean(),
        (rules, touched, command, isUnknown) => {
          const compiled = compileRules(rules, {ignoreCase: false, home: '/home/me'});
          const subject = {
            effect: 'read',
            json: `{"command":"${command}","file_path":"${touched}"}`,
            root: '/work',
            path: {value: touched, root: touched.startsWith('/work') ? '/work' : undefined},
            command: {
              text: command,
              words: command.split(' ').map((raw, index) => ({raw, value: isUnknown && index === 1 ? undefined : raw})),
            },
          };
          const found = new Set(new RuleIndex(compiled).find(subject));
          expect(compiled.filter((rule) => matchRule(rule, subject) !== 'no' && !found.has(rule))).toEqual([]);
        },
      ),
      {numRuns: RUNS},
    );
  });
});

test('every path that a glob matches contains its literal [policy.index]', () => {
  const part = fc.constantFrom(
    '**',
    '*',
    'src',
    '.env',
    '*.ts',
    '{a,b}',
    '[ab]',
    'x?z',
    '+(a|b)',
    '!(c)',
    'a+b',
    '\\*',
    'node_modules',
  );
  const name = fc.constantFrom('src', '.env', 'x.ts', 'a', 'b', 'xyz', 'a+b', '*', 'node_modules', 'abab');
  fc.assert(
    fc.property(
      fc.array(part, {minLength: 1, maxLength: 5}),
      fc.array(name, {minLength: 1, maxLength: 6}),
      (parts, names) => {
        const [glob, text] = [`/${parts.join('/')}`, `/${names.join('/')}`];
        if (picomatch(glob, {dot: true})(text)) expect(text).toContain(literalOfGlob(glob));
      },
    ),
    {numRuns: RUNS * 20},
  );
});

test('every text that a pattern matches contains its literal [policy.index]', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'abc',
    '.',
    '.*',
    'b+',
    'c?',
    '[ab]',
    '(x|a)',
    '(?:b)',
    '\\.',
    '\\d',
    'a{2}',
    'b{0,1}',
    '$',
    '^',
    '|',
    '\\x61',
    '(?=a)',
  );
  fc.assert(
    fc.property(
      fc.array(piece, {maxLength: 6}),
      fc.array(fc.constantFrom('a', 'b', 'c', '.', '1', 'x'), {maxLength: 10}),
      (pieces, letters) => {
        const [source, text] = [pieces.join(''), letters.join('')];
        if (new RegExp(source).test(text)) expect(text).toContain(literalOfRegex(source));
      },
    ),
    {numRuns: RUNS * 20},
  );
});

describe('stable JSON', () => {
  test.each([
    [{b: 1, a: 'x'}, '{\0"a":"x"\0,\0"b":1\0}'],
    [{a: {d: 1, c: [2, undefined]}, u: undefined}, '{\0"a":{"c":[2,null],"d":1}\0}'],
    [{when: new Date(0)}, '{\0"when":"1970-01-01T00:00:00.000Z"\0}'],
    ['text', '"text"'],
    [undefined, 'null'],
  ])('of %j is %j [policy.stable-json]', (value, text) => {
    expect(toStableJSON(value)).toBe(text);
  });

  test('does not depend on the order of keys, and stands circles [policy.stable-json]', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(toStableJSON(Object.fromEntries(Object.entries(value).reverse()))).toBe(toStableJSON(value));
      }),
    );
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(toStableJSON(circle)).toBe('{\0"self":"[Circular]"\0}');
  });
});
