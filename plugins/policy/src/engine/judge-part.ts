import type {Touch, ToolCall} from '@gemini-kernel/kernel';
import type {ShellReader} from '../bash/analysis.js';
import {isOpen} from '../bash/shape.js';
import type {Decision, Mode, Rule} from '../rule.js';
import type {JudgedCommand} from './command-match.js';
import type {Subject} from './compile-rule.js';
import type {Disk} from './disk.js';
import {isBelow, type PathSystem, type PlacedPath} from './path-pattern.js';
import {toStableJSON} from './stable-json.js';
import type {Selection} from './selection.js';
import {stricter, walkRules, walkSensitive, type Finding, type Witness} from './walk.js';

/** What is judged of a call. */
export type Judged = Pick<ToolCall, 'tool' | 'effect' | 'annotations' | 'input' | 'touches' | 'server' | 'subagent'>;

/** What a judgement depends on besides the call and the rules. */
export interface Circumstances {
  readonly mode: Mode;
  readonly interactive: boolean;
  readonly trusted: boolean;
  /** The other program that the session works for. */
  readonly caller?: string | undefined;
  /** Whether commands run in a sandbox. */
  readonly sandboxed?: boolean;
  /** Real paths of the workspace's roots. */
  readonly roots: readonly string[];
}

/** What the engine asks of the world. */
export interface World {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  openShellReader(): Promise<ShellReader>;
  /** The real paths of absolute ones, in order. */
  realPaths(paths: readonly string[]): Promise<readonly string[]>;
  readonly disk: Disk;
  /** The variables that commands start with, as far as they are known. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** One part of a call and what was found about it. */
export interface JudgedPart {
  /** `call`, a path, or a command. */
  readonly what: string;
  readonly finding: Finding;
  /** It is a command of a line, or what could be one. */
  readonly isCommand?: true;
  /** That command. */
  readonly command?: JudgedCommand;
  /** Said instead of naming a rule. */
  readonly reason?: string;
}

/** What one judgement works with. */
export interface Work {
  readonly call: Judged;
  readonly circumstances: Circumstances;
  readonly selection: Selection;
  /** The workspace root that counts for what names no path. */
  readonly root: string | undefined;
  /** What holds when no rule speaks. */
  readonly fallback: Decision;
  readonly world: World;
  readonly strengthOf: (rule: Rule) => number;
  readonly witness: Witness | undefined;
}

/** What globs mean in this world. */
export function systemOf({platform, home}: Pick<World, 'platform' | 'home'>): PathSystem {
  return {ignoreCase: platform === 'darwin' || platform === 'win32', home: home.replaceAll('\\', '/')};
}

/** The path as rules see it. */
export function place(path: string, roots: readonly string[]): PlacedPath {
  const value = path.replaceAll('\\', '/');
  const root = roots.map((one) => one.replaceAll('\\', '/')).find((one) => isBelow(value, one));
  return isOpen(value) ? {value, root, isShape: true} : {value, root};
}

/** A call as rules see it: once for each path that it touches, or once as a whole. */
export function subjectsOf(
  {effect, input, touches}: Pick<Judged, 'effect' | 'input' | 'touches'>,
  {roots}: Pick<Circumstances, 'roots'>,
): readonly Subject[] {
  let json: string | undefined;
  const paths = touches.filter(({kind}) => kind === 'path').map(({value}) => place(value, roots));
  return (paths.length > 0 ? paths : [undefined]).map((path) => ({
    effect,
    root: roots[0],
    ...(path ? {path} : {}),
    get json() {
      return (json ??= toStableJSON(input));
    },
  }));
}

/** A path of a command counts by what is done to it. */
export function effectOf({access}: Pick<Touch, 'access'>): string {
  return access === 'write' ? 'edit' : 'read';
}

/** What ordinary rules say, and sensitive ones that they do not lift. */
export function judgeSubject({selection, fallback, strengthOf, witness}: Work, subject: Subject): Finding {
  const ordinary = walkRules(selection.ordinary, subject, fallback, witness);
  const base = ordinary.base && {rule: ordinary.base, strength: strengthOf(ordinary.base)};
  const sensitive = walkSensitive(selection.sensitive, subject, base, witness);
  return {...stricter(ordinary, sensitive), base: ordinary.base};
}

/** What rules that name paths say about a file that is read or written; no such rule, no objection. */
export function judgePath(work: Work, path: PlacedPath, effect: string): JudgedPart {
  const {selection, strengthOf, witness} = work;
  const subject: Subject = {effect, path, json: '{}', root: path.root};
  const ordinary = walkRules(selection.pathOnly, subject, 'allow', witness);
  const base = ordinary.base && {rule: ordinary.base, strength: strengthOf(ordinary.base)};
  return {
    what: path.value,
    finding: {...stricter(ordinary, walkSensitive(selection.sensitive, subject, base, witness)), base: undefined},
  };
}

/** A part that a person is asked about in every mode. */
export function askAbout(what: string, reason: string, rule?: Rule): JudgedPart {
  return {what, reason, finding: {decision: 'ask', rule, isDoubtful: false, base: undefined}};
}
