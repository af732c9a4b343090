import type {Dirent} from 'node:fs';
import {readdir, realpath} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {MOST_FILES} from '../archive/skill-limits.js';
import {LARGEST_SKILL, reasonOf} from '../find/read-skill.js';
import {parseSkill, type SkillHead} from '../find/skill-head.js';
import {SKILL_FILE} from '../find/skill-files.js';
import {isWithin} from '../find/skill-roots.js';

/** `broken`: it cannot be used; `invalid`: it cannot be packed; `advice`: it works, but not as well as it could. */
export interface SkillProblem {
  readonly kind: 'broken' | 'invalid' | 'advice';
  readonly sentence: string;
}

export interface CheckedSkill {
  readonly folder: string;
  readonly name?: string;
  readonly problems: readonly SkillProblem[];
}

const MOST_LINES = 500;
const LONGEST_DESCRIPTION = 1024;
const SHORTEST_DESCRIPTION = 40;

/** Everything that is wrong with a skill. Throws KernelError SKILL_INVALID if there is no folder. */
export async function checkSkill(folder: string): Promise<CheckedSkill> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new KernelError('SKILL_INVALID', `Cannot list ${folder}: ${cause.message}.`, {cause});
  });
  const broken = (sentence: string): CheckedSkill => ({folder, problems: [{kind: 'broken', sentence}]});
  if (!names.includes(SKILL_FILE)) {
    const twin = names.find((name) => name.toLowerCase() === SKILL_FILE.toLowerCase());
    return broken(twin === undefined ? `${folder} has no ${SKILL_FILE}.` : `${twin} has to be named ${SKILL_FILE}.`);
  }
  const file = join(folder, SKILL_FILE);
  const text = await readText(file, {limit: LARGEST_SKILL}).catch((error: unknown) => ({reason: reasonOf(error)}));
  if (typeof text !== 'string') return broken(`${file} ${text.reason}.`);
  const parsed = parseSkill(text);
  if (typeof parsed === 'string') return broken(`${file} ${parsed}.`);
  const {head, body} = parsed;
  const problems = [
    ...checkName(head.name, basename(await realpath(folder))),
    ...checkDescription(head),
    ...checkBody(body),
    ...(await checkFiles(folder, body)),
  ];
  return {folder, name: head.name, problems};
}

function checkName(name: string, folderName: string): readonly SkillProblem[] {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64)
    return [invalid(`The name "${name}" needs lower-case letters, digits and single hyphens, at most 64 characters.`)];
  return name === folderName
    ? []
    : [advice(`The folder "${folderName}" should have the name of the skill, "${name}".`)];
}

function checkDescription({description}: SkillHead): readonly SkillProblem[] {
  const problems: SkillProblem[] = [];
  if (description.includes('\n')) problems.push(invalid('The description has to be one line.'));
  if (description.length > LONGEST_DESCRIPTION)
    problems.push(invalid(`The description has ${description.length} characters; ${LONGEST_DESCRIPTION} are allowed.`));
  if (/[<>]/.test(description))
    problems.push(advice('The description has angle brackets, which models take for markup.'));
  if (description.length < SHORTEST_DESCRIPTION || !/\b(when|if|for|before|after)\b/i.test(description))
    problems.push(advice('The description should say what the skill does and when to use it.'));
  return problems;
}

function checkBody(body: string): readonly SkillProblem[] {
  const lines = body.split('\n').length;
  return [
    ...(body === '' ? [advice(`${SKILL_FILE} has no instructions below its head.`)] : []),
    ...(lines > MOST_LINES
      ? [advice(`The instructions have ${lines} lines. Move details to references/; ${MOST_LINES} are enough.`)]
      : []),
    ...(/\bTODO\b/.test(body) ? [advice(`${SKILL_FILE} still has a TODO.`)] : []),
  ];
}

async function checkFiles(folder: string, body: string): Promise<readonly SkillProblem[]> {
  const entries = await listBelow(folder);
  const paths = entries.map(({path}) => path);
  const top = await realpath(folder);
  const links = entries.filter(({entry}) => entry.isSymbolicLink());
  const described = await Promise.all(links.map(({path}) => describeLink(folder, path, top)));
  const resources = entries.filter(({entry}) => entry.isFile()).flatMap(({path}) => checkResource(path, body));
  const missing = [...body.matchAll(/(?:^|[\s(`"'])((?:references|scripts|assets)\/[\w./-]*\w)/gm)]
    .map(([, path = '']) => path)
    .filter((path) => !paths.includes(path));
  return [
    ...described,
    ...resources,
    ...missing.map((path) => advice(`${SKILL_FILE} mentions ${path}, which does not exist.`)),
    ...(paths.some((path) => /^tests\/[^/]+\.toml$/.test(path))
      ? []
      : [advice('There are no tests. Add a case such as tests/basic.toml for `gemini skills test`.')]),
  ];
}

interface Found {
  readonly path: string;
  readonly entry: Dirent;
}

/** Entries below a folder, level by level. Links are not followed. */
async function listBelow(folder: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let level = ['']; level.length > 0 && found.length <= MOST_FILES;) {
    const next: string[] = [];
    for (const prefix of level) {
      for (const entry of await readdir(join(folder, prefix), {withFileTypes: true})) {
        found.push({path: prefix + entry.name, entry});
        if (entry.isDirectory() && entry.name !== '.git') next.push(`${prefix}${entry.name}/`);
      }
    }
    level = next;
  }
  return found;
}

async function describeLink(folder: string, path: string, top: string): Promise<SkillProblem> {
  const real = await realpath(join(folder, path)).catch(() => undefined);
  const way = real === undefined ? ' that leads nowhere' : isWithin(real, top) ? '' : ` that leads out, to ${real}`;
  return invalid(`${path} is a link${way}; skills contain files only.`);
}

function checkResource(path: string, body: string): readonly SkillProblem[] {
  const isResource = /^(references|scripts|assets)\//.test(path);
  return isResource && !isMentioned(path, body) ? [advice(`${SKILL_FILE} does not mention ${path}.`)] : [];
}

/** By its path, its name, or the folder that it is in. */
function isMentioned(path: string, body: string): boolean {
  const parts = path.split('/');
  return (
    body.includes(parts.at(-1) ?? path) ||
    parts.slice(0, -1).some((_, index) => index > 0 && body.includes(parts.slice(0, index + 1).join('/')))
  );
}

function invalid(sentence: string): SkillProblem {
  return {kind: 'invalid', sentence};
}

function advice(sentence: string): SkillProblem {
  return {kind: 'advice', sentence};
}
