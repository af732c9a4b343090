import {splitFrontMatter, type HeadValue} from '@gemini-kernel/files';
import type {Skill} from '../contract.js';

/** What the head of a skill says. */
export type SkillHead = Omit<Skill, 'origin' | 'owner' | 'folder' | 'file' | 'enabled' | 'replaces'>;

const LONGEST_NAME = 128;
/** Names that need no further look, so that a start compiles no expression for it. */
const PLAIN = /^\w[\w-]*$/;

/** The head and the body of a `SKILL.md`; or what is wrong with it, as a sentence without its subject. */
export function parseSkill(text: string): {readonly head: SkillHead; readonly body: string} | string {
  if (text.includes('\0')) return 'is not text';
  const split = splitFrontMatter(text);
  if (typeof split === 'string') return split;
  const {head, body} = split;
  const written = textOf(head.get('name'));
  if (written === '') return 'has no name in its head';
  const isPlain = PLAIN.test(written) && written.length <= LONGEST_NAME;
  const name = isPlain ? written : cleanName(written);
  const fault = isPlain ? undefined : findNameFault(name);
  if (fault !== undefined) return `has the name ${JSON.stringify(written.slice(0, 60))}, which ${fault}`;
  const description = textOf(head.get('description'));
  if (description === '') return 'has no description in its head';
  return {head: {name, description, ...furtherKeys(head)}, body};
}

/** The name with everything replaced that a file name cannot contain. */
export function cleanName(name: string): string {
  return name
    .replaceAll(/[:\\/<>*?"|]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function findNameFault(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  if (/^\.|[. ]$/.test(name)) return 'begins or ends with a dot';
  return /[\p{Cc}\p{Cf}]/u.test(name) ? 'has an invisible character' : undefined;
}

function furtherKeys(head: ReadonlyMap<string, HeadValue>): Omit<SkillHead, 'name' | 'description'> {
  const texts = (['license', 'version', 'compatibility'] as const).map((key) => [key, textOf(head.get(key))] as const);
  const tools = head.get('allowed-tools');
  const metadata = head.get('metadata');
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    ...(tools === undefined ? {} : {allowedTools: wordsOf(tools)}),
    ...(isTable(metadata) ? {metadata} : {}),
  };
}

/** A list, or words between spaces and commas; a comma inside brackets separates nothing. */
function wordsOf(value: HeadValue): readonly string[] {
  if (isTable(value)) return Object.keys(value);
  return typeof value === 'string' ? (value.match(/(?:\([^)]*\)|[^\s,])+/g) ?? []) : value;
}

function isTable(value: HeadValue | undefined): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && !Array.isArray(value);
}

function textOf(value: HeadValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
