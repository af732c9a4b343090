import {hostname} from 'node:os';
import {join, resolve} from 'node:path';
import {memoryUsage} from 'node:process';
import {readText} from '@gemini-kernel/files';
import type {Environment} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {SandboxState} from '@gemini-kernel/plugin-sandbox/contract';
import type {FooterFacts} from './footer-items.js';

/** A larger file is not a file of git. */
const LARGEST = 64 * 1024;
const FOLDERS_UP = 40;
const MEGABYTE = 1024 * 1024;

/** What costs something to find out, and is found out only where it is shown. */
export interface Costly {
  readonly sandbox?: (() => Promise<Pick<SandboxState, 'isOn' | 'provider'>>) | undefined;
  readonly 'command-output'?: (() => Promise<string>) | undefined;
}

/** The session whose facts are found. */
export interface Subject {
  readonly service: Seat['service'];
  /** Its id. Rejects between two sessions. */
  session(): Promise<string>;
}

/** What the footer shows of a conversation. */
export async function findFacts(
  subject: Subject,
  {cwd, home}: Pick<Environment, 'cwd' | 'home'>,
  costly: Costly = {},
): Promise<FooterFacts> {
  const [branch, model, used, sandbox, printed] = await Promise.all([
    ...([findBranch(cwd), findModel(subject), findUse(subject)] as const),
    orNothing(costly.sandbox),
    orNothing(costly['command-output']),
  ]);
  return {
    workspace: nameFolder(cwd, home),
    ...(branch === undefined ? {} : {'git-branch': branch}),
    ...{...model, ...used, hostname: hostname(), 'memory-usage': `${Math.round(memoryUsage.rss() / MEGABYTE)} MB`},
    ...(sandbox ? {sandbox: sandbox.isOn ? `sandbox ${sandbox.provider ?? ''}`.trim() : 'no sandbox'} : {}),
    ...(printed === undefined ? {} : {'command-output': printed}),
  };
}

/** Between two sessions nothing can be asked. */
async function orNothing<T>(find: (() => Promise<T>) | undefined): Promise<T | undefined> {
  return find?.().catch(() => undefined);
}

/** What the conversation has used and changed so far. */
async function findUse({service, session}: Subject): Promise<Partial<FooterFacts>> {
  try {
    const [{models, lines}, id] = await Promise.all([service('agent').then((agent) => agent.stats()), session()]);
    const tokens = models.reduce((sum, {usage}) => sum + usage.input + usage.output, 0);
    const costs = models.flatMap(({cost}) => (cost === undefined ? [] : [cost]));
    const {added, removed} = lines;
    return {
      'session-id': id.slice(0, 8),
      ...(tokens > 0 ? {'token-count': `${tokens.toLocaleString('en')} tokens`} : {}),
      ...(costs.length > 0 ? {cost: `$${costs.reduce((sum, one) => sum + one, 0).toFixed(4)}`} : {}),
      ...(added + removed > 0 ? {'code-changes': `+${added} -${removed}`} : {}),
    };
  } catch {
    // Between two sessions there is none.
    return {};
  }
}

/** A folder with `~` for the person's home. */
export function nameFolder(folder: string, home: string): string {
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

async function findModel({service}: Pick<Subject, 'service'>): Promise<Partial<FooterFacts>> {
  try {
    const {model, tokens, inputLimit} = await (await service('agent')).model();
    const used = inputLimit > 0 ? `${Math.round((100 * tokens) / inputLimit)}% of context` : '';
    return {'model-name': model, 'context-used': used};
  } catch {
    // Between two sessions there is none, and what is wrong with a model is said elsewhere.
    return {};
  }
}

/** The branch of the repository around a folder, or the start of the commit that is checked out. */
export async function findBranch(folder: string): Promise<string | undefined> {
  let at = folder;
  for (let level = 0; level < FOLDERS_UP; level += 1) {
    const head = await readHead(join(at, '.git'));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
    const parent = join(at, '..');
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

/** The first line of HEAD in a folder of git, or in the one that a `.git` file names. */
async function readHead(git: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)/.exec((await firstLine(git)) ?? '')?.[1];
  return firstLine(join(named === undefined ? git : resolve(git, '..', named), 'HEAD'));
}

/** Undefined for what is no readable file. */
async function firstLine(path: string): Promise<string | undefined> {
  const text = await readText(path, {limit: LARGEST}).catch(() => undefined);
  return text?.split('\n')[0]?.trim();
}
