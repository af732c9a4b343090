import {mkdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';

/** A compiled plugin that was never built, and its author. */
export interface Scene {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(...paths: readonly string[]): Promise<void>;
  gemini(...args: readonly string[]): Promise<RunResult>;
  /** The same with more variables. */
  geminiWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<RunResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What is fit to be packed: one tool with its source. */
export const fitPlugin: Readonly<Record<string, string>> = {
  'package.json': packageJson({}),
  'README.md': '# fit\n\nThe tool fit_echo; fs:read.\n',
  'src/tools/echo.ts': '// compiled to dist\n',
  'dist/tools/echo.js': toolCode({}),
};

/** A package.json that can be built, but for what is given. */
export function packageJson(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    name: 'fit',
    version: '1.0.0',
    description: 'Fit.',
    type: 'module',
    files: ['dist', 'gemini.plugin.json', 'oclif.manifest.json'],
    gemini: {kernel: '^0.2.0', capabilities: ['fs:read']},
    oclif: {commands: './dist/commands'},
    ...parts,
  });
}

/** Code of a tool file with these parts changed. */
export function toolCode(parts: Readonly<Record<string, unknown>>): string {
  const spec = {
    name: 'fit_echo',
    description: 'Echoes.',
    effect: 'read',
    input: {type: 'object', properties: {text: {type: 'string', description: 'Any text.'}}},
    ...parts,
  };
  return (
    `import {defineTool, ToolError} from '@gemini-kernel/kernel';\nexport default ` +
    `defineTool({...${JSON.stringify(spec)}, run: async ({text}) => ({model: text})});\n`
  );
}

/** An empty folder, and an author who is about to create a plugin in it. */
export async function makeEmptyScene(): Promise<Scene> {
  const folder = await makeFolder();
  const root = join(folder.path, 'work');
  await mkdir(root);
  return sceneOf(root, folder);
}

/** Puts TypeScript and the types of Node into a plugin, as npm install would, from this checkout. */
export async function lendTypescript(root: string): Promise<void> {
  await mkdir(join(root, 'node_modules', '@types'), {recursive: true});
  for (const name of ['typescript', '@types/node'])
    await symlink(join(checkout, 'node_modules', name), join(root, 'node_modules', name), 'junction');
}

/** Makes a scene with these files. */
export async function makeScene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const folder = await makeFolder();
  const {root} = await makePlugin(folder.path, {name: 'fit'});
  await rm(join(root, 'gemini.plugin.json'));
  const scene = sceneOf(root, folder);
  await scene.write(files);
  return scene;
}

/** The fit plugin with the manifests that the program builds for it. */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  await using scene = await makeScene(fitPlugin);
  const {code, stderr} = await scene.gemini('plugins', 'build');
  if (code !== 0) throw new Error(`The fit plugin is not built: ${stderr}`);
  const names = ['gemini.plugin.json', 'oclif.manifest.json'];
  return {
    ...fitPlugin,
    ...Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(scene.root, name), 'utf8')])),
    ),
  };
}

function sceneOf(root: string, folder: Folder): Scene {
  const write: Scene['write'] = async (all) => {
    for (const [name, content] of Object.entries(all)) {
      await mkdir(dirname(join(root, name)), {recursive: true});
      await writeFile(join(root, name), content);
    }
  };
  return {
    root,
    write,
    async remove(...paths) {
      for (const path of paths) await rm(join(root, path), {recursive: true});
    },
    gemini: (...args) => runGemini(args, {cwd: root, home: folder.path}),
    geminiWith: (variables, ...args) => runGemini(args, {cwd: root, home: folder.path, variables}),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
