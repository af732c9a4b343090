import {writeAtomically} from '@gemini-kernel/files/writing';
import type {Registry} from './project-registry.js';

type Readable = Exclude<Registry, {fault: string}>;

interface Named {
  readonly root: string;
  readonly slug: string;
}

/** Writes one more project into the registry, whole or not at all. The caller holds the lock. */
export async function addProject(path: string, known: Readable, {root, slug}: Named): Promise<void> {
  const {projects, rest} = known;
  const text = JSON.stringify({...rest, projects: {...projects, [root]: slug}}, null, 2);
  await writeAtomically(path, text, {durable: false});
}
