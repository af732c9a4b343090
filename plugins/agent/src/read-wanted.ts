import {join, relative, resolve, sep} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';

/**
 * The directories outside the project that its own settings name, while the project is not trusted. Empty when the
 * settings cannot be read, which is reported when they are used.
 */
export async function readWanted(
  {cwd, home}: Pick<Environment, 'cwd' | 'home'>,
  files: ConfigFiles,
): Promise<readonly string[]> {
  const settings = await files.readJSON(join(cwd, '.gemini', 'settings.json')).catch(() => undefined);
  const {includeDirectories = []} = (settings?.['context'] ?? {}) as {readonly includeDirectories?: unknown};
  const named: readonly unknown[] = Array.isArray(includeDirectories) ? includeDirectories : [includeDirectories];
  const paths = named
    .filter((one) => typeof one === 'string')
    .map((one) =>
      resolve(
        cwd,
        String(one).replace(/^~(?=$|[/\\])/, () => home),
      ),
    );
  return paths.filter((path) => relative(cwd, path).split(sep)[0] === '..');
}
