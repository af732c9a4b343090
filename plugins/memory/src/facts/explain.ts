import type {ContextFile, ExplainedLine} from '../contract.js';
import {readText} from '../read-text.js';

/** A context file, or where one is that does not count. */
export interface Candidate {
  readonly file: ContextFile;
  /** Why nothing of it is given; undefined when it counts. */
  readonly leftOut?: string;
}

interface Import {
  readonly path: string;
  readonly importedBy: readonly string[];
}

/** The lines that contain a text, in the order of the files. */
export async function explainLines(
  text: string,
  candidates: readonly Candidate[],
  importsOf: (path: string) => Promise<readonly string[]>,
): Promise<readonly ExplainedLine[]> {
  const wanted = text.trim().toLowerCase();
  const lines: ExplainedLine[] = [];
  for (const {file, leftOut} of candidates)
    for (const {path, importedBy} of await chainsOf(file, importsOf)) {
      const read = await readText(path);
      if ('why' in read) continue;
      for (const [index, line] of read.text.split(/\r?\n/).entries()) {
        if (!line.toLowerCase().includes(wanted)) continue;
        const why = leftOut ?? whyMissing(file, line);
        const place = {path, line: index + 1, text: line.trim(), tier: file.tier, importedBy};
        lines.push(why === undefined ? place : {...place, leftOut: why});
      }
    }
  return lines;
}

/** A context file and what was read for it, each once, by the way that leads to it. */
async function chainsOf(
  {path, imports}: ContextFile,
  importsOf: (path: string) => Promise<readonly string[]>,
): Promise<readonly Import[]> {
  const found: Import[] = [{path, importedBy: []}];
  const seen = new Set([path]);
  for (const {path: at, importedBy} of found)
    for (const next of await importsOf(at)) {
      if (seen.has(next) || !imports.includes(next)) continue;
      seen.add(next);
      found.push({path: next, importedBy: [...importedBy, at]});
    }
  return found;
}

function whyMissing({text, faults}: ContextFile, line: string): string | undefined {
  if (text.includes(line.trim())) return undefined;
  return faults[0] ?? 'it is a secret, or belongs to a part that was cut';
}
