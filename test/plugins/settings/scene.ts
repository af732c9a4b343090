import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';

/** A temporary home and project in which the real program runs. */
export interface Scene {
  readonly home: string;
  readonly project: string;
  readonly userFile: string;
  readonly projectFile: string;
  run(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<RunResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function createScene(files: {readonly user?: string; readonly project?: string} = {}): Promise<Scene> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'settings-test-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const [userFile, projectFile] = [home, project].map((folder) => join(folder, '.gemini', 'settings.json')) as [
    string,
    string,
  ];
  await Promise.all([mkdir(home), mkdir(project)]);
  for (const [path, text] of [
    [userFile, files.user],
    [projectFile, files.project],
  ] as const) {
    if (text === undefined) continue;
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, text);
  }
  return {
    home,
    project,
    userFile,
    projectFile,
    run: (args, variables = {}) => runGemini(args, {cwd: project, home, variables}),
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}
