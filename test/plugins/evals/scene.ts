import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {openAgentPlace, type AgentPlace, type AgentPlaceOptions} from '../../helpers/run-agent.js';
import type {RunResult} from '../../helpers/run-gemini.js';

/** A line of results, as far as tests look at it. */
export interface Line {
  readonly kind: string;
  readonly eval: string;
  readonly model: string;
  readonly repetition: number;
  readonly status: string;
  readonly faults: readonly string[];
  readonly conversation: string;
  readonly turns: number;
  readonly calls: number;
  readonly refused: number;
  readonly cost?: number;
}

/** A project with evaluations below `evals/`, each the text of its `eval.toml`. */
export function openEvals(
  evals: Readonly<Record<string, string>>,
  {files = {}, ...options}: AgentPlaceOptions = {},
): Promise<AgentPlace> {
  const texts = Object.entries(evals).map(([name, text]) => [`evals/${name}/eval.toml`, text]);
  return openAgentPlace({...options, files: {...files, ...(Object.fromEntries(texts) as Record<string, string>)}});
}

/** Runs evaluations with a scripted model, and gives the lines of the results by evaluation, model and repetition. */
export async function runEvals(
  place: AgentPlace,
  words: readonly string[],
): Promise<RunResult & {readonly lines: readonly Line[]}> {
  const result = await place.run(['evals', 'run', '--output', 'r.jsonl', '--models', 'model-a', ...words]);
  return {...result, lines: await readLines(place)};
}

/** The results in a file. */
export async function readLines(place: AgentPlace, file = 'r.jsonl'): Promise<readonly Line[]> {
  const text = await place.read(file).catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const results = lines.map((line) => JSON.parse(line) as Line).filter(({kind}) => kind === 'result');
  const keyOf = (line: Line): string => `${line.eval} ${line.model} ${line.repetition}`;
  return results.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The faults of each evaluation. */
export function faultsOf(lines: readonly Line[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(lines.map(({eval: name, faults}) => [name, faults]));
}

/** What the person, here the evaluation, asked in a request. */
export function promptOf({messages}: SeenRequest): string {
  const texts = messages.flatMap(({role, pieces}) =>
    role === 'user' ? pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])) : [],
  );
  return texts.at(-1) ?? '';
}

/** Whether the last message of a request has the results of calls. */
export function hasResults({messages}: SeenRequest): boolean {
  return messages.at(-1)?.pieces.some(({kind}) => kind === 'result') ?? false;
}

/** Folders of repetitions that are left over. */
export async function leftOver(temporary: string): Promise<readonly string[]> {
  return (await readdir(join(temporary))).filter((name) => /^gemini-(eval|judge)-/.test(name));
}
