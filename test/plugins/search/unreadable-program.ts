import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {engineNames, openSearching} from './engines.js';

// Runs as a user who may not read everything: says what each engine finds, without the path of the project.
const files = Object.fromEntries(
  ['a/f', 'b/no', 'c/d/no', 'c/e', 'c/locked', 'named/f', 'z'].map((path) => [path, 'needle\n']),
);
await using searching = await openSearching({files});
const {project} = searching.kernel;
const locked = ['b', 'c/d', 'c/locked'].map((path) => join(project, path));
for (const path of locked) await chmod(path, 0);
// Its names can be read, and nothing of what they stand for.
await chmod(join(project, 'named'), 0o444);
const inputs = [
  ['grep_search', {pattern: 'needle', names_only: true}],
  ['grep_search', {pattern: 'nowhere'}],
  ['grep_search', {pattern: 'needle', names_only: true, total_max_matches: 1}],
  ['grep_search', {pattern: '(?<=n)eedle', names_only: true}],
  ['grep_search', {pattern: 'needle', dir_path: 'c/locked'}],
  ['grep_search', {pattern: 'needle', dir_path: 'b'}],
  ['glob', {pattern: '**/*'}],
  ['glob', {pattern: 'c/d/*'}],
] as const;
const answers = [];
for (const engine of engineNames) {
  const said = [];
  for (const [tool, input] of inputs)
    said.push(
      await searching.run(engine, tool, input).then(
        ({model}) => model,
        (error: unknown) => String(error),
      ),
    );
  answers.push(said.map((text) => text.replaceAll(`${project}/`, '').replaceAll(project, '~')));
}
for (const path of [...locked, join(project, 'named')]) await chmod(path, 0o755);
process.send?.(answers, () => process.disconnect());
