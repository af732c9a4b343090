import {copyFile, readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {basename, dirname, join, relative, sep} from 'node:path';
import {grammarFile} from './bash/grammar-file.js';
import {defaultsFolder, preparedFile, type PreparedRules} from './prepared-rules.js';
import {findDefaultFiles} from './read/find-rule-files.js';
import {readRuleFile} from './read/read-rule-file.js';

/**
 * Reads the product's own rules once, when the plugin is built, so that no start has to. Throws when there is anything
 * wrong in them.
 */
export async function build(): Promise<void> {
  const files = findDefaultFiles(defaultsFolder(), sep === '/' ? 'linux' : 'win32');
  const prepared: PreparedRules['files'][number][] = [];
  for (const found of files.filter(({file}) => !file.endsWith('.test.toml'))) {
    const set = await readRuleFile(found, {knownTools: []});
    const [problem] = set.problems;
    if (problem) throw new Error(`${found.file}:${problem.line ?? 1}: ${problem.message}`);
    prepared.push({name: basename(found.file), text: await readFile(found.file, 'utf8'), set});
  }
  const rules: PreparedRules = {
    folder: relative(dirname(preparedFile()), defaultsFolder()).split(sep).join('/'),
    files: prepared,
  };
  await writeFile(preparedFile(), JSON.stringify(rules));
  await carryGrammar();
}

/** Of the package with the grammar, 20 MB, a reader needs one file; its licence goes with it. */
async function carryGrammar(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('tree-sitter-bash/package.json'));
  await copyFile(join(folder, 'tree-sitter-bash.wasm'), grammarFile());
  await copyFile(join(folder, 'LICENSE'), `${grammarFile()}.LICENSE`);
}
