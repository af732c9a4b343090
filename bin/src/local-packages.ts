import {existsSync} from 'node:fs';
import {resolve} from 'node:path';

const INSTALL = new Set(['plugins install', 'plugins add']);

/** The line of an install with paths that exist as `file:` and the whole path; the installer takes a bare path for a project on GitHub. */
export function nameLocalPackages(argv: readonly string[], cwd: string): readonly string[] {
  if (!INSTALL.has(argv.slice(0, 2).join(' '))) return argv;
  return argv.map((word, index) => (index < 2 ? word : toFile(word, cwd)));
}

function toFile(word: string, cwd: string): string {
  const path = word.replace(/^file:/, '');
  const isPath = word.startsWith('file:') || /^(\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(word) || /\.(tgz|tar\.gz)$/.test(word);
  return isPath && existsSync(resolve(cwd, path)) ? `file:${resolve(cwd, path)}` : word;
}
