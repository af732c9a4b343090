import {fileURLToPath} from 'node:url';
import {KernelError} from '@gemini-kernel/kernel';
import type {PromptPart} from '@gemini-kernel/plugin-agent/contract';
import type {ContentBlock} from '#sdk';

/** A prompt of an editor: what the person typed, with files as `@paths`, and what the editor put beside it. */
export interface ReadPrompt {
  readonly text: string;
  readonly attached: readonly PromptPart[];
}

/** Throws KernelError ACP_REQUEST_INVALID for a prompt without anything in it. */
export function readPrompt(blocks: readonly ContentBlock[]): ReadPrompt {
  const texts: string[] = [];
  const attached: PromptPart[] = [];
  for (const block of blocks) {
    const {text, parts = []} = readBlock(block);
    if (text !== undefined) texts.push(text);
    attached.push(...parts);
  }
  const text = texts.reduce(join, '');
  if (text.trim() === '' && attached.length === 0)
    throw new KernelError('ACP_REQUEST_INVALID', 'The prompt is empty.', {hint: 'Send at least one block with text.'});
  return {text, attached};
}

/** A mention ends at a blank, so that what follows is not part of its path. */
function join(before: string, next: string): string {
  const isApart = before === '' || /\s$/.test(before) || /^[\s,;!?)\]}]/.test(next);
  return isApart || !(isMention(before) || next.startsWith('@')) ? before + next : `${before} ${next}`;
}

/** Whether a text ends with a mention. */
function isMention(text: string): boolean {
  return /@(?:"[^"]*"|(?:\\.|\S)*)$/.test(text);
}

function readBlock(block: ContentBlock): {readonly text?: string; readonly parts?: readonly PromptPart[]} {
  switch (block.type) {
    case 'text':
      return {text: block.text};
    case 'resource_link':
      return {text: mention(block.uri, block.title ?? block.name)};
    case 'image':
    case 'audio':
      return {parts: [{inlineData: {mimeType: block.mimeType, data: block.data}}]};
    case 'resource':
      return readResource(block.resource);
    default:
      throw new KernelError('ACP_REQUEST_INVALID', `The prompt has a block of an unknown type.`, {
        hint: 'Send text, resource_link, resource, image or audio.',
      });
  }
}

/** A file as the person would name it; anything else as a link that the model can follow. */
function mention(uri: string, name: string): string {
  const path = pathOf(uri);
  if (path === undefined) return `[${name}](${uri})`;
  // Between quotes, everything but a quote stands for itself.
  return path.includes('"') ? `@${path.replaceAll(/[^\w/.-]/g, '\\$&')}` : `@"${path}"`;
}

/** What an editor sends of a file counts as it is sent: it may not be saved yet. */
function readResource(resource: Extract<ContentBlock, {type: 'resource'}>['resource']): ReturnType<typeof readBlock> {
  const name = pathOf(resource.uri) ?? resource.uri;
  // The person reads the name in the prompt, so that it must not be read from the disk as a mention.
  const text = ` \`${name}\` `;
  if ('text' in resource)
    return {text, parts: [{text: `Content of ${name}, as it is in the editor:\n`}, {text: resource.text}]};
  const mimeType = resource.mimeType ?? 'application/octet-stream';
  return {text, parts: [{text: `Content of ${name}:\n`}, {inlineData: {mimeType, data: resource.blob}}]};
}

/** The path of a file address, without a place in the file; undefined for any other address. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return uri.startsWith('/') ? uri : undefined;
  try {
    const url = new URL(uri);
    url.hash = '';
    url.search = '';
    return fileURLToPath(url);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
