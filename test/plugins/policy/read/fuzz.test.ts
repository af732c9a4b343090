import {readdir, readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {readRules} from '#plugins/policy/dist/read/read-rules.js';
import {renderProblem} from '#plugins/policy/dist/read/diagnose.js';

const folder = dirname(createRequire(import.meta.url).resolve('@gemini-kernel/policies/package.json'));
const texts = await Promise.all(
  (await readdir(folder)).filter((name) => name.endsWith('.toml')).map((name) => readFile(join(folder, name), 'utf8')),
);
/** More for a long run: RULE_FUZZ_RUNS=100000. */
const numRuns = Number(process.env['RULE_FUZZ_RUNS'] ?? 400);

/** Reads a text, looks at what comes of it, and gives it. */
function readAny(text: string, tier: 'user' | 'workspace' = 'user'): ReturnType<typeof readRules> {
  const started = performance.now();
  const set = readRules(text, {tier, file: '/f.toml', label: 'F', knownTools: ['read_file']});
  expect(performance.now() - started).toBeLessThan(2000);
  const lines = text.split('\n').length;
  for (const problem of set.problems) {
    expect(renderProblem(problem)).toMatch(/^\/f\.toml:\d+:\d+ (?:error|warning) [^]+\.(?:\n {2}|$)/);
    expect(problem.line).toBeLessThanOrEqual(lines);
  }
  for (const {priority, decision, tools, command, args} of set.rules) {
    expect([
      priority >= 0 && priority <= 999 && Number.isInteger(priority),
      ['allow', 'ask', 'deny'].includes(decision),
      tools.length > 0,
    ]).toEqual([true, true, true]);
    for (const pattern of [args, command && 'pattern' in command ? command.pattern : undefined])
      if (pattern !== undefined) new RegExp(pattern);
  }
  if (tier === 'workspace') expect(set.rules.filter(({decision}) => decision === 'allow')).toEqual([]);
  return set;
}

const word = fc.constantFrom(
  '[[rule]]',
  '[[rules]]',
  '[rules.condition]',
  '[rules.action]',
  '[[safety_checker]]',
  '[safety_checker.checker]',
  'toolName',
  'mcpName',
  'argsPattern',
  'commandPrefix',
  'commandRegex',
  'command_pattern',
  'path_pattern',
  'path',
  'modes',
  'effect',
  'decision',
  'type',
  'priority',
  ' = ',
  ' = "',
  '"',
  "'",
  '"""',
  '\n',
  '\n',
  '\n',
  '[',
  ']',
  '{',
  '}',
  ',',
  '.',
  '"*"',
  '"deny"',
  '"allow"',
  '"ask_user"',
  '"read_file"',
  '"(a+)+"',
  '"("',
  '["x", 5]',
  'true',
  '-1',
  '1e400',
  '0x1F',
  'nan',
  '1979-05-27',
  '#',
  '\\',
  '\u0000',
  'ü',
  '__proto__',
  'constructor',
  'hasOwnProperty',
);

describe('the reader of rule files never throws and always ends', () => {
  test('for text that resembles rules', () => {
    fc.assert(
      fc.property(
        fc.array(word, {maxLength: 60}).map((words) => words.join('')),
        fc.constantFrom('user' as const, 'workspace' as const),
        (text, tier) => void readAny(text, tier),
      ),
      {numRuns: numRuns * 3},
    );
  });

  test('for entries with any keys and values', () => {
    const key = fc.constantFrom(
      'toolName',
      'tool',
      'mcpName',
      'argsPattern',
      'commandPrefix',
      'commandRegex',
      'path',
      'modes',
      'effect',
      'decision',
      'action',
      'condition',
      'priority',
      'interactive',
      'sensitive',
      'checker',
      'type',
      'name',
      'config',
      'toolAnnotations',
      'except',
      'message',
      'constructor',
      '__proto__',
      'toString',
      'tolName',
    );
    const value = fc.constantFrom(
      '"x"',
      '""',
      '"*"',
      '5',
      '-0',
      'true',
      '[]',
      '["", 1]',
      '["a", "b"]',
      '{}',
      '{type = "deny"}',
      '{tool = "x", extra = 1}',
      '1.5',
      'inf',
      '07:32:00',
      '[[[]]]',
      '"allow"',
      '"deny"',
      '"["',
      '"**/a"',
      "'''a\nb'''",
    );
    const entry = fc
      .tuple(
        fc.constantFrom('[[rule]]', '[[rules]]', '[[safety_checker]]', '[[safety_checkers]]'),
        fc.uniqueArray(fc.tuple(key, value), {selector: ([name]) => name, maxLength: 6}),
      )
      .map(([header, pairs]) => `${header}\n${pairs.map(([name, one]) => `${name} = ${one}`).join('\n')}\n`);
    fc.assert(
      fc.property(
        fc.array(entry, {maxLength: 3}),
        fc.constantFrom('user' as const, 'workspace' as const),
        (entries, tier) => void readAny(entries.join('\n'), tier),
      ),
      {numRuns: numRuns * 3},
    );
  });

  test('for the files of the product with something changed', () => {
    const change = fc.record({
      at: fc.double({min: 0, max: 1, noNaN: true}),
      remove: fc.nat(30),
      insert: fc.oneof(word, fc.string({maxLength: 4}), fc.string({unit: 'binary', maxLength: 3})),
    });
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(change, {minLength: 1, maxLength: 4}), (text, changes) => {
        const changed = changes.reduce(
          (all, {at, remove, insert}) =>
            all.slice(0, Math.floor(at * all.length)) + insert + all.slice(Math.floor(at * all.length) + remove),
          text,
        );
        readAny(changed);
      }),
      {numRuns},
    );
  });
});

describe('a rule that restricts', () => {
  // Each on a line of its own; the decision is never touched.
  const conditions = fc.subarray(
    [
      'commandPrefix = "rm"',
      'argsPattern = "a.*b"',
      'modes = ["default", "yolo"]',
      'interactive = true',
      'path = ["**/.env"]',
      'effect = ["edit"]',
      'subagent = "x"',
      'toolAnnotations = {a = 1}',
      'workspaceRoot = "/w"',
      'trusted = true',
      'sensitive = true',
      'priority = 900',
      'message = "no"',
      'except = ["glob"]',
      'mcpName = "s"',
    ],
    {minLength: 1},
  );

  test('never becomes one that allows, and is lost only with its whole file, whatever happens to one of its keys', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('deny', 'ask_user'),
        conditions,
        fc.nat(),
        fc.double({min: 0, max: 1, noNaN: true}),
        fc.nat(6),
        fc.oneof(word, fc.string({maxLength: 3})),
        (decision, lines, which, at, remove, insert) => {
          const changed = lines.map((line, index) => {
            if (index !== which % lines.length) return line;
            const from = Math.floor(at * line.length);
            return line.slice(0, from) + insert + line.slice(from + remove);
          });
          // Excludes changes that begin another rule, and changes that write "allow" or a decision themselves.
          fc.pre(!changed.some((line) => /\n|"allow"|decision|action|type/.test(line)));
          const set = readAny(
            `[[rule]]\ndecision = "${decision}"\ntoolName = ["run_shell_command", ` +
              `"write_file"]\n${changed.join('\n')}\n`,
          );
          if (set.rules.length === 0)
            expect(
              set.problems.some(
                ({severity, message}) => severity === 'error' && message.startsWith('The file is not TOML'),
              ),
            ).toBe(true);
          expect(set.rules.filter((rule) => rule.decision === 'allow')).toEqual([]);
        },
      ),
      {numRuns: numRuns * 2},
    );
  });
});
