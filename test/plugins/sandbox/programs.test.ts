import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {script, until} from '../mcp/scene.js';
import {openSandbox, testConfined} from './open-sandbox.js';

const CANARY = 'CANARY-gemini-leak';
/** What a program tries before it does its work: it writes what it got into the folder that it may write. */
const TRIES = '(cat ~/secret .env; ls ~; echo x > ../beside; cat /proc/1/environ) > tried.txt 2>&1';

/** A kernel with programs of this kind, in the sandbox or not. */
function open(
  settings: object,
  programs: readonly string[],
  further: readonly string[],
  rules = '',
): Promise<TestKernel> {
  return openSandbox({
    live: true,
    plugins: [
      'settings',
      'trust',
      'env',
      'network',
      'workspace',
      'secrets',
      'policy',
      'filesystem',
      'sandbox',
      ...further,
    ].map(pluginRoot),
    // A checkout below /tmp is not seen from inside, a file of the project is.
    files: {'.env': CANARY, 'a.txt': 'text', 'server.mjs': readFileSync(script)},
    homeFiles: {
      secret: CANARY,
      '.gemini/settings.json': JSON.stringify({...settings, tools: {sandboxPrograms: programs}}),
      '.gemini/policies/mine.toml': rules,
    },
  });
}

/** Whether what it tried got out, once it ran. */
function hasLeaked(kernel: TestKernel): boolean {
  const text = readFileSync(join(kernel.project, 'tried.txt'), 'utf8');
  return text.includes(CANARY) || existsSync(join(kernel.project, '..', 'beside'));
}

testConfined.each([
  [['command', 'hook'], false],
  [['command'], true],
])(
  'hooks reach what commands reach, where they are confined: %j leaks %s [sandbox.programs]',
  async (programs, leaks) => {
    const hook = {
      type: 'command',
      command: `cat >/dev/null; ${TRIES}; printf '{"decision": "block", "reason": "looked"}'`,
    };
    await using kernel = await open({hooks: {BeforeTool: [{hooks: [hook]}]}}, programs, ['agent', 'hooks']);
    const outcome = await kernel.call('read_file', {file_path: 'a.txt'});
    expect(outcome).toMatchObject({status: 'refused', reason: expect.stringContaining('looked')});
    expect(hasLeaked(kernel)).toBe(leaks);
  },
);

testConfined.each([
  [['server'], false],
  [[], true],
])(
  'MCP servers reach what commands reach, where they are confined: %j leaks %s [sandbox.programs]',
  async (programs, leaks) => {
    const server = {
      command: '/bin/sh',
      args: ['-c', `${TRIES}; exec "$0" "$@"`, process.execPath, 'server.mjs', 'echo'],
    };
    await using kernel = await open({mcpServers: {one: server}}, programs, ['mcp']);
    await until(async () => (await kernel.session.tools()).some(({name}) => name === 'mcp_one_echo'));
    const outcome = await kernel.call('mcp_one_echo', {text: 'hello'});
    expect(JSON.stringify(outcome)).toContain('hello');
    expect(hasLeaked(kernel)).toBe(leaks);
  },
);

testConfined.each([
  [['checker'], 'reads nothing and writes nothing'],
  [['command'], `got ${CANARY}`],
])('checkers are confined as in plan mode: %j %s [sandbox.programs]', async (programs, expected) => {
  const words = `cat >/dev/null; echo x > made 2>/dev/null; got=$(cat ../home/secret 2>/dev/null); [ -e made ] || [ -n "$got" ] || got=none
    [ "$got" = none ] && say="reads nothing and writes nothing" || say="got $got"
    printf '{"decision": "deny", "reason": "%s"}' "$say"`;
  const rules = `[[safety_checker]]\ntoolName = "read_file"\n[safety_checker.checker]\ntype = "external"\nname = "look"\n`;
  const settings = {security: {checkers: {look: {command: '/bin/sh', args: ['-c', words]}}}};
  await using kernel = await open(settings, programs, [], rules);
  const outcome = await kernel.call('read_file', {file_path: 'a.txt'});
  expect(outcome).toMatchObject({status: 'refused', reason: expect.stringContaining(expected)});
});
