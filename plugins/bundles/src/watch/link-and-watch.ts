import {existsSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {CommandHost, Style} from '@gemini-kernel/command';
import {readPluginPackage} from '../install/judge/plugin-package.js';
import {buildOnce, describeBuild, type BuildOutcome} from './build-once.js';
import {watchPlugin} from './watch-plugin.js';

interface WatchingCommand {
  readonly environment: Pick<Environment, 'platform'>;
  readonly host: Pick<CommandHost, 'run' | 'signal' | 'output'>;
  readonly isJson: boolean;
  style(style: Style, text: string): string;
  log(text: string): void;
}

/** Builds a plugin that was never built, because consent needs its manifest. Throws KernelError PLUGIN_UNFIT. */
export async function prepareUnbuilt(
  {cwd}: Pick<Environment, 'cwd'>,
  path: string,
  run: CommandHost['run'],
): Promise<void> {
  const root = resolve(cwd, path);
  // If the folder does not exist, linking reports it.
  if (
    !existsSync(join(root, 'package.json')) ||
    ['gemini.plugin.json', 'oclif.manifest.json'].every((name) => existsSync(join(root, name)))
  )
    return;
  const {name} = await readPluginPackage(root);
  const outcome = await buildOnce({name, root, run});
  if (!outcome.built)
    throw new KernelError(
      'PLUGIN_UNFIT',
      `${name} must be built before it can be linked. ${outcome.error.message}`,
      outcome.error.hint ? {hint: outcome.error.hint} : {},
    );
}

/** Builds a linked plugin each time its sources change, and shows each result. Ends as `watchPlugin` does. */
export async function watchLinked(
  {name, root}: {readonly name: string; readonly root: string},
  {environment, host, isJson, style, log}: WatchingCommand,
): Promise<never> {
  const {run, signal, output} = host;
  const report = (outcome: BuildOutcome): void => {
    if (signal.aborted) return;
    if (isJson) return void output.write(`${JSON.stringify(outcome)}\n`);
    const [sentence = '', ...more] = describeBuild(outcome);
    log(outcome.built ? sentence : style('bad', sentence));
    for (const line of more) log(line);
  };
  return watchPlugin({
    name,
    root,
    platform: environment.platform,
    signal,
    build: async () => report(await buildOnce({name, root, run})),
  });
}
