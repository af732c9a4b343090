import {fileURLToPath} from 'node:url';

/** Where the build of this plugin puts the grammar of bash. */
export function grammarFile(): string {
  return fileURLToPath(new URL('../tree-sitter-bash.wasm', import.meta.url));
}
