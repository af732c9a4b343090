import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import type {CommandHost} from '@gemini-kernel/command';

/** The result of one build, as `--json` prints it. */
export type BuildOutcome = {readonly name: string; readonly seconds: number} & (
  | {readonly built: true; readonly version: string; readonly contributions: Readonly<Record<string, number>>}
  | {readonly built: false; readonly error: {readonly code: string; readonly message: string; readonly hint?: string}}
);

type Printed =
  | {readonly contributions: Readonly<Record<string, number>>}
  | {readonly error: {readonly code: string; readonly message: string; readonly hint?: string}};

export interface BuildOnce {
  readonly name: string;
  readonly root: string;
  readonly run: CommandHost['run'];
}

/** Builds a plugin in a separate process, because Node caches what it has imported, and reports the result. */
export async function buildOnce({name, root, run}: BuildOnce): Promise<BuildOutcome> {
  const started = performance.now();
  const {code, output} = await run(['plugins', 'build', root, '--json'], {directory: root, show: false});
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const printed = findJson(output);
  if (code === 0 && printed && 'contributions' in printed)
    return {name, seconds, built: true, version: await readVersion(root), contributions: printed.contributions};
  const unknown = {code: 'BUILD_FAILED', message: `The build exited with ${code}.`, hint: output.trim()};
  return {
    name,
    seconds,
    built: false,
    error:
      printed && 'error' in printed
        ? {
            code: printed.error.code,
            message: printed.error.message,
            ...(printed.error.hint ? {hint: printed.error.hint} : {}),
          }
        : unknown,
  };
}

/** The JSON object in a command's output, which may also contain warnings. */
function findJson(output: string): Printed | undefined {
  const text = /^\{\n[^]*?\n\}$/m.exec(output)?.[0];
  return text === undefined ? undefined : (JSON.parse(text) as Printed);
}

async function readVersion(root: string): Promise<string> {
  return (JSON.parse(await readText(join(root, 'gemini.plugin.json'))) as {version: string}).version;
}

/** A build as lines for people. */
export function describeBuild(outcome: BuildOutcome): readonly string[] {
  const {name, seconds} = outcome;
  if (!outcome.built)
    return [
      `${outcome.error.message} (${seconds} s)`,
      ...(outcome.error.hint ? outcome.error.hint.split('\n').map((line) => `  ${line}`) : []),
    ];
  const counted = Object.entries(outcome.contributions)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}`);
  return [`Built ${name} ${outcome.version} in ${seconds} s: ${counted.join(', ') || 'no contributions'}.`];
}
