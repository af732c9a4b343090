import {basename, dirname, join} from 'node:path';
import {createRequire} from 'node:module';
import {realpath} from 'node:fs/promises';
import {findProgram, readProgramPath, type FoundProgram, type ProgramPath} from './find-program.js';
import {serverSpecs, type ServerSpec} from './server-specs.js';

/** A server for its languages: what to start, or why nothing is. */
export interface FoundServer {
  readonly spec: ServerSpec;
  readonly from: 'PATH' | 'setting';
  readonly file?: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** What its own programs are found in. */
  readonly path: readonly string[];
  readonly fault?: {readonly state: 'missing' | 'unused'; readonly reason: string};
}

export interface FindRequest {
  readonly cwd: string;
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The person's commands, by language. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** Every known server, and those that the person names. Reads no file, and starts nothing. */
export async function findServers({cwd, path, platform, commands}: FindRequest): Promise<readonly FoundServer[]> {
  const programs = await readProgramPath(cwd, path);
  const named = Object.entries(commands).map(async ([language, [name = '', ...args]]) => {
    const known = serverSpecs.find((spec) => spec.name === basename(name) && spec.languages.includes(language));
    const spec = {...(known ?? specFor(language, name)), languages: [language]};
    if (name === '') return missing(spec, 'setting', `code.servers switches the server for ${language} off.`);
    const found = await findProgram(name, programs, platform);
    return complete({spec, from: 'setting', args: args.length === 0 ? spec.args : args}, found, programs);
  });
  const usual = serverSpecs.map(async (spec) => {
    const languages = spec.languages.filter((one) => commands[one] === undefined);
    if (languages.length === 0) return [];
    const found = await findProgram(spec.name, programs, platform);
    return [await complete({spec: {...spec, languages}, from: 'PATH', args: spec.args}, found, programs)];
  });
  return [...(await Promise.all(named)), ...(await Promise.all(usual)).flat()];
}

function specFor(language: string, name: string): ServerSpec {
  const marks = serverSpecs.find((spec) => spec.languages.includes(language))?.marks ?? /^$/;
  return {name: name === '' ? 'none' : basename(name), languages: [language], marks, args: []};
}

async function complete(
  start: Pick<FoundServer, 'spec' | 'from' | 'args'>,
  found: FoundProgram,
  programs: ProgramPath,
): Promise<FoundServer> {
  const {spec, from} = start;
  if (found === undefined) return missing(spec, from, `${spec.name} is not found in PATH.`);
  if ('fault' in found) return unused(start, {}, `${found.fault}, and the project starts no programs here.`);
  const {file, real} = found;
  const whole = {...start, file, options: spec.options ?? {}, path: programs.directories};
  if (spec.runsProject && from === 'PATH')
    return unused(start, {file}, `It runs programs that the project names. Name it in code.servers to use it.`);
  if (!spec.needsTypescript) return whole;
  const tsserver = await findTypescript(real, programs);
  if (tsserver === undefined)
    return unused(start, {file}, 'It has no TypeScript before version 7 beside it, and would run that of the project.');
  // The server for syntax answers before the project is read, and then knows one file.
  return {...whole, options: {...spec.options, tsserver: {path: tsserver, useSyntaxServer: 'never'}}};
}

function missing(spec: ServerSpec, from: FoundServer['from'], reason: string): FoundServer {
  return {spec, from, args: [], options: {}, path: [], fault: {state: 'missing', reason}};
}

function unused(
  start: Pick<FoundServer, 'spec' | 'from' | 'args'>,
  file: {readonly file?: string},
  reason: string,
): FoundServer {
  return {...start, ...file, options: {}, path: [], fault: {state: 'unused', reason}};
}

/** The TypeScript that a server was installed with, or else the one in PATH. */
async function findTypescript(server: string, programs: ProgramPath): Promise<string | undefined> {
  const beside = resolveFrom(server, 'typescript/lib/tsserver.js');
  const inPath = await findProgram('tsserver', programs, 'linux');
  const other = inPath && 'file' in inPath ? join(dirname(dirname(inPath.real)), 'lib', 'tsserver.js') : undefined;
  for (const one of [beside, other]) {
    const real = one === undefined ? undefined : await realpath(one).catch(() => undefined);
    if (real !== undefined && programs.isOutside(real)) return real;
  }
  return undefined;
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch (error) {
    if (['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes((error as {code?: string}).code ?? ''))
      return undefined;
    throw error;
  }
}
