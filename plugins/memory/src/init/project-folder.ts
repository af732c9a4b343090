import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';

const MOST_BYTES = 256 * 1024;

/** What stands directly in a project's folder. Files that cannot be read count as empty. */
export class ProjectFolder {
  private constructor(
    readonly path: string,
    readonly files: ReadonlySet<string>,
    readonly folders: readonly string[],
  ) {}

  static async open(path: string): Promise<ProjectFolder> {
    const entries = await readdir(path, {withFileTypes: true});
    return new ProjectFolder(
      path,
      new Set(entries.filter((entry) => entry.isFile()).map(({name}) => name)),
      entries
        .filter((entry) => entry.isDirectory())
        .map(({name}) => name)
        .sort(),
    );
  }

  /** The first of these names that is a file. */
  first(...names: readonly string[]): string | undefined {
    return names.find((name) => this.files.has(name));
  }

  async read(name: string): Promise<string> {
    return readText(join(this.path, name), {limit: MOST_BYTES, cut: true}).catch(() => '');
  }

  async readJSON(name: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const value: unknown = JSON.parse(await this.read(name));
      return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    } catch {
      // A broken file says nothing about the project.
      return {};
    }
  }
}
