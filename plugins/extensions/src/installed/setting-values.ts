import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';

/** Values that a person gave for the settings of extensions: one file each, for its owner only. */
export class SettingValues {
  constructor(private readonly home: string) {}

  fileOf(name: string): string {
    return join(this.home, '.gemini', 'extension-settings', `${name}.env`);
  }

  /** What is kept here, and for an extension that Gemini CLI installed, what it keeps in the folder. */
  async read(name: string, folder: string): Promise<Readonly<Record<string, string>>> {
    return {...readValues(join(folder, '.env')), ...readValues(this.fileOf(name))};
  }

  /** Keeps a value; undefined removes it. */
  async set(name: string, variable: string, value: string | undefined): Promise<void> {
    const {[variable]: _, ...others} = readValues(this.fileOf(name));
    const values = value === undefined ? others : {...others, [variable]: value};
    await makePrivateFolder(join(this.home, '.gemini', 'extension-settings'));
    const lines = Object.entries(values).map(([key, one]) => `${key}=${JSON.stringify(one)}\n`);
    await writeAtomically(this.fileOf(name), lines.join(''));
    await chmod(this.fileOf(name), 0o600);
  }
}

function readValues(file: string): Readonly<Record<string, string>> {
  const text = readOrNothing(file);
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === '' ? [] : [[name, unquote(value)]];
    }),
  );
}

function readOrNothing(file: string): string {
  try {
    return readTextSync(file);
  } catch {
    // Without its values an extension has none; what it lacks is named by `gemini extensions list`.
    return '';
  }
}

function unquote(value: string): string {
  if (value.startsWith('"') && value.endsWith('"') && value.length > 1) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1, -1);
    }
  }
  return value.startsWith("'") && value.endsWith("'") && value.length > 1 ? value.slice(1, -1) : value;
}
