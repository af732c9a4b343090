import type {Effect, Touch} from '@gemini-kernel/kernel';
import type {Circumstances, Judged} from './engine/judge-part.js';
import {meansTool} from './engine/tool-pattern.js';
import {modes, type Rule} from './rule.js';
import {pathsOfGlob, textsOfRegex} from './sample-texts.js';

/** A call together with what it is judged under. */
export interface Sample {
  readonly call: Judged;
  readonly circumstances: Circumstances;
}

interface World {
  readonly root: string;
  readonly home: string;
  /** Tools that are installed, with what they do. */
  readonly tools: ReadonlyMap<string, Effect>;
}

type Input = Readonly<Record<string, unknown>>;
type Who = Pick<Judged, 'server' | 'subagent' | 'annotations'>;

const SHELL = 'run_shell_command';

/**
 * Calls on both sides of the conditions of each rule: what it means, a little more, a little less; in every mode, with
 * and without a person, where trusted and not.
 */
export function* sampleCalls(rules: readonly Rule[], world: World): Generator<Sample> {
  const seen = new Set<string>();
  for (const rule of rules) {
    for (const root of rootsOf(rule, world)) {
      for (const call of callsOf(rule, {...world, root})) {
        const key = JSON.stringify([root, call, rule.caller ?? null]);
        if (seen.has(key)) continue;
        seen.add(key);
        for (const mode of modes)
          for (const interactive of [true, false])
            for (const trusted of [true, false])
              for (const caller of callersOf(rule))
                yield {call, circumstances: {mode, interactive, trusted, roots: [root], ...caller}};
      }
    }
  }
}

function rootsOf({workspaceRoot = []}: Rule, {root}: World): readonly string[] {
  return [...new Set([root, ...workspaceRoot.flatMap(pathsOfGlob).filter((path) => path.startsWith('/'))])];
}

function* callsOf(rule: Rule, world: World): Generator<Judged> {
  const paths = (rule.path ?? []).flatMap((glob) => pathsOfGlob(glob)).map((path) => locate(path, world));
  for (const tool of toolsOf(rule, world)) {
    for (const who of whoOf(rule)) {
      if (tool === SHELL) {
        for (const input of linesOf(rule, paths))
          yield {
            tool,
            effect: 'execute',
            ...who,
            input,
            touches: [{kind: 'command', value: input.command, access: 'run', directory: world.root}],
          };
        continue;
      }
      for (const effect of world.tools.has(tool)
        ? [world.tools.get(tool) ?? 'other']
        : (rule.effect ?? (['other'] as const))) {
        for (const [input, touches] of inputsOf(rule, {paths, effect, readme: locate('README.md', world)}))
          yield {tool, effect, ...who, input, touches};
      }
    }
  }
}

/** The tools that a rule names or leaves out, and for a pattern those that are installed and one that is not. */
function toolsOf({tools, except = []}: Rule, world: World): readonly string[] {
  return [
    ...new Set(
      [...tools, ...except].flatMap((pattern) =>
        pattern.includes('*')
          ? [...[...world.tools.keys()].filter((name) => meansTool(pattern, [name])), pattern.replaceAll('*', 'x')]
          : [pattern],
      ),
    ),
  ];
}

/** A caller that the rule means, and none. */
function callersOf({caller}: Rule): readonly Pick<Circumstances, 'caller'>[] {
  return caller === undefined ? [{}] : [{}, {caller: caller.replaceAll('*', 'x')}];
}

function* whoOf({server, subagent, annotations}: Rule): Generator<Who> {
  const servers = server === undefined ? [{}] : [{server: server === '*' ? 'server' : server}, {}];
  const subagents = subagent === undefined ? [{}] : [{subagent}, {}];
  const marks = annotations === undefined ? [{}] : [annotations, {}];
  for (const one of servers)
    for (const other of subagents) for (const mark of marks) yield {...one, ...other, annotations: mark};
}

function* inputsOf(
  {args}: Rule,
  {paths, effect, readme}: {readonly paths: readonly string[]; readonly effect: Effect; readonly readme: string},
): Generator<readonly [Input, readonly Touch[]]> {
  const access = effect === 'read' || effect === 'search' ? 'read' : 'write';
  const given: readonly Input[] =
    args === undefined ? [{}] : [...textsOfRegex(args).flatMap((text) => readInput(text, 'file_path')), {}];
  for (const input of given) {
    yield [input, []];
    for (const path of [...paths, readme]) yield [{file_path: path, ...input}, [{kind: 'path', value: path, access}]];
  }
}

/** Shell lines that a rule may speak about. */
function* linesOf({command, args}: Rule, paths: readonly string[]): Generator<Input & {readonly command: string}> {
  for (const path of paths) for (const line of [`cat ${path}`, `echo x > ${path}`]) yield {command: line};
  const texts = textsOf(command);
  const given: readonly Input[] =
    args === undefined ? [{}] : [...textsOfRegex(args).flatMap((text) => readInput(text, 'command')), {}];
  for (const input of given) {
    const lines = typeof input['command'] === 'string' && !command ? [input['command']] : texts;
    for (const line of lines) for (const end of ['', ' x', ' > out.txt']) yield {...input, command: `${line}${end}`};
    if (command && 'pattern' in command) for (const line of lines) yield {...input, command: `x ${line}`};
  }
}

function textsOf(command: Rule['command']): readonly string[] {
  if (!command) return ['x'];
  if ('pattern' in command) return textsOfRegex(command.pattern);
  const {prefix} = command;
  return [prefix, `${prefix} --force x`, prefix.split(' ')[0] ?? ''];
}

/** Inputs in whose JSON a text stands; one that is no pair of a key and a value becomes the value of `key`. */
function readInput(text: string, key: string): readonly Input[] {
  const plain = text.replaceAll('\0', '');
  const [, name, rest] = /"([^"]+)":(.*)$/s.exec(plain) ?? [];
  if (name === undefined || rest === undefined) return plain === '' ? [] : [{[key]: plain}];
  const [, quoted] = /^"((?:[^"\\]|\\.)*)/s.exec(rest) ?? [];
  if (quoted !== undefined) return [{[name]: unescape(quoted)}, {[name]: `${unescape(quoted)}x`}];
  return [{[name]: parse(rest) ?? rest}];
}

function unescape(quoted: string): string {
  const value = parse(`"${quoted}"`);
  return typeof value === 'string' ? value : quoted;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No whole JSON value; the caller takes it as text.
    return undefined;
  }
}

function locate(path: string, {root, home}: World): string {
  if (path.startsWith('~/')) return `${home}${path.slice(1)}`;
  return /^(?:\/|[a-z]:)/i.test(path) ? path : `${root}/${path.replace(/^\.\//, '')}`;
}
