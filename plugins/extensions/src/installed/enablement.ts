import {join} from 'node:path';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {isTable} from '../manifest/is-table.js';

type Files = Pick<ConfigFiles, 'readJSON' | 'setJSON'>;

/** Where extensions are enabled and disabled, in the file that Gemini CLI uses too. */
export class Enablement {
  readonly file: string;

  constructor(
    private readonly home: string,
    private readonly files: Files,
  ) {
    this.file = join(home, '.gemini', 'extensions', 'extension-enablement.json');
  }

  /** Whether an extension is enabled in a directory. Throws KernelError SETTINGS_BROKEN. */
  async reader(): Promise<(name: string, cwd: string) => boolean> {
    const entries = (await this.files.readJSON(this.file)) ?? {};
    return (name, cwd) => isEnabled(rulesOf(entries[name]), cwd);
  }

  /** Enables or disables an extension: everywhere below the home directory, or below one directory. */
  async set(name: string, isOn: boolean, directory: string | undefined): Promise<void> {
    const entries = (await this.files.readJSON(this.file)) ?? {};
    // The reference writes the home directory for a person, which leaves out folders elsewhere.
    const rule = directory === undefined ? '/*' : `${withSlashes(directory)}*`;
    const kept = rulesOf(entries[name]).filter((one) => !covers(rule, one.replace(/^!/, '')));
    const entry = isTable(entries[name]) ? entries[name] : {};
    await this.files.setJSON(this.file, [name], {...entry, overrides: [...kept, isOn ? rule : `!${rule}`]});
  }

  /** Forgets an extension. */
  async forget(name: string): Promise<void> {
    if ((await this.files.readJSON(this.file))?.[name] !== undefined)
      await this.files.setJSON(this.file, [name], undefined);
  }

  /** The directory that stands for a scope. */
  directoryOf(scope: 'user' | 'workspace', cwd: string): string | undefined {
    return scope === 'user' || cwd === this.home ? undefined : cwd;
  }
}

function rulesOf(entry: unknown): readonly string[] {
  const overrides = isTable(entry) ? entry['overrides'] : undefined;
  return Array.isArray(overrides) ? overrides.filter((one) => typeof one === 'string') : [];
}

/** The last rule that matches decides; without one, an extension is enabled. */
function isEnabled(rules: readonly string[], cwd: string): boolean {
  const last = rules.findLast((rule) => covers(rule.replace(/^!/, ''), withSlashes(cwd)));
  return last === undefined || !last.startsWith('!');
}

/** Whether a rule, such as `/home/me/*`, holds for everything that another one does. */
function covers(rule: string, other: string): boolean {
  if (!rule.endsWith('*')) return rule === other;
  return other.startsWith(rule.slice(0, -1));
}

function withSlashes(path: string): string {
  const forward = path.replaceAll('\\', '/');
  return `${forward.startsWith('/') ? '' : '/'}${forward}${forward.endsWith('/') ? '' : '/'}`;
}
