import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {Finding} from '../contract.js';
import {shellQuote} from './shell-quote.js';

const TIMES = 3;
/** Shorter ones are answers, such as "yes". */
const LEAST = 15;

/** The same prompt typed again and again: a command of a few letters does the same. */
export function findRepeatedPrompts(entries: readonly Entry[]): readonly Finding[] {
  const prompts = new Map<string, string[]>();
  for (const {origin, shown, id} of entries) {
    const text = origin === 'person' ? (shown ?? '').replaceAll(/\s+/g, ' ').trim() : '';
    if (text.length >= LEAST && !/^[/!]/.test(text)) prompts.set(text, [...(prompts.get(text) ?? []), id]);
  }
  return [...prompts]
    .filter(([, ids]) => ids.length >= TIMES)
    .map(([text, ids]): Finding => ({
      kind: 'command',
      sentence: `The same prompt was typed ${ids.length} times: "${text.slice(0, 80)}".`,
      evidence: ids.slice(0, TIMES),
      command: `gemini commands new ${nameFor(text)} --prompt ${shellQuote(text)}`,
    }));
}

function nameFor(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 3).join('-') || 'again';
}
