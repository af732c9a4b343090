import {normalize} from 'node:path/posix';
import {reader} from '../bash/judge.js';
import type {Circumstances, Judged, World} from '#plugins/policy/dist/engine/judge-part.js';
import type {Decision, Rule, Tier} from '#plugins/policy/dist/rule.js';
import {emptyDisk} from '#plugins/policy/dist/engine/disk.js';

export const {Engine} = await import('#plugins/policy/dist/engine/engine.js');

let count = 0;

/** A rule of the user about everything, but for what is said. */
export function makeRule(parts: Partial<Omit<Rule, 'source'>> & {readonly tier?: Tier} = {}): Rule {
  const {tier = 'user', ...rest} = parts;
  count += 1;
  return {
    id: `rule-${count}`,
    source: {tier, label: `${tier}: test.toml:${count}`},
    decision: 'allow',
    priority: 100,
    tools: ['*'],
    allowRedirection: false,
    sensitive: false,
    ...rest,
  };
}

export const here: Circumstances = {mode: 'default', interactive: true, trusted: true, roots: ['/work']};
export const world: World = {
  platform: 'linux',
  home: '/home/me',
  openShellReader: () => Promise.resolve(reader),
  realPaths: (paths) => Promise.resolve(paths.map(normalize)),
  disk: emptyDisk,
};

/** A call of a tool that touches paths. */
export function makeCall(tool: string, paths: readonly string[] = [], parts: Partial<Judged> = {}): Judged {
  const effect = tool === 'read_file' ? 'read' : 'edit';
  return {
    tool,
    effect,
    annotations: {},
    input: paths[0] ? {file_path: paths[0]} : {},
    touches: paths.map((value) => ({kind: 'path', value, access: effect === 'read' ? 'read' : 'write'})),
    ...parts,
  };
}

/** A call of the shell tool. */
export function makeLine(command: string, directory = '/work'): Judged {
  return {
    tool: 'run_shell_command',
    effect: 'execute',
    annotations: {},
    input: {command},
    touches: [
      {kind: 'path', value: directory, access: 'read'},
      {kind: 'command', value: command, access: 'run', directory},
    ],
  };
}

/** What rules decide about a call. */
export async function decide(
  rules: readonly Rule[],
  call: Judged,
  circumstances: Partial<Circumstances> = {},
): Promise<Decision> {
  return (await new Engine({rules}, world).judge(call, {...here, ...circumstances})).decision;
}
