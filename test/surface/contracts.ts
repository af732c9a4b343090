import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {format} from 'prettier';
import ts from 'typescript';
import {checkout} from '../helpers/plugin-root.js';

/** Where the contracts are pinned: the declarations that others compile against, without comments. */
export const PINS = join(checkout, 'test', 'surface', 'contracts');
const VERSIONS = 'versions.json';

/** The versions that go with some contracts. */
export interface Versions {
  readonly packages: Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, string>>;
  readonly moments: readonly string[];
}

/** Contracts as they are pinned, or as the build wrote them. */
export interface Contracts {
  /** Text by path below the folder of pins. */
  readonly files: ReadonlyMap<string, string>;
  readonly versions: Versions;
}

/** Declarations of the kernel that plugins get, and those that plugins give. */
const GIVEN = [
  'ServiceContext',
  'ToolContext',
  'ListenerContext',
  'SessionInfo',
  'Environment',
  'ToolCall',
  'FormAnswer',
];
const TAKEN = ['ToolResult', 'ToolSource', 'SourcedTool', 'Touch', 'Verdict', 'Form', 'Notice', 'Confirmation'];

/** The contracts that the build has written. */
export async function readBuilt(): Promise<Contracts> {
  const files = new Map<string, string>();
  await addClosure(files, 'kernel', join(checkout, 'kernel', 'dist'), 'index.d.ts');
  const names = (await readdir(join(checkout, 'plugins'))).sort();
  const manifests: Manifest[] = [];
  for (const name of names) {
    const root = join(checkout, 'plugins', name);
    manifests.push(JSON.parse(await readFile(join(root, 'gemini.plugin.json'), 'utf8')) as Manifest);
    if (existsSync(join(root, 'dist', 'contract.d.ts')))
      await addClosure(files, `plugin-${name}`, join(root, 'dist'), 'contract.d.ts');
  }
  const kernel = JSON.parse(await readFile(join(checkout, 'kernel', 'package.json'), 'utf8')) as {version: string};
  const {kernelHooks} = await import('@gemini-kernel/kernel/host');
  return {
    files,
    versions: {
      packages: {kernel: kernel.version, ...Object.fromEntries(manifests.map(({name, version}) => [name, version]))},
      services: Object.fromEntries(manifests.flatMap((one) => one.services.map(({name, version}) => [name, version]))),
      moments: [...kernelHooks, ...manifests.flatMap(({hooks}) => hooks)].map(({name}) => name).sort(),
    },
  };
}

/** A declaration file and all that it refers to, each without comments. */
async function addClosure(files: Map<string, string>, name: string, root: string, file: string): Promise<void> {
  const path = `${name}/${file}`;
  if (files.has(path)) return;
  const source = ts.createSourceFile(file, await readFile(join(root, file), 'utf8'), ts.ScriptTarget.ESNext, true);
  const text = ts.createPrinter({removeComments: true}).printFile(source);
  // Compilers write the same declaration in different ways.
  files.set(path, await format(text, {parser: 'typescript', singleQuote: true, printWidth: 120}));
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const {moduleSpecifier: to} = statement;
    if (!to || !ts.isStringLiteral(to) || !to.text.startsWith('.')) continue;
    const next = join(dirname(file), to.text.replace(/\.js$/, '.d.ts'));
    await addClosure(files, name, root, next);
  }
}

/** The contracts that are pinned. */
export async function readPins(): Promise<Contracts> {
  const paths = await readdir(PINS, {recursive: true});
  const files = new Map<string, string>();
  for (const path of paths.filter((one) => one.endsWith('.d.ts')).sort())
    files.set(path.replaceAll('\\', '/'), await readFile(join(PINS, path), 'utf8'));
  return {files, versions: JSON.parse(await readFile(join(PINS, VERSIONS), 'utf8')) as Versions};
}

/** Pins contracts in the place of those before. */
export async function writePins({files, versions}: Contracts): Promise<void> {
  await rm(PINS, {recursive: true, force: true});
  await writeContracts(PINS, files);
  await writeFile(join(PINS, VERSIONS), `${JSON.stringify(versions, null, 2)}\n`);
}

async function writeContracts(folder: string, files: Contracts['files']): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), text);
  }
}

/**
 * What code that was written for `before` can no longer rely on: a service, a moment or a type of the kernel, unless
 * its version says so.
 */
export async function findBreaks(before: Contracts, now: Contracts): Promise<readonly string[]> {
  const announced = Object.entries(now.versions.services)
    .filter(([name, version]) => leading(before.versions.services[name]) !== leading(version))
    .map(([name]) => name);
  const packages = Object.entries(now.versions.packages);
  const isNewPackage = packages.some(([name, version]) => leading(before.versions.packages[name]) !== leading(version));
  const broken = await findMisfits({...before, files: replaceServices(before.files, announced)}, now);
  // A service has a version of its own; all else goes by that of the kernel, or of the plugins.
  return broken.filter((what) => what.startsWith('service ') || !isNewPackage);
}

/** The declarations with some services as they are now, so that what hands them out is not blamed for them. */
function replaceServices(files: Contracts['files'], names: readonly string[]): Contracts['files'] {
  const replaceIn = (text: string): string =>
    text.replace(/interface Services \{[^}]*\}/g, (block) =>
      names.reduce(
        (all, name) =>
          all.replace(new RegExp(`^(\\s*'?${name}'?): [^;]+;`, 'm'), `$1: import('@now/kernel').Services['${name}'];`),
        block,
      ),
    );
  return new Map([...files].map(([path, text]) => [path, replaceIn(text)]));
}

/** The number of which a change means that something broke: the first that is not 0. */
function leading(version = ''): string {
  return /^(?:0\.)*\d+/.exec(version)?.[0] ?? '';
}

/** Compiles both side by side, and gives what does not fit any more. */
async function findMisfits(before: Contracts, now: Contracts): Promise<readonly string[]> {
  // In the checkout, so that the packages that contracts refer to are found.
  const folder = await mkdtemp(join(checkout, 'test', 'dist', 'contracts-'));
  try {
    await writeContracts(join(folder, 'before'), rename(before.files, '@before/'));
    await writeContracts(join(folder, 'now'), rename(now.files, '@now/'));
    const claims = claimsOf(before.versions);
    const imports = ['before', 'now'].flatMap((side) => importsOf(side, side === 'now' ? now.files : before.files));
    const text = [...imports, ...HELPERS, ...claims.map(({claim}) => claim)].join('\n');
    const file = join(folder, 'claims.ts');
    await writeFile(file, text);
    const first = imports.length + HELPERS.length;
    const paths = Object.fromEntries(['before', 'now'].flatMap((side) => pathsOf(folder, side)));
    const program = ts.createProgram([file], {
      ...{strict: true, noEmit: true, skipLibCheck: true, types: ['node'], paths},
      ...{target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts']},
      ...{module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext},
    });
    const lines = ts.getPreEmitDiagnostics(program).map(({file: at, start = 0, messageText}) => {
      const line = at?.fileName.endsWith('claims.ts') ? at.getLineAndCharacterOfPosition(start).line - first : -1;
      const claim = claims[line];
      if (claim) return claim.what;
      throw new Error(`${relative(folder, at?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    });
    return [...new Set(lines)];
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function rename(files: Contracts['files'], scope: string): Contracts['files'] {
  return new Map([...files].map(([path, text]) => [path, text.replaceAll('@gemini-kernel/', scope)]));
}

function pathsOf(folder: string, side: string): [string, string[]][] {
  return [
    [`@${side}/kernel`, [join(folder, side, 'kernel', 'index.d.ts')]],
    [`@${side}/*/contract`, [join(folder, side, '*', 'contract.d.ts')]],
  ];
}

function importsOf(side: string, files: Contracts['files']): readonly string[] {
  const plugins = [...files.keys()].filter((path) => path.endsWith('/contract.d.ts'));
  return [
    `import type * as ${side} from '@${side}/kernel';`,
    ...plugins.map((path) => `import type {} from '@${side}/${dirname(path)}/contract';`),
  ];
}

const HELPERS = [
  // Methods become properties, whose parameters are compared strictly.
  'type Strict<T> = {[K in keyof T]: T[K] extends (...a: infer A) => infer R ? (...a: A) => R : T[K]};',
  'type Fits<A, B> = [A] extends [B] ? true : false;',
  'type Part<M, K extends string> = M extends {readonly [P in K]: infer V} ? V : undefined;',
];

interface Claim {
  readonly what: string;
  readonly claim: string;
}

/** One line for each thing that must still fit. */
function claimsOf({services, moments}: Versions): readonly Claim[] {
  let count = 0;
  const claim = (what: string, a: string, b: string): Claim => ({
    what,
    claim: `export const claim${(count += 1)}: Fits<${a}, ${b}> = true;`,
  });
  const part = (side: string, name: string, key: string): string => `Part<${side}.Moments['${name}'], '${key}'>`;
  return [
    ...Object.keys(services).map((name) =>
      claim(`service ${name}`, `Strict<now.Services['${name}']>`, `Strict<before.Services['${name}']>`),
    ),
    ...moments.flatMap((name) => [
      claim(`moment ${name}`, part('now', name, 'kind'), part('before', name, 'kind')),
      claim(`moment ${name}`, part('now', name, 'payload'), part('before', name, 'payload')),
      claim(`moment ${name}`, part('before', name, 'answer'), part('now', name, 'answer')),
    ]),
    ...GIVEN.map((name) => claim(`type ${name}`, `now.${name}`, `before.${name}`)),
    ...TAKEN.map((name) => claim(`type ${name}`, `before.${name}`, `now.${name}`)),
  ];
}
