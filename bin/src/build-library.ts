import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join, relative, sep} from 'node:path';
import {build as bundle, type Plugin} from 'esbuild';
import type {JSONSchema} from '@gemini-kernel/kernel';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {PACKAGES, placeModule} from './build-host.js';

export interface LibraryParts {
  readonly root: string;
  readonly plugins: readonly {readonly root: string; readonly manifest: Manifest}[];
  /** The schemas of what sources list, by family. */
  readonly items: Readonly<Record<string, JSONSchema>>;
  /** The file with the validators that the build wrote. */
  readonly validators: string;
}

/** One kernel is shared by a program, its plugins and what is bundled here. */
const SHARED = ['@gemini-kernel/kernel', '@gemini-kernel/kernel/host'];

/** What a bundled module needs of CommonJS, and the place of the packages that modules were made from. */
const BANNER = `import {createRequire as __createRequire} from 'node:module';
import {dirname as __dirnameOf, join as __join} from 'node:path';
const require = __createRequire(import.meta.url);
const __place = (name, file) => __join(__dirnameOf(require.resolve(name + '/package.json')), file);`;

/**
 * What an agent of the SDK is made of, in its own folder: the manifests of the plugins that it depends on, and their
 * code in one module, of which each contribution is evaluated on first use. As files, their code takes three times as
 * long to load.
 */
export async function buildLibrary({root, plugins, items, validators}: LibraryParts): Promise<void> {
  const out = join(root, 'kernel', 'sdk', 'dist');
  const {dependencies} = JSON.parse(await readFile(join(root, 'kernel', 'sdk', 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const chosen = plugins.filter(({manifest}) => manifest.name in dependencies);
  const modules = chosen.flatMap(({root: folder, manifest}) =>
    modulesOf(manifest).map((module) => [`${manifest.name}/${module}`, join(folder, module)] as const),
  );
  const carry = modules.map(([name, file]) => `${JSON.stringify(name)}: () => import(${JSON.stringify(file)})`);
  const contents = [
    `export const carried = {${carry.join(',')}};`,
    `export const validators = () => import(${JSON.stringify(validators)});`,
    `export const product = ${JSON.stringify({manifests: chosen.map(({manifest}) => manifest), items})};`,
  ].join('\n');
  await buildModule({root, out, name: 'product', contents});
  for (const [name, script] of Object.entries(PACKAGES))
    await buildModule({root, out, name: script, contents: `export * from ${JSON.stringify(name)};`});
  await writeFile(join(out, 'NOTICE'), await readFile(join(root, 'NOTICE')));
}

function modulesOf({tools, services, listeners}: Manifest): readonly string[] {
  return [...new Set([...tools, ...services, ...listeners].map(({module}) => module))];
}

interface Module {
  readonly root: string;
  readonly out: string;
  readonly name: string;
  readonly contents: string;
}

async function buildModule({root, out, name, contents}: Module): Promise<void> {
  await bundle({
    stdin: {contents, resolveDir: out},
    bundle: true,
    outfile: join(out, `${name}.mjs`),
    absWorkingDir: root,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    charset: 'ascii',
    logLevel: 'error',
    banner: {js: BANNER},
    external: [...SHARED, ...Object.values(PACKAGES).map((script) => `./${script}.mjs`)],
    alias: {ajv: dirname(createRequire(join(root, 'kernel', 'package.json')).resolve('ajv/package.json'))},
    plugins: [placing(root)],
  });
}

function placing(root: string): Plugin {
  return {
    name: 'place-modules',
    setup: ({onLoad}) =>
      onLoad({filter: /\/plugins\/[^/]+\/dist\/.*\.js$/}, async ({path}) => {
        const [folder = '', ...rest] = relative(join(root, 'plugins'), path).split(sep);
        const own = `__place(${JSON.stringify(`@gemini-kernel/plugin-${folder}`)}, ${JSON.stringify(rest.join('/'))})`;
        const lend = (name: string): string => `import(${JSON.stringify(`./${PACKAGES[name] ?? name}.mjs`)})`;
        return {contents: placeModule(await readFile(path, 'utf8'), own, lend), loader: 'js'};
      }),
  };
}
