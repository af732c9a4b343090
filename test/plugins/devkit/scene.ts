import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {runGemini} from '../../helpers/run-gemini.js';

/** A compiled plugin that was never built, and somebody who works on it. */
export interface Scene {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(...paths: readonly string[]): Promise<void>;
  gemini(...args: readonly string[]): Promise<{readonly code: number | null; readonly stdout: string; readonly stderr: string}>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What is fit to be packed: one tool with its source. */
export const fitPlugin: Readonly<Record<string, string>> = {
  'package.json': packageJson({}),
  'README.md': '# fit\n',
  'src/tools/echo.ts': '// compiled to dist\n',
  'dist/tools/echo.js': toolCode({}),
};

/** A package.json that can be built, but for what is given. */
export function packageJson(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({name: 'fit', version: '1.0.0', description: 'Fit.', type: 'module', files: ['dist', 'gemini.plugin.json', 'oclif.manifest.json'], gemini: {kernel: '^0.1.0'}, oclif: {commands: './dist/commands'}, ...parts});
}

/** Code of a tool file with these parts changed. */
export function toolCode(parts: Readonly<Record<string, unknown>>): string {
  const spec = {name: 'fit_echo', description: 'Echoes.', effect: 'read', input: {type: 'object', properties: {text: {type: 'string', description: 'Any text.'}}}, ...parts};
  return `import {defineTool, ToolError} from '@gemini-kernel/kernel';\nexport default defineTool({...${JSON.stringify(spec)}, run: async ({text}) => ({model: text})});\n`;
}

/** Makes a scene with these files. */
export async function makeScene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const folder = await makeFolder();
  const {root} = await makePlugin(folder.path, {name: 'fit'});
  await rm(join(root, 'gemini.plugin.json'));
  const write: Scene['write'] = async (all) => {
    for (const [name, content] of Object.entries(all)) {
      await mkdir(dirname(join(root, name)), {recursive: true});
      await writeFile(join(root, name), content);
    }
  };
  await write(files);
  return {
    root, write,
    async remove(...paths) {
      for (const path of paths) await rm(join(root, path), {recursive: true});
    },
    gemini: (...args) => runGemini(args, {cwd: root, home: folder.path}),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
