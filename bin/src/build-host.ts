import {createHash} from 'node:crypto';
import {readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join, relative, sep} from 'node:path';
import {build as bundle} from 'esbuild';

export interface HostParts {
  readonly root: string;
  readonly out: string;
  /** Files of contributions, absolute. */
  readonly modules: readonly string[];
  /** Those that stand in a script of their own. */
  readonly apart: readonly string[];
}

/** What a second script takes from the first: there is one kernel and one oclif. */
const SHARED = [
  '@gemini-kernel/files',
  ...[
    '@gemini-kernel/kernel',
    '@gemini-kernel/kernel/host',
    '@gemini-kernel/command',
    '@gemini-kernel/command/visible',
    '@gemini-kernel/admission/start',
  ],
  '@oclif/core',
];
/** What it takes from there only when needed. */
const SHARED_LATER = [
  ...['@gemini-kernel/files/addresses', '@gemini-kernel/files/sealed', '@gemini-kernel/files/sources'],
  '@gemini-kernel/files/writing',
  '@gemini-kernel/command/lines',
];

/** Packages that plugins import only when needed, each a script of its own: as modules they take far longer to load. */
export const PACKAGES: Readonly<Record<string, string>> = {'@google/genai/web': 'genai'};

/**
 * Two scripts with the program, the kernel, oclif, ajv and every module of the bundle's plugins, each module evaluated
 * on first use.
 */
export async function buildHost({root, out, modules, apart}: HostParts): Promise<void> {
  const quote = (text: string): string => JSON.stringify(text);
  const path = (from: string, file: string): string => relative(from, file).split(sep).join('/');
  const carry = (files: readonly string[]): string =>
    `{${files.map((file) => `${quote(path(root, file))}: () => import(${quote(`./${path(out, file)}`)})`).join(',')}}`;
  const shared = SHARED.map((name, index) => `import * as s${index} from ${JSON.stringify(name)};`).join('\n');
  const host = [
    shared,
    `export {main} from './main.js';`,
    `export const carried = ${carry(modules)};`,
    `export const apart = ${JSON.stringify(apart.map((file) => path(root, file)))};`,
    `export const shared = {${SHARED.map((name, index) => `${quote(name)}: s${index}`).join(',')},`,
    `${SHARED_LATER.map((name) => `get ${quote(name)}() { return require(${quote(name)}); }`).join(',')}};`,
    `export const packages = ${JSON.stringify(PACKAGES)};`,
    `export const validators = () => import('./validators.cjs');`,
  ];
  const inputs: string[] = [];
  for (const old of await readdir(out)) if (/^[a-z]+-.*\.cache$/.test(old)) await rm(join(out, old));
  const packages = Object.keys(PACKAGES);
  inputs.push(...(await buildScript({root, out, name: 'host', contents: host.join('\n'), external: packages})));
  const rest = `export const carried = ${carry(apart)};`;
  const external = [...SHARED, ...SHARED_LATER, ...packages];
  inputs.push(...(await buildScript({root, out, name: 'apart', contents: rest, external})));
  for (const [name, script] of Object.entries(PACKAGES)) {
    const contents = `export * from ${JSON.stringify(name)};`;
    inputs.push(...(await buildScript({root, out, name: script, contents, external: []})));
  }
  await writeFile(join(out, 'bundled.json'), JSON.stringify(foldersOf(inputs)));
}

/** The folders of the packages that files are from, below node_modules: bin/notice.mjs names their licences. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort();
}

interface Script {
  readonly root: string;
  readonly out: string;
  readonly name: string;
  readonly contents: string;
  readonly external: readonly string[];
}

/** Gives the files that went into it, from the root. */
async function buildScript({root, out, name, contents, external}: Script): Promise<readonly string[]> {
  const path = (file: string): string => relative(out, file).split(sep).join('/');
  const result = await bundle({
    stdin: {contents, resolveDir: out},
    bundle: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii',
    logLevel: 'error',
    external: ['typescript', 'ts-node', 'tsx', 'pnpapi', ...external],
    // Written validators call ajv's own helpers, of the copy that the kernel has.
    alias: {ajv: dirname(createRequire(join(root, 'kernel', 'package.json')).resolve('ajv/package.json'))},
    plugins: [
      {
        name: 'plain-templates',
        setup: ({onLoad}) =>
          onLoad({filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]help[\\/]util\.js$/}, async ({path: file}) => ({
            contents: skipPlainTemplates(await readFile(file, 'utf8')),
            loader: 'js',
          })),
      },
      {
        name: 'place-modules',
        setup: ({onLoad}) =>
          onLoad({filter: /\/plugins\/[^/]+\/dist\/.*\.js$/}, async ({path: file}) => ({
            contents: placeModule(
              await readFile(file, 'utf8'),
              `require('node:path').join(__dirname, ${JSON.stringify(path(file))})`,
              (name) => `Promise.resolve().then(() => require(${JSON.stringify(name)}))`,
            ),
            loader: 'js',
          })),
      },
    ],
  });
  // An external name also covers names below it, which would be other copies, read as modules at each start.
  const taken = Object.values(result.metafile.outputs).flatMap(({imports}) => imports.map((one) => one.path));
  const foreign = taken.find((from) => from.startsWith('@gemini-kernel/') && !external.includes(from));
  if (foreign !== undefined)
    throw new Error(`${name}.cjs would take ${foreign} from the disk: see SHARED in build-host.ts.`);
  // A cached script cannot import: see bin/load-bundle.cjs.
  const text = (result.outputFiles[0]?.text ?? '').replaceAll(/\bimport\(/g, '__import(');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  await writeFile(join(out, `${name}.cjs.new`), `//${digest}\n${text}`);
  await rename(join(out, `${name}.cjs.new`), join(out, `${name}.cjs`));
  return Object.keys(result.metafile.inputs);
}

/**
 * oclif compiles every text of a page of help as a template, a sixth of the time that the page takes. A text without a
 * tag is its own result.
 */
function skipPlainTemplates(source: string): string {
  const call = 'return ejs_1.default.render(t, context);';
  if (!source.includes(call)) throw new Error(`oclif no longer renders its help by \`${call}\`: see build-host.ts.`);
  return source.replace(call, `return t.includes('<%') || t.includes('%>') ? ejs_1.default.render(t, context) : t;`);
}

/**
 * A bundled module's own URL is that of the file it was made from, which `own` is an expression of. A package that it
 * imports only when needed stays where it is installed: carrying it would cost every start. `lend` gives the expression
 * of one that is a script of its own.
 */
export function placeModule(source: string, own: string, lend: (name: string) => string): string {
  const toUrl = (path: string): string => `require('node:url').pathToFileURL(${path}).href`;
  return source
    .replaceAll('import.meta.url', toUrl(own))
    .replaceAll(/\bimport\((['"])(?!node:)([^.'"][^'"]*)\1\)/g, (_, __, name: string) =>
      name in PACKAGES
        ? lend(name)
        : `import(${toUrl(`require('node:module').createRequire(${own}).resolve(${JSON.stringify(name)})`)})`,
    );
}
