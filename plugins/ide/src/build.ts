import {readFile, rename, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Plugin} from 'esbuild';

/** The two sides of the protocol, each with what it needs of the SDK. */
const SIDES = ['client', 'server'] as const;

/**
 * Puts what is used of the MCP SDK into one file for each side: the whole of it with its packages would be 27 MB and 90
 * more modules to read.
 */
export async function build(): Promise<void> {
  const dist = dirname(fileURLToPath(import.meta.url));
  // Only who builds has it.
  const {build: bundle} = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const packages = new Set<string>();
  for (const side of SIDES) {
    const {metafile} = await bundle({
      entryPoints: [join(dist, 'mcp', `${side}.js`)],
      outfile: join(dist, `mcp-${side}.js.new`),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      charset: 'ascii',
      legalComments: 'none',
      metafile: true,
      logLevel: 'error',
      absWorkingDir: dist,
      plugins: [leaveOutValidator(join(dist, 'mcp', 'no-validator.js'))],
      // Some of it is CommonJS, and asks for node's own modules that way.
      banner: {
        js:
          "import {createRequire as __createRequire} from 'node:module'; const require = " +
          '__createRequire(import.meta.url);',
      },
    });
    await rename(join(dist, `mcp-${side}.js.new`), join(dist, `mcp-${side}.js`));
    for (const input of Object.keys(metafile.inputs)) packages.add(packageOf(join(dist, input)));
  }
  await writeFile(
    join(dist, 'mcp-licenses.txt'),
    await joinLicences([...packages].filter((folder) => folder !== '').sort()),
  );
}

/** Puts something small in the place of ajv, which would be a third of each bundle. */
function leaveOutValidator(stand: string): Plugin {
  return {
    name: 'leave-out-validator',
    setup: ({onResolve}) => onResolve({filter: /\/ajv-provider\.js$/}, () => ({path: stand})),
  };
}

/** The folder of the package that a file belongs to, or nothing for files of this plugin. */
function packageOf(file: string): string {
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return '';
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep);
}

/** What is carried goes with its licence. */
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
