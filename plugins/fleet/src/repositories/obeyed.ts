import {readdir} from 'node:fs/promises';

/** What this program would obey in a folder that is trusted: names, and what names begin with. */
const NAMES = ['.gemini', '.agents', '.env', '.mcp.json'];
const BEGINNINGS = ['.env.'];

/**
 * Patterns of a sparse checkout without what is obeyed, at every depth: as a folder, a file or a link, and in any case,
 * since some file systems do not tell `.GEMINI` from `.gemini`.
 */
export function withoutObeyed(): readonly string[] {
  return ['/*', ...NAMES.map((name) => `!${anyCase(name)}`), ...BEGINNINGS.map((name) => `!${anyCase(name)}*`)];
}

/** Whether something in a folder would be obeyed, such as what a run before has made there. */
export async function hasObeyed(folder: string): Promise<boolean> {
  const names = (await readdir(folder)).map((name) => name.toLowerCase());
  return names.some((name) => NAMES.includes(name) || BEGINNINGS.some((beginning) => name.startsWith(beginning)));
}

function anyCase(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
