import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {hashTree, verifyTree} from '@gemini-kernel/admission';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';

/** A plugin of every kind of module that Node knows, each of which can be replaced. */
const FILES = {
  'dist/main.js': `
    import {createRequire} from 'node:module';
    import part from './part.js';
    import dependency from 'dependency';
    const require = createRequire(import.meta.url);
    export const says = [part, dependency.says, require('./data.json').says, require('./common.cjs')];
    export const later = () => import('./later.js').then(({default: text}) => text);`,
  'dist/part.js': `export default 'part';`,
  'dist/later.js': `export default 'later';`,
  'dist/data.json': '{"says": "data"}',
  'dist/common.cjs': `module.exports = 'common';`,
  'node_modules/dependency/package.json': '{"name": "dependency", "main": "index.js"}',
  'node_modules/dependency/index.js': `exports.says = require('./deep').says;`,
  'node_modules/dependency/deep.js': `exports.says = 'deep';`,
  'package.json': '{"name": "plugin", "type": "module"}',
} as const;

interface Tree extends Folder {
  readonly root: string;
  readonly tree: string;
  readonly record: string;
}

async function makeTree(): Promise<Tree> {
  const folder = await makeFolder();
  const root = join(folder.path, 'store', 'plugin@1.0.0');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(root, name, '..'), {recursive: true});
    await writeFile(join(root, name), text);
  }
  const [tree, record] = [hashTree(root), join(folder.path, 'plugin.seen')];
  await verifyTree({root, tree, record});
  return {...folder, root, tree, record};
}

/** Runs lines of a program that has prepared the tree; each line that it prints resolves the next wait. */
async function runWith(
  {root, tree, record}: Tree,
  lines: string,
  act: () => Promise<void> = async () => undefined,
): Promise<string> {
  const imported = pathToFileURL(join(checkout, 'bin', 'dist', 'checked-import.js')).href;
  const program = `
    import {createCheckedImport} from ${JSON.stringify(imported)};
    import {once} from 'node:events';
    const checked = createCheckedImport(${JSON.stringify(checkout)});
    await checked.prepare(${JSON.stringify({root, tree, record})});
    console.log('ready');
    await once(process.stdin, 'data');
    const from = (name) => ${JSON.stringify(pathToFileURL(root).href)} + '/' + name;
    try { ${lines} } catch (error) { console.log(error.message); }
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {stdio: ['pipe', 'pipe', 'inherit']});
  const printed: string[] = [];
  const output = createInterface(child.stdout);
  const closed = once(child, 'close');
  output.on('line', (line) => printed.push(line));
  await once(output, 'line');
  await act();
  child.stdin.write('go\n');
  await closed;
  return printed.slice(1).join('\n');
}

const SAY = `const {says} = await import(from('dist/main.js')); console.log(says.join(' '));`;

test('a plugin of every kind of module runs as it was verified [install.bytes]', async () => {
  await using tree = await makeTree();
  expect(await runWith(tree, SAY)).toBe('part deep data common');
});

test.each([
  'dist/main.js',
  'dist/part.js',
  'dist/data.json',
  'dist/common.cjs',
  'node_modules/dependency/index.js',
  'node_modules/dependency/deep.js',
])('a %s that was replaced after its tree was verified does not run [install.bytes]', async (name) => {
  await using tree = await makeTree();
  const spoilt = async (): Promise<void> => {
    const file = join(tree.root, name);
    await writeFile(`${file}.new`, name.endsWith('.json') ? '{"says": "evil"}' : 'globalThis.console.log("evil"); ');
    await rename(`${file}.new`, file);
  };
  const said = await runWith(tree, SAY, spoilt);
  expect(said).toContain(`${join(tree.root, name)} is not the file that was verified`);
  expect(said).not.toMatch(/^evil|evil$/m);
});

test('what a plugin imports only later is held against its lock then [install.bytes]', async () => {
  await using tree = await makeTree();
  const file = join(tree.root, 'dist', 'later.js');
  const lines = `
    const {later} = await import(from('dist/main.js'));
    (await import('node:fs')).writeFileSync(${JSON.stringify(file)}, 'export default "evil"');
    console.log(await later());`;
  expect(await runWith(tree, lines)).toBe(
    `${file} is not the file that was verified: it changed while the program ran, or was added.`,
  );
});

test('a file that was added, and a package above the plugin, are not run [install.bytes]', async () => {
  await using tree = await makeTree();
  const added = join(tree.root, 'dist', 'added.js');
  const above = join(tree.path, 'store', 'node_modules', 'dependency');
  expect(
    await runWith(tree, `await import(from('dist/added.js'));`, () => writeFile(added, 'console.log("evil")')),
  ).toBe(`${added} is not the file that was verified: it changed while the program ran, or was added.`);
  await rm(added);
  const move = (): Promise<void> =>
    mkdir(join(above, '..'), {recursive: true}).then(() =>
      rename(join(tree.root, 'node_modules', 'dependency'), above),
    );
  const said = await runWith(tree, SAY, move);
  expect(said).toContain('asks for dependency, which was found at');
  expect(said).not.toContain('deep');
});

test('a note that names other digests is not believed [install.bytes]', async () => {
  await using tree = await makeTree();
  const [file, bytes] = [join(tree.root, 'dist', 'part.js'), await readFile(tree.record, 'latin1')];
  const {createHash} = await import('node:crypto');
  const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const evil = `export default 'evil';`;
  await writeFile(tree.record, bytes.replace(digestOf(FILES['dist/part.js']), digestOf(evil)), 'latin1');
  expect(await runWith(tree, SAY, () => writeFile(file, evil))).toContain('is not the file that was verified');
});
