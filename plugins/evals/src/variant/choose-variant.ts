import {resolve} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {findNearest, KernelError, messageOf} from '@gemini-kernel/kernel';
import type {ToolDeclaration} from '@gemini-kernel/plugin-agent/contract';
import {COMPONENTS, parseComponent, type Component} from './component.js';
import type {Variant} from './variant.js';
import {descriptionAt, parametersOf} from './vary-tools.js';

/** What this program has, asked for when it is needed. */
export interface Components {
  readonly cwd: string;
  tools(): Promise<readonly ToolDeclaration[]>;
  sections(): Promise<readonly string[]>;
}

/** A system limits one variable of a process: Windows by characters, Linux by bytes. */
const LONGEST = 30_000;
const MOST_BYTES = 120_000;
const MOST_NAMED = 12;

/** The variant that `<component>=<text or @file>` means. Throws KernelError EVAL_VARIANT_INVALID. */
export async function chooseVariant(word: string, components: Components): Promise<Variant> {
  const [, name = '', given] = /^([^=]*)=([\s\S]*)$/.exec(word) ?? [];
  if (given === undefined)
    throw invalid(`${JSON.stringify(word)} has no "=".`, 'Pass <component>=<text>, or <component>=@<file>.');
  const component = parseComponent(name);
  if (component === undefined) throw await unknownForm(name, components);
  const value = await readValue(name, given, components.cwd);
  await check(name, component, {value, components});
  return {component: name, value};
}

async function check(
  name: string,
  component: Component,
  {value, components}: {readonly value: string; readonly components: Components},
): Promise<void> {
  if (component.kind === 'tool') return checkTool(component, value, components);
  if (component.kind === 'instruction') {
    if (component.section === undefined) return;
    const sections = await components.sections();
    if (!sections.includes(component.section))
      throw invalid(`The instruction has no section ${quote(component.section)}.`, hintOf(component.section, sections));
    return;
  }
  const isShare = /^(?:0|1|0?\.\d+|1\.0+)$/.test(value.trim());
  if (component.key === 'threshold' && !isShare)
    throw invalid(`${name} is ${quote(value)}, which is not a number from 0 to 1.`, 'Pass a share, such as 0.3.');
  if (component.key === 'instruction' && value.trim() === '')
    throw invalid(`${name} is empty, and a model needs to know what to write.`, 'Pass a text or @<file>.');
}

async function checkTool(
  {tool: name, parameter}: Extract<Component, {kind: 'tool'}>,
  value: string,
  components: Components,
): Promise<void> {
  const tools = await components.tools();
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const names = tools.map((one) => one.name);
    throw invalid(`There is no tool ${quote(name)}.`, hintOf(name, names));
  }
  const now = descriptionAt(tool, parameter);
  const path = parameter?.join('.') ?? '';
  if (now === undefined)
    throw invalid(`The tool ${name} has no parameter ${quote(path)}.`, hintOf(path, parametersOf(tool)));
  if (now === value)
    throw invalid('The variant is what there is now, so there is nothing to compare.', 'Pass another text.');
}

async function unknownForm(name: string, {tools, sections}: Components): Promise<KernelError> {
  const [toolNames, sectionNames] = await Promise.all([tools(), sections()]);
  const all = [
    ...COMPONENTS.filter((form) => !form.includes('<')),
    ...sectionNames.map((section) => `instruction.${section}`),
    ...toolNames.map((tool) => `tools.${tool.name}.description`),
  ];
  const near = findNearest(name, all);
  const forms = `Components are ${COMPONENTS.join(', ')}.`;
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}? ${forms}` : forms;
  return invalid(`There is no component ${quote(name)}.`, hint);
}

/** `@file` is the text of a file without the line end at its end; `@@` is an `@`. */
async function readValue(name: string, given: string, cwd: string): Promise<string> {
  const value = given.startsWith('@') && !given.startsWith('@@') ? await readFileOf(name, given.slice(1), cwd) : given;
  const text = given.startsWith('@@') ? value.slice(1) : value;
  if (text.length <= LONGEST && Buffer.byteLength(JSON.stringify(text)) <= MOST_BYTES) return text;
  throw invalid(
    `${name} has ${text.length} characters, which is too long: about ${LONGEST} are possible.`,
    'Shorten it: it is passed as a variable of a process, and systems limit those.',
  );
}

async function readFileOf(name: string, path: string, cwd: string): Promise<string> {
  const text = await readText(resolve(cwd, path), {limit: 4 * LONGEST}).catch((cause: unknown) => {
    throw invalid(`${name} names the file ${quote(path)}, which cannot be read: ${messageOf(cause)}`, undefined, cause);
  });
  return text.replace(/\r?\n$/, '');
}

function hintOf(name: string, names: readonly string[]): string {
  const near = findNearest(name, names);
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  if (names.length === 0) return 'There is none.';
  const more = names.length - MOST_NAMED;
  return `There are: ${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

function invalid(sentence: string, hint?: string, cause?: unknown): KernelError {
  return new KernelError('EVAL_VARIANT_INVALID', `This variant cannot be compared: ${sentence}`, {
    ...(cause === undefined ? {} : {cause}),
    hint: hint ?? 'Pass a file that can be read, or the text itself.',
  });
}
