import type {PromptPart} from '@gemini-kernel/plugin-agent/contract';

/** The same parts, with texts that follow each other as one. */
export function joinTexts(parts: readonly PromptPart[]): readonly PromptPart[] {
  const joined: PromptPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if ('text' in part && last && 'text' in last) joined[joined.length - 1] = {text: last.text + part.text};
    else joined.push(part);
  }
  return joined;
}
