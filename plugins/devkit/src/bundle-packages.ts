import {readFile, rename, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join, sep} from 'node:path';
import type {Plugin} from 'esbuild';
import type {Bundle} from './contract.js';

/** Not written out, because bundlers replace it where they see it. */
const HERE = ['import', 'meta', 'url'].join('.');
const BANNER = `import {createRequire as __r} from 'node:module'; const require = __r(${HERE});`;

/** Puts modules, and what they use of packages, into one file each in the `dist` of a plugin. */
export async function bundlePackages(dist: string, {entries, replace = [], licences}: Bundle): Promise<void> {
  // Only the plugin that bundles has it.
  const {build} = createRequire(join(dist, 'build.js'))('esbuild') as typeof import('esbuild');
  const packages = new Set<string>();
  for (const [file, entry] of Object.entries(entries)) {
    const draft = join(dist, `${file}.new`);
    const isCommonJs = file.endsWith('.cjs');
    const {metafile} = await build({
      entryPoints: [join(dist, entry)],
      outfile: draft,
      bundle: true,
      minify: true,
      platform: 'node',
      format: isCommonJs ? 'cjs' : 'esm',
      target: 'node20',
      charset: 'ascii',
      legalComments: 'none',
      // A package that prints would write into the middle of what the program shows.
      drop: ['console'],
      metafile: true,
      logLevel: 'error',
      absWorkingDir: dist,
      plugins: replace.map(({path, by}) => replaceModule(path, join(dist, by))),
      // Some packages are CommonJS, and ask for node's own modules that way.
      ...(isCommonJs ? {} : {banner: {js: BANNER}}),
    });
    await rename(draft, join(dist, file));
    for (const input of Object.keys(metafile.inputs)) packages.add(packageOf(join(dist, input)));
  }
  const folders = [...packages].filter((folder) => folder !== '').sort();
  if (licences !== undefined) await writeFile(join(dist, licences), await joinLicences(folders));
  else if (folders.length > 0) throw new Error(`A bundle with ${folders.join(', ')} needs a file for their licences.`);
}

function replaceModule(filter: RegExp, path: string): Plugin {
  return {name: 'replace-module', setup: ({onResolve}) => onResolve({filter}, () => ({path}))};
}

/** The folder of the package that a file belongs to, or nothing for files of the plugin. */
function packageOf(file: string): string {
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return '';
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep);
}

async function joinLicences(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const {name, version, license} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license?: string;
      };
      const text = await firstOf(['LICENSE', 'LICENSE.md', 'license', 'LICENCE'].map((file) => join(folder, file)));
      return `${name} ${version} (${license ?? 'no licence named'})\n\n${text}`;
    }),
  );
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`);
}

async function firstOf(files: readonly string[]): Promise<string> {
  for (const file of files) {
    try {
      return (await readFile(file, 'utf8')).trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return '';
}
