import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {isAbsent, makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {planPatch} from '../inbox/plan-patch.js';
import type {InboxPlaces} from '../inbox/read-inbox.js';
import {findSkillFault} from '../inbox/skill-fault.js';
import type {Proposal, Refused} from './read-proposals.js';

const MOST_BYTES = 512 * 1024;

/** What was written for the person, by path below the memory folder. */
export interface Written {
  readonly skills: readonly string[];
  readonly memory: readonly string[];
  /** Proposals that cannot be applied; they are kept with the reason. */
  readonly refused: number;
}

interface Writing {
  readonly places: InboxPlaces;
  /** Part of the names of new files. */
  readonly stamp: string;
  /** Whether a text still has something like a secret in it. */
  isSecret(text: string): Promise<boolean>;
}

/**
 * Writes proposals into the inbox, each of them whole or not at all. One that could not be applied as the files are
 * now goes to the quarantine, with the reason.
 */
export async function writeProposals(
  {proposals, refused}: {readonly proposals: readonly Proposal[]; readonly refused: readonly Refused[]},
  writing: Writing,
): Promise<Written> {
  const [skills, memory]: [string[], string[]] = [[], []];
  const faulty: Refused[] = [...refused];
  for (const [at, proposal] of proposals.entries()) {
    const done = await write(proposal, `${writing.stamp}-${at + 1}`, writing);
    if ('fault' in done) faulty.push({kind: proposal.kind, reason: done.fault, input: proposal});
    else (proposal.kind === 'memory-patch' ? memory : skills).push(relative(writing.places.memory, done.path));
  }
  for (const [at, one] of faulty.entries()) await quarantine(one, `${writing.stamp}-${at + 1}`, writing);
  return {skills, memory, refused: faulty.length};
}

type Done = {readonly path: string} | {readonly fault: string};

async function write(proposal: Proposal, name: string, writing: Writing): Promise<Done> {
  // A model can put together what was taken apart.
  if (await writing.isSecret(JSON.stringify(proposal))) return {fault: 'It has something like a secret in it.'};
  if (proposal.kind === 'skill') return writeSkill(proposal, writing);
  if (proposal.kind === 'skill-patch') return writeSkillPatch(proposal, name, writing);
  return writeMemoryPatch(proposal, name, writing);
}

async function writeSkill(
  {name, description, body, sessions}: Extract<Proposal, {kind: 'skill'}>,
  {places, stamp}: Writing,
): Promise<Done> {
  const skills = join(places.memory, 'skills');
  const [path, draft] = [join(skills, name), join(skills, `.draft-${stamp}`)];
  const head = [`name: ${name}`, `description: ${JSON.stringify(description)}`, `sessions: ${sessions.join(', ')}`];
  const text = `---\n${head.join('\n')}\n---\n${body.trim()}\n`;
  await makePrivateFolder(skills);
  await mkdir(draft, {mode: 0o700});
  try {
    await writeFile(join(draft, 'SKILL.md'), text, {mode: 0o600});
    const fault = (await findSkillFault(draft, name, text)) ?? (await findTaken(name, places));
    if (fault !== undefined) return {fault};
    await rename(draft, path);
    return {path};
  } finally {
    await rm(draft, {recursive: true, force: true});
  }
}

async function findTaken(name: string, {memory, home, cwd}: InboxPlaces): Promise<string | undefined> {
  for (const folder of [join(memory, 'skills'), join(home, '.gemini/skills'), join(cwd, '.gemini/skills')])
    if ((await readIfThere(join(folder, name, 'SKILL.md'))) !== undefined)
      return `There is a skill ${JSON.stringify(name)} in ${folder} already.`;
  return undefined;
}

async function writeSkillPatch(
  {name, from, to, sessions}: Extract<Proposal, {kind: 'skill-patch'}>,
  at: string,
  {places}: Writing,
): Promise<Done> {
  const folders = [join(places.cwd, '.gemini/skills'), join(places.home, '.gemini/skills')];
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) return {fault: `The name ${JSON.stringify(name)} is not that of a skill.`};
  for (const file of folders.map((folder) => join(folder, name, 'SKILL.md'))) {
    const before = await readIfThere(file);
    if (before === undefined) continue;
    const first = before.indexOf(from);
    if (first < 0) return {fault: `The text to replace is not in ${file}.`};
    if (before.includes(from, first + 1)) return {fault: `The text to replace is in ${file} more than once.`};
    const after = before.slice(0, first) + to + before.slice(first + from.length);
    const path = join(places.memory, 'skills', `${name}-${at}.patch`);
    return writePatch(path, {file, before, after, sessions}, {base: 'skills', places});
  }
  return {fault: `There is no skill ${JSON.stringify(name)} of yours or of this project.`};
}

async function writeMemoryPatch(
  {scope, text, sessions}: Extract<Proposal, {kind: 'memory-patch'}>,
  at: string,
  {places}: Writing,
): Promise<Done> {
  const file = scope === 'private' ? join(places.memory, 'MEMORY.md') : join(places.home, '.gemini/GEMINI.md');
  const before = await readIfThere(file);
  if (before?.includes(text.trim())) return {fault: `${file} says this already.`};
  const gap = before === undefined || before === '' || before.endsWith('\n') ? '' : '\n';
  const after = `${before ?? ''}${gap}${text.trim()}\n`;
  const path = join(places.memory, '.inbox', scope, `learned-${at}.patch`);
  return writePatch(path, {file, before, after, sessions}, {base: scope, places});
}

interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly sessions: readonly string[];
}

async function writePatch(
  path: string,
  {file, before, after, sessions}: Change,
  {base, places}: {readonly base: 'skills' | 'private' | 'global'; readonly places: InboxPlaces},
): Promise<Done> {
  const {createTwoFilesPatch} = await import('diff');
  const old = before === undefined ? '/dev/null' : file;
  const patch = createTwoFilesPatch(old, file, before ?? '', after).replace(/^=+\n/, '');
  const text = `sessions: ${sessions.join(', ')}\n${patch}`;
  const {fault} = await planPatch(text, base, places);
  if (fault !== undefined) return {fault};
  await makePrivateFolder(dirname(path));
  await writeAtomically(path, text);
  return {path};
}

async function quarantine({kind, reason, input}: Refused, name: string, {places, isSecret}: Writing): Promise<void> {
  const folder = join(places.memory, '.quarantine');
  const isOpen = !(await isSecret(JSON.stringify(input) ?? ''));
  await makePrivateFolder(folder);
  const record = {kind, reason, proposal: isOpen ? input : 'left out, since it may have a secret in it'};
  await writeAtomically(join(folder, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}

async function readIfThere(file: string): Promise<string | undefined> {
  return isAbsent(file) ? undefined : readText(file, {limit: MOST_BYTES});
}
