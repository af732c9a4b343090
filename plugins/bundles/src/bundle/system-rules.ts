import {copyFile, mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {readManagedRules, type ManagedReading} from '@gemini-kernel/admission';
import {publishedSchema} from '../published-schema.js';

/** The administrator's file of a bundle while it is applied with --system. */
export function rulesFile(bundle: string): string {
  return `50-bundle-${bundle}.json`;
}

/**
 * The administrator's rules as they would be with the file of a bundle replaced by `text`, or removed. Tests them in a
 * separate folder, as strictly as a start does, to find a bundle that contradicts another file before any user's
 * plugins stop loading.
 */
export async function rehearseRules(
  {rules, bundles, owner}: InstallPlaces['system'],
  bundle: string,
  {text, writer}: {readonly text?: string; readonly writer: string},
): Promise<ManagedReading> {
  const folder = join(bundles, `.rules-${writer}`);
  await mkdir(folder, {recursive: true, mode: 0o755});
  try {
    for (const name of await namesOf(rules))
      if (name !== rulesFile(bundle)) await copyFile(join(rules, name), join(folder, name));
    if (text !== undefined) await writeFile(join(folder, rulesFile(bundle)), text, {mode: 0o644});
    return await readManagedRules({folder, owner}, await publishedSchema('managed'));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function namesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
