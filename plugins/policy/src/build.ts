import {readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, relative, sep} from 'node:path';
import {defaultsFolder, preparedFile, type PreparedRules} from './prepared-rules.js';
import {findRuleFiles} from './read/find-rule-files.js';
import {readRuleFile} from './read/read-rule-file.js';

/** Reads the product's own rules once, when the plugin is built, so that no start has to. Throws when there is anything wrong in them. */
export async function build(): Promise<void> {
  const nowhere = '/no such folder';
  const {files} = findRuleFiles({
    cwd: nowhere, home: nowhere, platform: sep === '/' ? 'linux' : 'win32', defaults: defaultsFolder(), extensions: [], isTrusted: false, policyPaths: [], adminPolicyPaths: [], systemFolder: nowhere,
  });
  const prepared: PreparedRules['files'][number][] = [];
  for (const found of files.filter(({file}) => !file.endsWith('.test.toml'))) {
    const set = await readRuleFile(found, {knownTools: []});
    const [problem] = set.problems;
    if (problem) throw new Error(`${found.file}:${problem.line ?? 1}: ${problem.message}`);
    prepared.push({name: basename(found.file), text: await readFile(found.file, 'utf8'), set});
  }
  const rules: PreparedRules = {folder: relative(dirname(preparedFile()), defaultsFolder()).split(sep).join('/'), files: prepared};
  await writeFile(preparedFile(), JSON.stringify(rules));
}
