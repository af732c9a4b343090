import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {checkout} from '../helpers/plugin-root.js';

/** Where the pictures are, and their scenes below. */
export const picturesFolder = join(checkout, 'docs', 'pictures');

/** What is typed once the terminal shows something. */
export interface Keys {
  /** A text that the terminal shows, or `prompt` for an empty prompt of a conversation. */
  readonly at: string;
  readonly type: string;
}

/** One answer of the model: a text, a call of a tool, or both. */
export interface Answer {
  readonly text?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** What a picture shows. See docs/pictures/README.md. */
export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Commands that run before the recording. */
  readonly prepare: readonly string[];
  /** Commands that the picture shows, with their output. */
  readonly show: readonly string[];
  /** Files below the home of the person; commands run in `project`. */
  readonly files: Readonly<Record<string, string>>;
  readonly keys: readonly Keys[];
  readonly answers: readonly Answer[];
}

/** Every scene, sorted by name. */
export async function readScenes(): Promise<readonly Scene[]> {
  const folder = join(picturesFolder, 'scenes');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.toml')).sort();
  return Promise.all(
    names.map(async (file): Promise<Scene> => {
      const scene = parse(await readFile(join(folder, file), 'utf8')) as unknown as Partial<Scene>;
      const {title, columns, show} = scene;
      if (!title || !columns || !show) throw new Error(`${file} has no title, columns or show.`);
      const name = file.replace(/\.toml$/, '');
      return {rows: 40, prepare: [], files: {}, keys: [], answers: [], ...scene, name, title, columns, show};
    }),
  );
}
