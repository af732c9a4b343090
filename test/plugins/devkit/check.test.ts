import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {fitPlugin, makeScene, packageJson, toolCode, type Scene} from './scene.js';

test.each((await readdir(join(checkout, 'plugins'))).sort())('%s is fit to be packed', async (name) => {
  await using home = await makeFolder();
  expect(await runGemini(['plugins', 'check', pluginRoot(name)], {cwd: home.path, home: home.path})).toEqual({code: 0, stdout: `✓ @gemini-kernel/plugin-${name} is fit to be packed.\n`, stderr: ''});
});

const listener = (hook: string, filter: string): string => `import {listen} from '@gemini-kernel/kernel';\nexport default listen('${hook}', {filter: ${filter}, run() {}});\n`;
const rebuilt = async (scene: Scene, files: Readonly<Record<string, string>>): Promise<void> => {
  await scene.write(files);
  await scene.gemini('plugins', 'build');
};

test.each<[string, (scene: Scene) => Promise<void>, readonly string[]]>([
  ['nothing', async () => undefined, []],
  ['a README', ({remove}) => remove('README.md'), ['There is no README.md that says what it adds and needs.']],
  ['a manifest of this code', ({write}) => write({'dist/tools/echo.js': toolCode({description: 'Echoes loudly.'})}), ['The manifests are not those of the compiled code. Run gemini plugins build.']],
  ['a manifest that is JSON', ({write}) => write({'gemini.plugin.json': '{'}), ['The manifests are not those of the compiled code. Run gemini plugins build.']],
  ["oclif's manifest", ({remove}) => remove('oclif.manifest.json'), ['The manifests are not those of the compiled code. Run gemini plugins build.']],
  ['files that are packed', (scene) => rebuilt(scene, {'package.json': packageJson({files: ['/dist/']})}), ['gemini.plugin.json', 'oclif.manifest.json'].map((name) => `npm pack leaves ${name} out. Add it to "files" in package.json.`)],
  ['the source of a tool', ({remove}) => remove('src/tools/echo.ts'), ['./dist/tools/echo.js has no source src/tools/echo.ts. Remove the file, or all of dist, and compile again.']],
  ['a description', (scene) => rebuilt(scene, {'dist/tools/echo.js': toolCode({input: {type: 'object', properties: {text: {type: 'string'}}}})}), ['The parameter text of fit_echo has no description; a model chooses by it.']],
  ['an owner of its moment', (scene) => rebuilt(scene, {'src/listeners/a.ts': '', 'dist/listeners/a.js': listener('moon:rise', '{}')}), ['It would be left out: it listens to moon:rise, which no plugin owns.']],
  [
    'a filter that its moment offers',
    (scene) => rebuilt(scene, {'src/listeners/a.ts': '', 'dist/listeners/a.js': listener('session:open', "{tool: 'x'}")}),
    ['It would be left out: its listener to session:open has a bad filter: the hook does not offer "tool" to filters (it offers mode).'],
  ],
  ['a name of its own', (scene) => rebuilt(scene, {'dist/tools/echo.js': toolCode({name: 'read_file'})}), ['It would be left out: its tool read_file is already provided by @gemini-kernel/plugin-filesystem.']],
  ['a service that is there', (scene) => rebuilt(scene, {'package.json': packageJson({gemini: {kernel: '^0.1.0', requires: {services: {moon: '^1'}}}})}), ['It would be left out: it needs the service moon ^1, which no plugin provides.']],
  ['this kernel', (scene) => rebuilt(scene, {'package.json': packageJson({gemini: {kernel: '^9'}})}), ['It would be left out: it needs kernel ^9, this is 0.1.0.']],
  [
    'codes of all its errors',
    (scene) => rebuilt(scene, {'dist/a.js': "new ToolError('LUCK_LOST', 'x'); new KernelError(\n  'LUCK_ODD', 'x'); new ToolError('TOOL_UNKNOWN', 'x');", 'dist/errors.js': "export default {LUCK_ODD: {when: 'Odd.'}};"}),
    ['dist/a.js throws LUCK_LOST, which src/errors.ts does not list.'],
  ],
])('what lacks %s is told so', async (_, change, findings) => {
  await using scene = await makeScene(fitPlugin);
  await scene.gemini('plugins', 'build');
  await change(scene);
  const {code, stdout, stderr} = await scene.gemini('plugins', 'check', '--json');
  expect({code, stderr, ...(JSON.parse(stdout) as object)}).toEqual({code: findings.length === 0 ? 0 : 1, stderr: '', name: 'fit', findings});
});

test('findings stand on a line each', async () => {
  await using scene = await makeScene(fitPlugin);
  await scene.remove('README.md');
  expect(await scene.gemini('plugins', 'check', '.')).toEqual({
    code: 1,
    stdout: '✗ The manifests are not those of the compiled code. Run gemini plugins build.\n✗ There is no README.md that says what it adds and needs.\n',
    stderr: '',
  });
});
