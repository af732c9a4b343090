import {isFileFault, readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {LARGEST} from './read-agents.js';
import {parseAgent, type ParsedAgent} from './parse-agent.js';

/** An agent in a file that a person named. Throws KernelError AGENT_INVALID. */
export async function readDefinition(file: string): Promise<ParsedAgent> {
  const parsed = parseAgent(await read(file));
  if (typeof parsed !== 'string') return parsed;
  throw new KernelError('AGENT_INVALID', `${file} ${parsed}.`, {
    hint: '`gemini agents --help` names what helps; docs/agents.md shows the form.',
  });
}

async function read(file: string): Promise<string> {
  try {
    return await readText(file, {limit: LARGEST});
  } catch (cause) {
    const reason = isFileFault(cause) ? cause.reason : messageOf(cause);
    throw new KernelError('AGENT_INVALID', `Cannot read ${file}: ${reason}`, {cause});
  }
}
