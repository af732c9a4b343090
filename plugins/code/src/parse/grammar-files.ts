import {fileURLToPath} from 'node:url';

/** Where the build of this plugin puts the grammars. */
export function grammarFolder(): string {
  return fileURLToPath(new URL('../grammars', import.meta.url));
}

/** The compressed grammar of this name. */
export function grammarFile(name: string): string {
  return fileURLToPath(new URL(`../grammars/${name}.wasm.br`, import.meta.url));
}
