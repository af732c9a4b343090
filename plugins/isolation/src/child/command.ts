import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {argv as words, env, stdin, stdout, version} from 'node:process';
import {pathToFileURL} from 'node:url';
import type * as Oclif from '@oclif/core';
import {isKernelError, isToolError, KernelError, messageOf} from '@gemini-kernel/kernel';
import {oneWay, serviceBy, type SentContext} from './contexts.js';

type Act = (...all: readonly unknown[]) => Promise<unknown>;

/** What a run of a command has become on its way. */
interface SentRun extends Pick<SentContext, 'use' | 'invoke'> {
  readonly root: string;
  readonly id: string;
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: boolean;
  readonly colour: boolean;
  readonly flags: readonly {readonly name: string}[];
  readonly services: readonly string[];
  readonly environment: object;
  readonly session: object;
  readonly program: object;
  readonly isLive: boolean;
  readonly open: Act;
  readonly ask: Act;
  readonly end: Act;
}

type Runnable = new (argv: string[], config: Oclif.Config) => {_run(): Promise<unknown>};

/** Runs a command of the plugin to its end, with stand-ins for the program that it belongs to. */
export async function runCommand(file: string, sent: SentRun): Promise<void> {
  const oclif = createRequire(file)('@oclif/core') as typeof Oclif;
  const module = (await import(pathToFileURL(file).href)) as {readonly default?: {readonly default?: unknown}};
  const found = module.default?.default ?? module.default;
  if (typeof found !== 'function') throw new Error('Its default export is not a command.');
  const {root, id} = sent;
  const command = Object.assign(found as unknown as Runnable, {id});
  const pjson = {...readPackage(root), oclif: sent.program};
  const own = Object.assign(new oclif.Plugin({root, name: pjson.name, type: 'core'}), {
    ...{name: pjson.name, alias: pjson.name, version: pjson.version, root, type: 'core', pjson, moduleType: 'module'},
    ...{manifest: {version: pjson.version, commands: {}}, commands: [], commandIDs: [], hooks: {}},
    ...{hasManifest: true, valid: true},
  });
  const plugins = new Map([[pjson.name, own]]);
  const options = {root, pjson, plugins, gemini: hostOf(sent, pjson.name)};
  const config = new oclif.Config(options);
  // oclif would ask for the shell of the user, of whom nothing is known here.
  env['SHELL'] ??= '/bin/sh';
  await config.load();
  // What oclif and commands take for the name of the program.
  words[1] = 'gemini';
  await new command([...sent.argv], config)._run();
}

function readPackage(root: string): {readonly name: string; readonly version: string} {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {name: string; version: string};
}

/** The program, as far as a command of another process may know it. */
function hostOf(sent: SentRun, plugin: string): Record<string, unknown> {
  const {id, signal, terminal, colour, flags, services, isLive, end} = sent;
  const catalog = {
    flags: new Map(flags.map((flag) => [flag.name, flag])),
    commands: new Map([[id, {id, plugin}]]),
    services: new Map(services.map((name) => [name, {name}])),
    plugins: new Map(),
  };
  const boot = (given: unknown): object => kernelOf(sent, catalog, given);
  return {
    ...{catalog, boot, signal, terminal, colour},
    ...(isLive ? {live: {kernel: boot({}), session: sessionOf(sent, {})}} : {}),
    ...{input: stdin, output: stdout, node: version},
    describe: describeFailure,
    end: oneWay(end),
    run: () => refuse('run'),
    slash: () => refuse('slash'),
    leaveOut: () => refuse('leaveOut'),
  };
}

function kernelOf(sent: SentRun, catalog: object, flags: unknown): object {
  const environment = {...sent.environment, newId: () => globalThis.crypto.randomUUID()};
  return {environment, catalog, open: () => sessionOf(sent, flags), close: () => Promise.resolve()};
}

function sessionOf(sent: SentRun, flags: unknown): object {
  let opened: Promise<unknown> | undefined;
  const open = (): Promise<unknown> => (opened ??= sent.open(flags));
  const service = serviceBy(sent);
  return {
    info: sent.session,
    service: async (name: string) => (await open(), service(name)),
    ask: async (form: unknown) => (await open(), sent.ask(form)),
    call: () => refuse('call'),
    announce: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function describeFailure(error: unknown): object | undefined {
  if (!isKernelError(error) && !isToolError(error)) return undefined;
  const {code, hint} = error;
  return {code, message: messageOf(error), exit: 1, ...(hint === undefined ? {} : {hint})};
}

function refuse(what: string): never {
  throw new KernelError('SERVICE_LOCAL', `\`${what}\` is not there for a command in a process of its own.`, {
    hint: 'Its author uses a service instead.',
  });
}
