import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** The bundled ripgrep of this machine. Throws when its package is not installed. */
export function ripgrepProgram(): string {
  const {resolve} = createRequire(join(pluginRoot('search'), 'package.json'));
  // The platform's package is a dependency of this one, and may lie below it.
  return createRequire(resolve('@vscode/ripgrep')).resolve(
    `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`,
  );
}
