import {copyFile, mkdir, readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliCompress, constants} from 'node:zlib';
import {grammarFile, grammarFolder} from './parse/grammar-files.js';

/** The packages that the grammars come from, and which. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@vscode/tree-sitter-wasm': [
    ...['bash', 'c-sharp', 'cpp', 'css', 'go', 'java', 'javascript', 'php', 'python', 'ruby', 'rust', 'tsx'],
    'typescript',
  ],
  '@tree-sitter-grammars/tree-sitter-kotlin': ['kotlin'],
  '@tree-sitter-grammars/tree-sitter-toml': ['toml'],
  '@tree-sitter-grammars/tree-sitter-yaml': ['yaml'],
  'tree-sitter-c': ['c'],
  'tree-sitter-html': ['html'],
  'tree-sitter-json': ['json'],
};

/** Carries the grammars, compressed: 23 MB become 1.5. Their licences go with them. */
export async function build(): Promise<void> {
  await mkdir(grammarFolder(), {recursive: true});
  const require = createRequire(import.meta.url);
  await Promise.all(
    Object.entries(PACKAGES).map(async ([name, grammars]) => {
      const folder = dirname(require.resolve(`${name}/package.json`));
      const wasm = name === '@vscode/tree-sitter-wasm' ? join(folder, 'wasm') : folder;
      await Promise.all(grammars.map((one) => compress(join(wasm, `tree-sitter-${one}.wasm`), grammarFile(one))));
      await copyFile(join(folder, 'LICENSE'), join(grammarFolder(), `${name.replace('/', '+')}.LICENSE`));
    }),
  );
}

async function compress(from: string, to: string): Promise<void> {
  const params = {[constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22};
  await writeFile(to, await promisify(brotliCompress)(await readFile(from), {params}));
}
