import {markForeign} from '@gemini-kernel/kernel';
import type {Problem} from '../contract.js';

const MOST_SHOWN = 30;

/** Problems of a file for the model, a line for each, marked as the text of others. */
export function problemText(path: string, problems: readonly Problem[], server: string): string {
  const lines = problems.slice(0, MOST_SHOWN).map(({severity, line, column, message, code}) => {
    const about = code === undefined ? '' : ` [${code}]`;
    return `${path}:${line}:${column}: ${severity}${about}: ${message.replace(/\s*\n\s*/g, ' ')}`;
  });
  const more = problems.length > MOST_SHOWN ? [`(${problems.length - MOST_SHOWN} more)`] : [];
  return markForeign([...lines, ...more].join('\n'), server);
}
