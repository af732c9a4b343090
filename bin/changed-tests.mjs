import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** What holds for every change: names, commands, settings and contracts that others rely on, and the rules of lint. */
const ALWAYS = ['surface', 'lint'];

/** Paths of a change, and the tests that it reaches; the first that matches counts. */
const REACH = [
  [/^test\/(.+)\.test\.ts$/, (name) => [name]],
  [/^test\/(plugins\/[^/]+|kernel|journeys|docs|bin|authority)\//, (name) => [name]],
  [/^plugins\/([^/]+)\//, (name) => [`plugins/${name}/`]],
  [/^kernel\/(admission|files)\//, (name) => [`kernel/${name}/`]],
  [/^kernel\//, () => ['kernel/']],
  [/^bin\//, () => ['bin/']],
  [/^policies\//, () => ['plugins/policy/read/', 'plugins/policy/commands/', 'journeys/modes']],
  [/^(?:docs|test)\/pictures\//, () => ['docs/pictures']],
  [/^docs\/([^/]+)\.md$/, (name) => ['docs/links', `docs/${name}`]],
  [/\.md$/, () => ['docs/links']],
];

/** The tests that the changes since `base` reach, as prefixes below `test/`. */
export function findChangedTests(root, base = 'HEAD') {
  const git = (...words) => execFileSync('git', words, {cwd: root, encoding: 'utf8'}).split('\n').filter(Boolean);
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const reached = changed.flatMap((path) => {
    const found = REACH.map(([pattern, tests]) => [pattern.exec(path), tests]).find(([match]) => match);
    return found ? found[1](found[0][1]) : [];
  });
  const hasTests = (name) => existsSync(join(root, 'test', name)) || existsSync(join(root, 'test', `${name}.test.ts`));
  return [...new Set([...ALWAYS, ...reached.filter(hasTests)])];
}
