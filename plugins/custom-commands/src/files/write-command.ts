import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** What a new file says. */
export interface WrittenCommand {
  readonly description?: string;
  readonly argumentHint?: string;
  readonly prompt: string;
}

/** Writes the file of a command. Throws KernelError CUSTOM_COMMAND_EXISTS unless it may replace one. */
export async function writeCommand(file: string, command: WrittenCommand, mayReplace = false): Promise<void> {
  try {
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, toToml(command), {flag: mayReplace ? 'w' : 'wx'});
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new KernelError('CUSTOM_COMMAND_EXISTS', `${file} exists already.`, {
        hint: 'Edit it, or choose another name.',
        cause,
      });
    throw new KernelError('CUSTOM_COMMAND_INVALID', `Cannot write ${file}: ${messageOf(cause)}`, {cause});
  }
}

/** The text of the file of a command. */
export function toToml({description, argumentHint, prompt}: WrittenCommand): string {
  const lines = [
    ...(description === undefined ? [] : [`description = ${quote(description)}`]),
    ...(argumentHint === undefined ? [] : [`argument-hint = ${quote(argumentHint)}`]),
    `prompt = ${quoteLines(prompt)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return JSON.stringify(text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')).replaceAll('\u007F', String.raw`\u007F`);
}

/** Several lines stay lines where TOML can write them as they are. */
function quoteLines(text: string): string {
  const isPlain = !/[^\n\t\P{Cc}]/u.test(text) && !text.includes("'''") && !text.endsWith("'");
  return isPlain ? `'''\n${text}'''` : quote(text);
}
