import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ShellKind, TemplatePart} from '@gemini-kernel/plugin-custom-commands/contract';
import {composeCommand} from '#plugins/custom-commands/dist/template/compose-command.js';
import {splitWords} from '#plugins/custom-commands/dist/template/find-arguments.js';
import {parseTemplate} from '#plugins/custom-commands/dist/template/parse-template.js';
import {createRandom} from './random.js';

function compose(line: string, given: string, shell: ShellKind = 'bash'): string {
  const [part] = parseTemplate(`!{${line}}`, shell);
  if (part?.kind !== 'shell') throw new Error(`${line} is not a command.`);
  return composeCommand(part.pieces, given, shell);
}

/** Why a line cannot have arguments, with the place. */
function faultOf(line: string, shell: ShellKind = 'bash'): string | undefined {
  try {
    compose(line, 'x', shell);
    return undefined;
  } catch (error) {
    const {name, message, offset} = error as Error & {readonly offset: number};
    return name === 'TemplateFault' ? `${offset}: ${message}` : String(error);
  }
}

test('a prompt is split once into text, arguments, files and shell commands [commands.parts]', () => {
  const parts: readonly TemplatePart[] = [
    {kind: 'text', text: 'See '},
    {kind: 'arguments'},
    {kind: 'text', text: ' and '},
    {kind: 'arguments', position: 2},
    {kind: 'text', text: ': '},
    {kind: 'file', path: 'a {b} c.txt', source: '@{ a {b} c.txt }'},
    {
      kind: 'shell',
      pieces: [
        {kind: 'text', text: '{ echo '},
        {kind: 'arguments', quotes: 'none'},
        {kind: 'text', text: '; }; echo @{x}'},
      ],
      source: '!{{ echo {{args}}; }; echo @{x}}',
    },
    {kind: 'text', text: ' {{arg}} } ! @'},
  ];
  const text = 'See {{args}} and {{args.2}}: @{ a {b} c.txt }!{{ echo {{args}}; }; echo @{x}}!{ } {{arg}} } ! @';
  expect(parseTemplate(text, 'bash')).toEqual(parts);
  expect(parseTemplate('Hi !{{args}}', 'bash').at(-1)).toMatchObject({kind: 'shell', source: '!{{args}}'});
});

test('a placeholder that is not closed, or names no file, is a fault with its place [commands.broken]', () => {
  const offsetOf = (text: string): unknown => {
    try {
      return parseTemplate(text, 'bash');
    } catch (error) {
      return (error as {readonly offset: number}).offset;
    }
  };
  expect(['a !{echo {', 'ab @{x', '{{args}} @{ }'].map(offsetOf)).toEqual([2, 3, 9]);
});

test('words of arguments are split as a shell would [commands.parts]', () => {
  expect(splitWords(`one "two words" 'th''ree' fo\\ ur "a\\"b" it's`)).toEqual([
    'one',
    'two words',
    'three',
    'fo ur',
    'a"b',
    "it's",
  ]);
  expect(compose('echo {{args.2}} {{args.3}}', 'a "b c"')).toBe("echo 'b c' ");
});

/** Programs that print each argument with a zero byte after it; `$` stands for the text around. */
const lines = [
  "printf '%s\\0' {{args}}",
  'printf \'%s\\0\' "{{args}}"',
  "printf '%s\\0' '{{args}}'",
  'printf "%s\\0" x{{args}}y',
  'printf \'%s\\0\' "x $HOME ${PATH}{{args}} y"',
  "printf '%s\\0' 'x \"{{args}}\" y'",
  'printf \'%s\\0\' "$(printf \'%s.\' "{{args}}")"',
  'a={{args}}; printf \'%s\\0\' "$a"',
  "a=\"{{args}}\" b='{{args}}'; printf '%s\\0' \"$a$b\" # it's a comment",
  "if true; then printf '%s\\0' {{args}}; fi",
  'for a in {{args}} {{args}}; do printf \'%s\\0\' "$a"; done',
  "cat <<< {{args}} > /dev/null 2>&1; printf '%s\\0' `true` $'a\\'b' {{args}}",
  "(cd . && printf '%s\\0' {{args}} | cat)",
] as const;
const wholes: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => `x${text}y`,
  (text) => `x /home P${text} y`,
  (text) => `x "${text}" y`,
  (text) => `${text}.`,
  (text) => text,
  (text) => text + text,
  (text) => text,
  (text) => `${text}\0${text}`,
  (text) => (text === '' ? "a'b" : `a'b\0${text}`),
  (text) => text,
];
const letters = [
  ...["'", '"', '\\', '`', '$', '\n', '\r', '\t', ' ', ';', '&', '|', '(', ')', '{', '}', '<', '>', '#', '!', '*', '?'],
  ...[
    '~',
    '-',
    '--',
    '-e',
    '=',
    '%s',
    '\u00e9',
    '\ud83d\ude00',
    '\u2019',
    '\u00a0',
    '$(touch canary)',
    '`touch canary`',
  ],
  ...[';touch canary;', '\ntouch canary\n', '{{args}}', '!{touch canary}', '@{canary}', "'$(touch canary)'", '${HOME}'],
  ...[
    '"$(touch canary)"',
    "$'x'",
    '\\\n',
    '<<E',
    '&& touch canary',
    '| touch canary',
    'word',
    '$((1+1))',
    '[[',
    'a[0]',
  ],
];

test('no argument of 300 becomes a command of a real bash, in any quotes [commands.quoted]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-quotes-'));
  const next = createRandom(20261123);
  const cases = Array.from({length: 300}, (_, index) => {
    const given = Array.from({length: next(9)}, () => letters[next(letters.length)]).join('');
    const which = index % lines.length;
    // Without arguments a bare placeholder is nothing, as in Gemini CLI.
    return {which, given: given === '' ? 'x' : given};
  });
  const script = cases.map(({which, given}) => compose(lines[which] ?? '', given)).join('\n');
  await writeFile(join(folder, 'script'), `${script}\n`);
  const env = {PATH: process.env['PATH'] ?? '', HOME: '/home', LANG: 'C.UTF-8'};
  const wanted = cases.map(({which, given}) => `${wholes[which]?.(given) ?? ''}\0`).join('');
  // The line with variables prints the whole PATH.
  const printed = execFileSync('bash', ['--norc', 'script'], {cwd: folder, env, maxBuffer: 1 << 24}).toString();
  expect(printed.replaceAll(env.PATH, 'P')).toBe(wanted.replaceAll(env.PATH, 'P'));
  expect(existsSync(join(folder, 'canary'))).toBe(false);
  await rm(folder, {recursive: true});
});

test('without arguments a placeholder is nothing [commands.quoted]', () => {
  expect(compose('git log {{args}} -n 1', '')).toBe('git log  -n 1');
  expect(compose('echo "{{args}}"', '')).toBe('echo ""');
  expect(() => compose('echo {{args}}', 'a\0b')).toThrow(expect.objectContaining({code: 'CUSTOM_COMMAND_INVALID'}));
});

describe('where arguments could become a command, a template is refused [commands.quoted]:', () => {
  const refused = [
    ...['{{args}}', 'echo a; {{args}}', 'a=1 {{args}}', 'if {{args}}; then :; fi', '! {{args}}', 'true && {{args}} x'],
    ...['echo "$({{args}})"', '({{args}})', 'echo <({{args}})', 'sudo -n {{args}}', 'find . | xargs {{args}}'],
    ...['find . -exec {{args}}', 'env A=1 {{args}}', 'eval {{args}}', 'eval "echo {{args}}"', 'ssh host {{args}}'],
    ...['bash -c {{args}}', 'bash -c "echo {{args}}"', 'python3 -c {{args}}', 'node -e "{{args}}"', '. {{args}}'],
    ...['awk {{args}} f', "sed -n '{{args}}'", 'trap {{args}} EXIT', 'printf {{args}}', 'printf -v {{args}} x'],
    ...['test -v {{args}}', 'export {{args}}', 'declare -i n={{args}}', '[[ {{args}} ]]', '(( {{args}} ))'],
    ...['echo $(( {{args}} ))', 'echo $[ {{args}} ]', 'echo ${x:-{{args}}}', "echo $'{{args}}'", 'echo ${{args}}'],
    ...['echo "${{args}}"', 'echo \\{{args}}', 'echo "\\{{args}}"', 'echo `echo {{args}}`', '# {{args}}'],
    ...[
      'cat <<E\n{{args}}\nE',
      'cat <<E {{args}}\nE',
      'case {{args}} in x) ;; esac',
      'echo "{{args}}',
      "echo it's {{args}}",
    ],
    ...['echo "$(case x in x) echo {{args}};; esac)"', 'echo )) {{args}}', 'read {{args}}', "'eval' {{args}}"],
  ];
  test.each(refused)('%s', (line) => {
    expect(faultOf(line)).toMatch(/^\d+: /);
  });

  const accepted = [
    ...['git log -n 1 -- {{args}}', 'echo "$(git log {{args}})"', 'a=1 b={{args}} env', 'python3 tool.py --x {{args}}'],
    ...['python3 -m pytest {{args}}', "awk '{print $1}' {{args}}", 'find . -name "*{{args}}*" | xargs grep -l x'],
    ...[
      '/usr/bin/env A=1 grep {{args}} .',
      'timeout 5 grep {{args}} .',
      'export A={{args}}',
      '[ {{args}} = x ] && echo y',
    ],
    ...['echo a > {{args}} 2>&1', 'cat <<< {{args}}', '"$HOME/bin/tool" {{args}}', 'cd x && npm run y -- {{args}}'],
  ];
  test.each(accepted)('but not in %s', (line) => {
    expect(faultOf(line)).toBeUndefined();
  });

  test('with the place and the reason', () => {
    expect(faultOf('echo a; {{args}}')).toBe('10: {{args}} stands where the shell expects the name of a command');
    expect(faultOf('cat <<E\n{{args.1}}\nE')).toBe(
      '10: {{args.1}} comes after a here-document, where it cannot be quoted',
    );
  });
});

describe('PowerShell', () => {
  test('gets arguments in its own quotes, typographic ones included [commands.powershell]', () => {
    const given = 'it\u2019s $(x) `a "q" \u201cz\u201d \'';
    expect(compose('echo {{args}}', given, 'powershell')).toBe("echo 'it\u2019\u2019s $(x) `a \"q\" \u201cz\u201d '''");
    expect(compose('echo "a {{args}}"', given, 'powershell')).toBe(
      'echo "a it\u2019s `$(x) ``a `"q`" `\u201cz`\u201d \'"',
    );
    expect(compose("echo 'a {{args}}'", given, 'powershell')).toBe(
      "echo 'a it\u2019\u2019s $(x) `a \"q\" \u201cz\u201d '''",
    );
    expect(compose('git log {{args.1}} | sort -Top {{args.2}}', 'a b', 'powershell')).toBe(
      "git log 'a' | sort -Top 'b'",
    );
  });

  const refused = [
    ...['{{args}}', '& {{args}}', 'echo a; {{args}}', 'echo a | {{args}}', 'iex {{args}}', '. {{args}}'],
    ...['echo "$({{args}})"', 'echo $({{args}})', "echo @'\n{{args}}\n'@", 'echo a # {{args}}', 'echo `{{args}}'],
    ...['echo ${{args}}', 'cmd /c {{args}}', 'echo "{{args}}', 'echo --% {{args}}', '& { {{args}} }'],
  ];
  test.each(refused)('refuses %s [commands.powershell]', (line) => {
    expect(faultOf(line, 'powershell')).toMatch(/^\d+: /);
  });
});
